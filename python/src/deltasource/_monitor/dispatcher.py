# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The thread that passes progress to progress sinks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final

from deltasource._logger import LOG
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.progress import Progress
from deltasource._monitor.progress_sinks import ProgressSink

_CAPACITY: Final = 10_000


class ProgressDispatcher:
    """Passes each progress to each progress sink, in order, in a background thread.

    Spark calls its listeners one after the other, so they must not block. A progress sink that
    fails does not affect the others. If they are so slow that ten thousand progresses are queued,
    further ones are dropped and counted. If nothing arrives for a while, the thread calls
    `on_idle`.
    """

    def __init__(
        self,
        progress_sinks: Sequence[ProgressSink],
        *,
        on_idle: Callable[[], None],
        idle_seconds: float,
    ) -> None:
        self._progress_sinks = [
            (sink, FailureLog(f"the progress sink {_name(sink)}")) for sink in progress_sinks
        ]
        self._on_idle = on_idle
        self._idle_seconds = idle_seconds
        self._queue: SimpleQueue[Progress | None] = SimpleQueue()
        self._dropped = FailureLog("passing progress to slow progress sinks")
        # A daemon, so that a progress sink that hangs does not keep the process alive.
        self._thread = threading.Thread(target=self._run, name="deltasource-monitor", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, progress: Progress) -> None:
        """Queue a progress without blocking."""
        if self._queue.qsize() < _CAPACITY:
            self._queue.put(progress)
        else:
            self._dropped.add(
                OverflowError(f"{_CAPACITY} progresses are queued already; dropped: {progress}")
            )

    def close(self, *, seconds: float) -> None:
        """Pass on what is queued, for at most `seconds`, and log how often each sink failed."""
        self._queue.put(None)
        self._thread.join(seconds)
        if self._thread.is_alive():
            LOG.error(
                "progress sinks did not finish in time: about %d progresses are left",
                self._queue.qsize(),
            )
        for failures in (self._dropped, *(failures for _, failures in self._progress_sinks)):
            failures.log_summary()

    def _run(self) -> None:
        while True:
            try:
                progress = self._queue.get(timeout=self._idle_seconds)
            except Empty:
                self._on_idle()
                continue
            if progress is None:
                return
            for sink, failures in self._progress_sinks:
                with failures:
                    sink(progress)


def _name(sink: ProgressSink) -> str:
    return getattr(sink, "__qualname__", repr(sink))
