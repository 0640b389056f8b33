# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a monitor has heard of queries: each progress once, in the order of its query."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from deltasource._progress.failures import Failures
from deltasource.history import History
from deltasource.progress import Progress

# Far more than the hundred that Spark keeps of a query, for as many queries.
_REMEMBERED: Final = 10_000


class Histories(Mapping[str, History]):
    """The histories of queries, by what they are called; new ones join while it is read."""

    def __init__(self) -> None:
        self._histories: dict[str, History] = {}

    def joined(self, query: str, history: History) -> History:
        """Take in the history of one more query, and answer it."""
        # A dictionary that grows breaks the loops over it; a new one breaks none.
        self._histories = {**self._histories, query: history}
        return history

    def __getitem__(self, query: str) -> History:
        return self._histories[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self._histories)

    def __len__(self) -> int:
        return len(self._histories)

    def __repr__(self) -> str:
        return repr(self._histories)


class Recorder:
    """Takes progress from any thread: from events, and from queries that were asked for it.

    The same progress may come both ways and is taken once. Runs are known by their ids, from their
    start to their end. What is no progress is counted and told, and never raised.
    """

    def __init__(self, *, keep: int, hand_on: Callable[[Progress], None]) -> None:
        self.histories = Histories()
        self.failures = Failures("reading what Spark says of a query")
        self._keep = keep
        self._hand_on = hand_on
        self._changed = threading.Condition()
        self._seen: dict[tuple[object, ...], None] = {}
        self._started: set[str] = set()
        self._ended: set[str] = set()

    def take(self, raw: Mapping[str, Any]) -> None:
        """Take in a progress as Spark has it."""
        self._take(self._read([raw]))

    def take_missed(self, recent: Collection[Mapping[str, Any]]) -> None:
        """Take in what follows the newest known one in the recent progress of a query."""
        read = self._read(recent)
        known = [at for at, progress in enumerate(read, start=1) if _key(progress) in self._seen]
        self._take(read[max(known, default=0) :])

    def knows(self, raw: Mapping[str, Any]) -> bool:
        """Whether this progress has been taken in."""
        return any(_key(progress) in self._seen for progress in self._read([raw]))

    def start(self, run_id: object) -> None:
        """Know that a run has begun."""
        with self._changed:
            self._started.add(str(run_id))

    def end(self, run_id: object) -> None:
        """Know that a run is over, and that no progress of it will follow."""
        with self._changed:
            self._ended.add(str(run_id))
            self._changed.notify_all()

    def wait(self, *, besides: Collection[str], seconds: float) -> frozenset[str]:
        """Wait until all runs but some are over; answer those that are not when the time is."""
        with self._changed:
            self._changed.wait_for(lambda: not self._running(besides), timeout=seconds)
            return self._running(besides)

    def _read(self, given: Collection[Mapping[str, Any]]) -> list[Progress]:
        """Answer those that can be read."""
        found: list[Progress] = []
        for raw in given:
            with self.failures:
                found.append(Progress.of(raw))
        return found

    def _take(self, read: Collection[Progress]) -> None:
        with self._changed:
            for progress in read:
                if _key(progress) not in self._seen:
                    self._add(progress)

    def _running(self, besides: Collection[str]) -> frozenset[str]:
        return frozenset(self._started.difference(self._ended, besides))

    def _add(self, progress: Progress) -> None:
        self._seen[_key(progress)] = None
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]
        history = self.histories.get(progress.query)
        if history is None:
            history = self.histories.joined(progress.query, History(keep=self._keep))
        history.add(progress)
        self._hand_on(progress)


def _key(progress: Progress) -> tuple[object, ...]:
    # A query that waits for data says so again and again for the same batch.
    return progress.run_id, progress.batch_id, progress.at
