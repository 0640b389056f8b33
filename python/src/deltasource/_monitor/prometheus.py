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
"""Numbers by source; the key of the whole query is None."""


@dataclass(frozen=True)
class Gauge:
    """A gauge: its name, its help text, and how to read it from a progress."""

    name: str
    help: str
    samples: Callable[[Progress], Samples]


def _query(number: Callable[[Progress], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {None: number(progress)}


def _source(number: Callable[[SourceProgress], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {at: number(source) for at, source in progress.sources.items()}


def _lag(number: Callable[[Lag], Number]) -> Callable[[Progress], Samples]:
    return lambda progress: {at: number(lag) for at, lag in progress.lags.items()}


def _ratio(value: Number, whole: int) -> Number:
    return None if value is None else value / whole


GAUGES: Final = tuple(
    Gauge(f"deltasource_{name}", help_text, samples)
    for name, help_text, samples in (
        ("batch_id", "Number of the newest batch.", _query(lambda one: one.batch_id)),
        ("batch_rows", "Rows that the newest batch has read.", _query(lambda one: one.rows)),
        (
            "batch_duration_seconds",
            "How long the newest batch took.",
            _query(lambda one: _ratio(one.duration_ms, 1000)),
        ),
        (
            "progress_timestamp_seconds",
            "When the newest batch began, since 1970.",
            _query(lambda one: one.at.timestamp()),
        ),
        (
            "source_rows",
            "Rows that the newest batch has read from the source.",
            _source(lambda one: one.rows),
        ),
        (
            "written_rows",
            "Rows that the newest batch has written.",
            _query(lambda one: one.sink.rows),
        ),
        (
            "written_files",
            "Files that the newest batch has written.",
            _query(lambda one: one.sink.files),
        ),
        (
            "written_bytes",
            "Size of the files that the newest batch has written.",
            _query(lambda one: one.sink.bytes),
        ),
        (
            "written_version",
            "Version of the target that the newest batch has made.",
            _query(lambda one: one.sink.version),
        ),
        (
            "outstanding_versions",
            "Commits of the table that were not read to their end.",
            _lag(lambda lag: lag.versions),
        ),
        (
            "outstanding_files",
            "Files of the table that were not read.",
            _lag(lambda lag: lag.files),
        ),
        (
            "outstanding_bytes",
            "Size of the files that were not read.",
            _lag(lambda lag: lag.bytes),
        ),
        (
            "outstanding_age_seconds",
            "Age of the oldest commit that was not read.",
            _lag(lambda lag: lag.seconds),
        ),
        (
            "initial_snapshot_ratio",
            "How much of the initial snapshot has been read, from 0 to 1.",
            _source(lambda one: _ratio(one.snapshot_percent, 100)),
        ),
        (
            "planning_seconds",
            "How long the source took to plan the newest batch.",
            _source(lambda one: _ratio(one.planning_ms, 1000)),
        ),
    )
)


def format_text(newest: Mapping[str, Progress]) -> str:
    """Format the newest progress of each query, by name or id."""
    return "".join(line for gauge in GAUGES for line in _family(gauge, newest))


def format_label(value: str) -> str:
    r"""Format the value of a label: \ becomes \\, " becomes \", and a new line \n."""
    escaped = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'"{escaped}"'


def _family(gauge: Gauge, newest: Mapping[str, Progress]) -> Iterator[str]:
    known = [
        f"{gauge.name}{{{_labels(query, source)}}} {value}\n"
        for query, progress in newest.items()
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
