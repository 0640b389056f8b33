# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Records the events of queries: each one once, in the order of its query."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from deltasource._monitor.events import Event, QueryFailed
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.history import Histories, History
from deltasource._monitor.progress import Progress
from deltasource._monitor.query_run import QueryRun

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import (
        QueryIdleEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
    )

# Spark keeps a hundred for each query: enough for a hundred queries.
_MAX_SEEN: Final = 10_000


class Recorder:
    """Records events from any thread: from Spark's listener, and from polling queries.

    A progress report that arrives both ways is recorded once. The first event of a run is
    QueryStarted, and nothing follows QueryFailed or QueryEnded. What cannot be read is logged and
    counted, never raised.
    """

    def __init__(self, *, keep: int, forward: Callable[[Event], None]) -> None:
        self.histories = Histories()
        self.failures = FailureLog("reading an event of a query")
        self._keep = keep
        self._forward = forward
        self._changed = threading.Condition()
        self._seen: dict[tuple[object, ...], None] = {}
        self._running: dict[str, QueryRun] = {}
        self._ended: dict[str, None] = {}
        # Over Connect, the thread that starts a query and the one that receives its end race.
        self._ended_early: dict[str, QueryTerminatedEvent] = {}

    def started(self, event: QueryStartedEvent) -> None:
        """Record that a run has started."""
        run = QueryRun.of(event)
        with self._changed:
            if self._is_new(run):
                self._start(run, run.started(event.timestamp))

    def found(self, query: Any) -> None:
        """Record that this query is running."""
        run = QueryRun.of(query)
        with self._changed:
            if self._is_new(run):
                self._start(run, run.found())

    def record(self, raw: Mapping[str, Any]) -> None:
        """Record a progress report in Spark's format."""
        self._record(self._read([raw]))

    def record_missed(self, recent: Collection[Mapping[str, Any]]) -> None:
        """Record the recent progress of a query that follows the latest known one."""
        read = self._read(recent)
        seen = [count for count, one in enumerate(read, start=1) if _key(one) in self._seen]
        self._record(read[max(seen, default=0) :])

    def knows(self, raw: Mapping[str, Any]) -> bool:
        """Whether this progress has been recorded."""
        return any(_key(progress) in self._seen for progress in self._read([raw]))

    def idle(self, event: QueryIdleEvent) -> None:
        """Record that a query waits for data."""
        with self._changed:
            run = self._running.get(str(event.runId))
            # A run without a known start is found when the queries are polled.
            if run is not None:
                self._forward(run.idle(event.timestamp))

    def ended(self, event: QueryTerminatedEvent) -> None:
        """Record that a run has ended, so that no other event of it will follow."""
        with self._changed:
            run = self._running.get(str(event.runId))
            if run is not None:
                self._end(run, event)
            elif str(event.runId) not in self._ended:
                self._ended_early[str(event.runId)] = event

    def wait_for_ends(self, *, excluding: Collection[str], seconds: float) -> frozenset[str]:
        """Wait until the other runs have ended; return those that have not after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: not self._others(excluding), timeout=seconds)
            return self._others(excluding)

    def flush(self) -> None:
        """Record the ends of runs whose start was never reported."""
        with self._changed:
            for event in list(self._ended_early.values()):
                self._end(QueryRun.of(event), event)

    def _read(self, given: Collection[Mapping[str, Any]]) -> list[Progress]:
        """Return those that can be read."""
        found: list[Progress] = []
        for raw in given:
            with self.failures:
                found.append(Progress.of(raw))
        return found

    def _record(self, read: Collection[Progress]) -> None:
        with self._changed:
            for progress in read:
                if _key(progress) not in self._seen and progress.run_id not in self._ended:
                    self._add(progress)

    def _others(self, excluding: Collection[str]) -> frozenset[str]:
        return frozenset(self._running.keys() - set(excluding))

    def _is_new(self, run: QueryRun) -> bool:
        return run.run_id not in self._running and run.run_id not in self._ended

    def _start(self, run: QueryRun, event: Event) -> None:
        self._running[run.run_id] = run
        if event.query in self.histories:
            self.histories[event.query].failure = None
        self._forward(event)
        early = self._ended_early.get(run.run_id)
        if early is not None:
            self._end(run, early)

    def _end(self, run: QueryRun, event: QueryTerminatedEvent) -> None:
        self._running.pop(run.run_id, None)
        self._ended_early.pop(run.run_id, None)
        _remember(self._ended, run.run_id)
        end = run.ended(event)
        # The end of a run may follow the start of the next one.
        is_latest = all(one.query_id != run.query_id for one in self._running.values())
        if isinstance(end, QueryFailed) and is_latest:
            self._history(end.query).failure = end
        self._forward(end)
        self._changed.notify_all()

    def _add(self, progress: Progress) -> None:
        run = self._running.get(progress.run_id) or QueryRun.of_progress(progress)
        if self._is_new(run):
            self._start(run, run.found())
        following = progress.batch_id + 1 if progress.executed else progress.batch_id
        self._running[run.run_id] = replace(run, next_batch=following)
        _remember(self._seen, _key(progress))
        self._history(progress.query).add(progress)
        self._forward(progress)

    def _history(self, query: str) -> History:
        history = self.histories.get(query)
        if history is None:
            return self.histories.added(query, History(keep=self._keep))
        return history


def _remember(latest: dict[Any, None], key: object) -> None:
    latest[key] = None
    if len(latest) > _MAX_SEEN:
        del latest[next(iter(latest))]


def _key(progress: Progress) -> tuple[object, ...]:
    # A query that waits for data reports the same batch again and again.
    return progress.run_id, progress.batch_id, progress.timestamp
