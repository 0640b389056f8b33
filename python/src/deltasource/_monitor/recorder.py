# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Records the progress of queries: each one once, in the order of its query."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.history import Histories, History
from deltasource._monitor.progress import Progress

# Spark keeps a hundred for each query: enough for a hundred queries.
_MAX_SEEN: Final = 10_000


class Recorder:
    """Records progress from any thread: from listener events, and from polling queries.

    A progress that arrives both ways is recorded once. Runs are identified by their ids, from start
    to end. What cannot be read is logged and counted, never raised.
    """

    def __init__(self, *, keep: int, forward: Callable[[Progress], None]) -> None:
        self.histories = Histories()
        self.failures = FailureLog("reading the progress of a query")
        self._keep = keep
        self._forward = forward
        self._changed = threading.Condition()
        self._seen: dict[tuple[object, ...], None] = {}
        self._started: set[str] = set()
        self._ended: set[str] = set()

    def record(self, raw: Mapping[str, Any]) -> None:
        """Record a progress in Spark's format."""
        self._record(self._read([raw]))

    def record_missed(self, recent: Collection[Mapping[str, Any]]) -> None:
        """Record the recent progress of a query that follows the latest known one."""
        read = self._read(recent)
        seen = [count for count, one in enumerate(read, start=1) if _key(one) in self._seen]
        self._record(read[max(seen, default=0) :])

    def knows(self, raw: Mapping[str, Any]) -> bool:
        """Whether this progress has been recorded."""
        return any(_key(progress) in self._seen for progress in self._read([raw]))

    def run_started(self, run_id: object) -> None:
        """Record that a run has started."""
        with self._changed:
            self._started.add(str(run_id))

    def run_ended(self, run_id: object) -> None:
        """Record that a run has ended, so that no progress of it will follow."""
        with self._changed:
            self._ended.add(str(run_id))
            self._changed.notify_all()

    def wait_for_ends(self, *, excluding: Collection[str], seconds: float) -> frozenset[str]:
        """Wait until the other runs have ended; return those that have not after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: not self._running(excluding), timeout=seconds)
            return self._running(excluding)

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
                if _key(progress) not in self._seen:
                    self._add(progress)

    def _running(self, excluding: Collection[str]) -> frozenset[str]:
        return frozenset(self._started.difference(self._ended, excluding))

    def _add(self, progress: Progress) -> None:
        self._seen[_key(progress)] = None
        if len(self._seen) > _MAX_SEEN:
            del self._seen[next(iter(self._seen))]
        history = self.histories.get(progress.query)
        if history is None:
            history = self.histories.added(progress.query, History(keep=self._keep))
        history.add(progress)
        self._forward(progress)


def _key(progress: Progress) -> tuple[object, ...]:
    # A query that waits for data reports the same batch again and again.
    return progress.run_id, progress.batch_id, progress.timestamp
