# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The thread that brings progress to sinks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final

from deltasource._progress.failures import LOG, Failures
from deltasource.progress import Progress
from deltasource.sinks import Sink

_WAITING: Final = 10_000


class Courier:
    """Brings each progress to each sink, in their order, in a thread of its own.

    Spark's callbacks hold each other up, so nothing slow may happen in them. A sink that fails
    keeps nothing from the others. Where sinks are so slow that ten thousand progresses wait, the
    next ones are not brought, and that is counted. Whenever nothing has come for a while, the
    thread calls `idle`.
    """

    def __init__(self, sinks: Sequence[Sink], *, idle: Callable[[], None], patience: float) -> None:
        self._sinks = [(sink, Failures(f"the sink {_name(sink)}")) for sink in sinks]
        self._idle = idle
        self._patience = patience
        self._queue: SimpleQueue[Progress | None] = SimpleQueue()
        self._full = Failures("handing progress to sinks that are too slow")
        # A daemon, so that a sink that hangs does not keep the process from ending.
        self._thread = threading.Thread(target=self._run, name="deltasource-monitor", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def put(self, progress: Progress) -> None:
        """Hand over a progress, and do not wait."""
        if self._queue.qsize() < _WAITING:
            self._queue.put(progress)
        else:
            self._full.add(OverflowError(f"{_WAITING} wait already; not brought: {progress}"))

    def close(self, *, seconds: float) -> None:
        """Bring what waits, for so long at most, and tell what failed how often."""
        self._queue.put(None)
        self._thread.join(seconds)
        if self._thread.is_alive():
            LOG.error("sinks did not take all progress: about %d is left", self._queue.qsize())
        for failures in (self._full, *(failures for _, failures in self._sinks)):
            failures.sum_up()

    def _run(self) -> None:
        while True:
            try:
                progress = self._queue.get(timeout=self._patience)
            except Empty:
                self._idle()
                continue
            if progress is None:
                return
            for sink, failures in self._sinks:
                with failures:
                    sink(progress)


def _name(sink: Sink) -> str:
    return getattr(sink, "__qualname__", repr(sink))
