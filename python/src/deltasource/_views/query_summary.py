# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a person wants to see of a query: its state, its speed, how far it is behind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from deltasource._lag import Lag
from deltasource._monitor.events import Event, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from deltasource._monitor.progress import Progress
from deltasource._monitor.query_metrics import State

RECENT: Final = 40
"""How many batches a summary keeps, for a sparkline."""
RATED: Final = 10
"""How many of them the rate and the time left are computed from."""


@dataclass(frozen=True, kw_only=True)
class BatchSummary:
    """A batch: `ended` is None if its duration is unknown, and so is the percentage after it."""

    run_id: str
    rows: int
    started: datetime
    ended: datetime | None
    snapshot_percent: float | None

    @classmethod
    def of(cls, progress: Progress) -> BatchSummary:
        """Return the summary of an executed batch."""
        took = progress.duration_ms
        started = progress.timestamp
        return cls(
            run_id=progress.run_id,
            rows=progress.rows,
            started=started,
            ended=None if took is None else started + timedelta(milliseconds=took),
            snapshot_percent=_least(one.snapshot_percent for one in progress.sources.values()),
        )


@dataclass(frozen=True, kw_only=True)
class QuerySummary:
    """A query as its events have left it. What is unknown is None.

    `lag` has the largest number of all sources for each measure, and `snapshot_percent` the
    smallest; like the rate, they are known only while the query runs. `batch_id` is the latest
    batch that is done. The error and the recent batches are kept when the query is restarted.
    """

    query: str
    run_id: str
    updated: datetime
    state: State = "running"
    batch_id: int | None = None
    rows_per_second: float | None = None
    lag: Lag | None = None
    snapshot_percent: float | None = None
    snapshot_seconds_left: float | None = None
    error: str | None = None
    recent: tuple[BatchSummary, ...] = ()

    @classmethod
    def after(cls, summary: QuerySummary | None, event: Event) -> QuerySummary:
        """Return the summary after an event; None is a query that had none."""
        at = event.timestamp
        if summary is None:
            return cls(query=event.query, run_id=event.run_id, updated=at)._with(event)
        if isinstance(event, QueryStarted):
            new = cls(query=event.query, run_id=event.run_id, updated=at)
            kept = summary
            return replace(new, batch_id=kept.batch_id, error=kept.error, recent=kept.recent)
        if event.run_id == summary.run_id:
            return replace(summary, updated=max(at, summary.updated))._with(event)
        # Spark reports the start of a run at once, and sometimes before the end of the last run.
        if isinstance(event, QueryFailed):
            return replace(summary, error=_first_line(event))
        # The start of this run is missing, as after a file was lost.
        if isinstance(event, Progress) and summary.state in ("failed", "ended"):
            return replace(summary, run_id=event.run_id, updated=at)._with(event)
        return summary

    @property
    def recent_rows(self) -> tuple[int, ...]:
        """The rows of the recent batches, oldest first."""
        return tuple(batch.rows for batch in self.recent)

    def _with(self, event: Event) -> QuerySummary:
        match event:
            case QueryStarted():
                return self
            case Progress():
                return self._after_progress(event)
            case QueryIdle():
                return self._with_idle()
            case QueryFailed():
                return replace(self._stopped(), state="failed", error=_first_line(event))
            case QueryEnded():
                return replace(self._stopped(), state="ended")

    def _after_progress(self, progress: Progress) -> QuerySummary:
        known = replace(self, lag=_largest_lag(progress))
        if not progress.executed:
            return known._with_idle()
        batch = BatchSummary.of(progress)
        recent = (*self.recent, batch)[-RECENT:]
        rated = [one for one in recent[-RATED:] if one.run_id == progress.run_id]
        return replace(
            known,
            state="running",
            batch_id=progress.batch_id,
            recent=recent,
            rows_per_second=_rate(rated),
            snapshot_percent=batch.snapshot_percent,
            snapshot_seconds_left=_seconds_left(rated),
        )

    def _with_idle(self) -> QuerySummary:
        return replace(self, state="idle", rows_per_second=0.0)

    def _stopped(self) -> QuerySummary:
        """Return what remains of a query that has stopped: nobody is behind any more."""
        return replace(
            self,
            rows_per_second=None,
            lag=None,
            snapshot_percent=None,
            snapshot_seconds_left=None,
        )


def with_event(summaries: Mapping[str, QuerySummary], event: Event) -> Mapping[str, QuerySummary]:
    """Return the summaries of queries, by name or id, after an event of one of them."""
    return {**summaries, event.query: QuerySummary.after(summaries.get(event.query), event)}


def _rate(batches: list[BatchSummary]) -> float | None:
    """Return the rows per second from the start of the first batch to the end of the last."""
    end = batches[-1].ended
    seconds = 0.0 if end is None else (end - batches[0].started).total_seconds()
    return sum(batch.rows for batch in batches) / seconds if seconds > 0 else None


def _seconds_left(batches: list[BatchSummary]) -> float | None:
    """Return how long the rest of the snapshot takes at the pace of these batches.

    The first batch only says where the others began: nobody knows where it began itself.
    """
    known = [
        (batch.ended, batch.snapshot_percent)
        for batch in batches
        if batch.ended is not None and batch.snapshot_percent is not None
    ]
    if len(known) < 2 or batches[-1].snapshot_percent is None:
        return None
    (first_end, first), (last_end, last) = known[0], known[-1]
    seconds = (last_end - first_end).total_seconds()
    if last <= first or seconds <= 0:
        return None
    return max(0.0, 100 - last) * seconds / (last - first)


def _largest_lag(progress: Progress) -> Lag | None:
    lags = list(progress.lags.values())
    if not lags:
        return None
    return Lag(
        versions=_largest(lag.versions for lag in lags),
        files=_largest(lag.files for lag in lags),
        bytes=_largest(lag.bytes for lag in lags),
        seconds=max((lag.seconds for lag in lags if lag.seconds is not None), default=None),
    )


def _largest(numbers: Iterable[int | None]) -> int | None:
    return max((one for one in numbers if one is not None), default=None)


def _least(numbers: Iterable[float | None]) -> float | None:
    return min((one for one in numbers if one is not None), default=None)


def _first_line(event: QueryFailed) -> str:
    lines = event.message.strip().splitlines()
    condition = "" if event.condition is None else f"[{event.condition}] "
    return f"{condition}{lines[0] if lines else ''}".strip()
