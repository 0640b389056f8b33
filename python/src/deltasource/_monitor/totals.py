# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Counters and histograms of a query: what each event adds to them.

They do not start again with the next run of a query. The names are those of Prometheus without
`_total`, and differ from those of all gauges; the units are those of OpenTelemetry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from deltasource._monitor.conditions import condition_label
from deltasource._monitor.events import Event, QueryFailed
from deltasource._monitor.gauges import Label, Number
from deltasource._monitor.progress import Progress


@dataclass(frozen=True)
class Counter:
    """A counter, its label besides `query` if it has one, and what an event adds to it."""

    name: str
    unit: str
    help: str
    label: str | None
    added: Callable[[Event], Mapping[Label | None, float]]


@dataclass(frozen=True)
class Histogram:
    """A histogram, the upper bounds of its buckets, and the value that an event adds to it."""

    name: str
    unit: str
    help: str
    buckets: tuple[float, ...]
    added: Callable[[Event], Number]


def _batch(number: Callable[[Progress], Number]) -> Callable[[Event], Number]:
    """Return a number of each batch that was executed."""
    return lambda event: number(event) if isinstance(event, Progress) and event.executed else None


def _sum(number: Callable[[Event], Number]) -> Callable[[Event], Mapping[Label | None, float]]:
    def added(event: Event) -> Mapping[Label | None, float]:
        known = number(event)
        return {} if known is None else {None: known}

    return added


def _seconds(milliseconds: int | None) -> Number:
    return None if milliseconds is None else milliseconds / 1000


def _failure(event: Event) -> Mapping[Label | None, float]:
    if not isinstance(event, QueryFailed):
        return {}
    return {("condition", condition_label(event.condition)): 1}


def _applied(event: Event) -> Mapping[Label | None, float]:
    if not isinstance(event, Progress) or not event.executed:
        return {}
    rows = {
        "insert": event.sink.rows_inserted,
        "update": event.sink.rows_updated,
        "delete": event.sink.rows_deleted,
    }
    return {("change", change): number for change, number in rows.items() if number is not None}


COUNTERS: Final = (
    Counter(
        "deltasource_batches",
        "{batch}",
        "Batches that were executed, in all runs of the query.",
        None,
        _sum(_batch(lambda _: 1)),
    ),
    Counter(
        "deltasource_rows_read",
        "{row}",
        "Rows read from all sources, in all runs of the query.",
        None,
        _sum(_batch(lambda one: one.rows)),
    ),
    Counter(
        "deltasource_rows_written",
        "{row}",
        "Rows written to the target table, in all runs of the query.",
        None,
        _sum(_batch(lambda one: None if one.sink.skipped else one.sink.rows)),
    ),
    Counter(
        "deltasource_rows_applied",
        "{row}",
        "Target rows inserted, updated or deleted by `apply_changes`, in all runs of the query.",
        "change",
        _applied,
    ),
    Counter(
        "deltasource_events_ignored",
        "{event}",
        "Events that changed nothing: late, or applied already, in all runs of the query.",
        None,
        _sum(_batch(lambda one: one.sink.events_ignored)),
    ),
    Counter(
        "deltasource_late_after_tombstones",
        "{row}",
        "Rows inserted by events not newer than a removed tombstone, in all runs of the query.",
        None,
        _sum(_batch(lambda one: one.sink.late_after_tombstones)),
    ),
    Counter(
        "deltasource_failures",
        "{failure}",
        "Runs of the query that have failed, by error condition.",
        "condition",
        _failure,
    ),
)

HISTOGRAMS: Final = (
    Histogram(
        "deltasource_batch_processing_seconds",
        "s",
        "How long batches took, from the trigger to the end.",
        (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600),
        _batch(lambda one: _seconds(one.duration_ms)),
    ),
    Histogram(
        "deltasource_batch_planning_seconds",
        "s",
        "How long all sources of the query took to plan batches.",
        (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
        _batch(lambda one: _seconds(one.planning_ms)),
    ),
)
