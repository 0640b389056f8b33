# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The gauges of a query, which a file, a server and OpenTelemetry report.

Names and units follow the conventions of Prometheus: base units, and the unit at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from deltasource._lag import Lag
from deltasource._monitor.progress import Progress, SourceProgress
from deltasource._monitor.query_metrics import QueryMetrics

Number: TypeAlias = float | None
Label: TypeAlias = tuple[str, str]
Samples: TypeAlias = Mapping[Label | None, Number]
"""Numbers by a label and its value; the key None stands for the query itself."""
Series: TypeAlias = tuple[Mapping[str, str], float]
"""A number with all of its labels."""


@dataclass(frozen=True)
class Gauge:
    """A gauge: its name, unit and help text, and how to read it from the metrics of a query.

    The name is that of Prometheus, with the unit at the end; the unit is that of OpenTelemetry.
    """

    name: str
    unit: str
    help: str
    samples: Callable[[QueryMetrics], Samples]

    def series(self, latest: Mapping[str, QueryMetrics]) -> Iterator[Series]:
        """Return the known numbers of all queries, each with its labels."""
        for query, metrics in latest.items():
            for label, value in self.samples(metrics).items():
                if value is not None:
                    yield labels_of(query, label), value


def _state(metrics: QueryMetrics) -> Samples:
    return {("state", state): number for state, number in metrics.states.items()}


def _time(time: Callable[[QueryMetrics], datetime | None]) -> Callable[[QueryMetrics], Samples]:
    def samples(metrics: QueryMetrics) -> Samples:
        known = time(metrics)
        return {} if known is None else {None: known.timestamp()}

    return samples


def _progress(read: Callable[[Progress], Samples]) -> Callable[[QueryMetrics], Samples]:
    return lambda metrics: {} if metrics.progress is None else read(metrics.progress)


def _query(number: Callable[[Progress], Number]) -> Callable[[QueryMetrics], Samples]:
    return _progress(lambda progress: {None: number(progress)})


def _source(number: Callable[[SourceProgress], Number]) -> Callable[[QueryMetrics], Samples]:
    return _progress(
        lambda progress: {("source", key): number(one) for key, one in progress.sources.items()}
    )


def _lag(number: Callable[[Lag], Number]) -> Callable[[QueryMetrics], Samples]:
    return _progress(
        lambda progress: {("source", key): number(lag) for key, lag in progress.lags.items()}
    )


def _snapshot(metrics: QueryMetrics) -> Samples:
    percents = metrics.snapshot_percents
    return {("source", key): _ratio(percent, 100) for key, percent in percents.items()}


def _ratio(value: Number, whole: int) -> Number:
    return None if value is None else value / whole


GAUGES: Final = tuple(
    Gauge(f"deltasource_{name}", unit, help_text, samples)
    for name, unit, help_text, samples in (
        (
            "query_state",
            "",
            "1 for the state of the query, 0 for the others: running, idle, failed, ended.",
            _state,
        ),
        (
            "query_start_timestamp_seconds",
            "s",
            "Start time of the query, in seconds since the Unix epoch.",
            _time(lambda metrics: metrics.started),
        ),
        (
            "query_end_timestamp_seconds",
            "s",
            "When the query failed or ended, in seconds since the Unix epoch.",
            _time(lambda metrics: metrics.ended),
        ),
        (
            "progress_timestamp_seconds",
            "s",
            "When the query last looked for data, in seconds since the Unix epoch.",
            _time(lambda metrics: metrics.looked),
        ),
        ("batch_id", "", "Id of the latest batch.", _query(lambda one: one.batch_id)),
        ("batch_rows", "{row}", "Rows read by the latest batch.", _query(lambda one: one.rows)),
        (
            "batch_duration_seconds",
            "s",
            "How long the latest batch took.",
            _query(lambda one: _ratio(one.duration_ms, 1000)),
        ),
        (
            "source_rows",
            "{row}",
            "Rows that the latest batch read from the source.",
            _source(lambda one: one.rows),
        ),
        (
            "written_rows",
            "{row}",
            "Rows written by the latest batch.",
            _query(lambda one: one.sink.rows),
        ),
        (
            "written_files",
            "{file}",
            "Files written by the latest batch.",
            _query(lambda one: one.sink.files),
        ),
        (
            "written_bytes",
            "By",
            "Size of the files written by the latest batch.",
            _query(lambda one: one.sink.bytes),
        ),
        (
            "written_version",
            "",
            "Version of the target table that the latest batch created.",
            _query(lambda one: one.sink.version),
        ),
        (
            "target_files_read",
            "{file}",
            "Files of the target in which the latest batch of changes looked for its keys.",
            _query(lambda one: one.sink.files_read),
        ),
        (
            "target_files_pruned",
            "{file}",
            "Files of the target that the latest batch of changes did not read.",
            _query(lambda one: one.sink.files_pruned),
        ),
        (
            "outstanding_versions",
            "{version}",
            "Commits of the table that are not fully read.",
            _lag(lambda lag: lag.versions),
        ),
        (
            "outstanding_files",
            "{file}",
            "Unread files of the table.",
            _lag(lambda lag: lag.files),
        ),
        (
            "outstanding_bytes",
            "By",
            "Size of the unread files of the table.",
            _lag(lambda lag: lag.bytes),
        ),
        (
            "outstanding_age_seconds",
            "s",
            "Age of the oldest commit that is not fully read.",
            _lag(lambda lag: lag.seconds),
        ),
        (
            "initial_snapshot_ratio",
            "1",
            "Share of the initial snapshot that has been read, 1 after it until the run ends.",
            _snapshot,
        ),
        (
            "planning_seconds",
            "s",
            "How long the source took to plan the latest batch.",
            _source(lambda one: _ratio(one.planning_ms, 1000)),
        ),
    )
)


def labels_of(query: str, label: Label | None) -> Mapping[str, str]:
    """Return all labels of a number."""
    return {"query": query} if label is None else {"query": query, label[0]: label[1]}
