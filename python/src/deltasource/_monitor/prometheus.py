# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Prometheus' text exposition format, version 0.0.4.

Names and units follow the conventions of Prometheus: base units, and the unit at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from deltasource._lag import Lag
from deltasource._monitor.progress import Progress, SourceProgress

Number: TypeAlias = float | None
Samples: TypeAlias = Mapping[str | None, Number]
"""Numbers by source; the key None stands for the query itself."""


@dataclass(frozen=True)
class Gauge:
    """A gauge: its name, its help text, and how to read it from a progress."""

    name: str
    help: str
    samples: Callable[[Progress], Samples]


def _query(number: Callable[[Progress], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {None: number(progress)}


def _source(number: Callable[[SourceProgress], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {key: number(source) for key, source in progress.sources.items()}


def _lag(number: Callable[[Lag], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {key: number(lag) for key, lag in progress.lags.items()}


def _ratio(value: Number, whole: int) -> Number:
    return None if value is None else value / whole


GAUGES: Final = tuple(
    Gauge(f"deltasource_{name}", help_text, samples)
    for name, help_text, samples in (
        ("batch_id", "Id of the latest batch.", _query(lambda one: one.batch_id)),
        ("batch_rows", "Rows read by the latest batch.", _query(lambda one: one.rows)),
        (
            "batch_duration_seconds",
            "How long the latest batch took.",
            _query(lambda one: _ratio(one.duration_ms, 1000)),
        ),
        (
            "progress_timestamp_seconds",
            "Start time of the latest batch, in seconds since the Unix epoch.",
            _query(lambda one: one.timestamp.timestamp()),
        ),
        (
            "source_rows",
            "Rows that the latest batch read from the source.",
            _source(lambda one: one.rows),
        ),
        (
            "written_rows",
            "Rows written by the latest batch.",
            _query(lambda one: one.sink.rows),
        ),
        (
            "written_files",
            "Files written by the latest batch.",
            _query(lambda one: one.sink.files),
        ),
        (
            "written_bytes",
            "Size of the files written by the latest batch.",
            _query(lambda one: one.sink.bytes),
        ),
        (
            "written_version",
            "Version of the target table that the latest batch created.",
            _query(lambda one: one.sink.version),
        ),
        (
            "outstanding_versions",
            "Commits of the table that are not fully read.",
            _lag(lambda lag: lag.versions),
        ),
        (
            "outstanding_files",
            "Unread files of the table.",
            _lag(lambda lag: lag.files),
        ),
        (
            "outstanding_bytes",
            "Size of the unread files of the table.",
            _lag(lambda lag: lag.bytes),
        ),
        (
            "outstanding_age_seconds",
            "Age of the oldest commit that is not fully read.",
            _lag(lambda lag: lag.seconds),
        ),
        (
            "initial_snapshot_ratio",
            "Share of the initial snapshot that has been read, from 0 to 1.",
            _source(lambda one: _ratio(one.snapshot_percent, 100)),
        ),
        (
            "planning_seconds",
            "How long the source took to plan the latest batch.",
            _source(lambda one: _ratio(one.planning_ms, 1000)),
        ),
    )
)


def format_text(latest: Mapping[str, Progress]) -> str:
    """Format the latest progress of each query, by name or id."""
    return "".join(line for gauge in GAUGES for line in _family(gauge, latest))


def format_label(value: str) -> str:
    r"""Format the value of a label: \ becomes \\, " becomes \", and a new line \n."""
    escaped = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'"{escaped}"'


def _family(gauge: Gauge, latest: Mapping[str, Progress]) -> Iterator[str]:
    known = [
        f"{gauge.name}{{{_labels(query, source)}}} {value}\n"
        for query, progress in latest.items()
        for source, value in gauge.samples(progress).items()
        if value is not None
    ]
    if known:
        yield f"# HELP {gauge.name} {gauge.help}\n# TYPE {gauge.name} gauge\n"
        yield from known


def _labels(query: str, source: str | None) -> str:
    return f"query={format_label(query)}" + (
        "" if source is None else f",source={format_label(source)}"
    )
