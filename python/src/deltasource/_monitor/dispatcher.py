# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The thread that passes events to event sinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import Final

from deltasource._logger import LOG
from deltasource._monitor.event_sinks import EventSink
from deltasource._monitor.events import Event
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.progress import Progress

_CAPACITY: Final = 10_000


class EventDispatcher:
    """Passes each event to each event sink, in order, in a background thread.

    Spark calls its listeners one after the other, so they must not block. An event sink that fails
    does not affect the others. If they are so slow that ten thousand events are queued, further
    ones are dropped and counted. If no progress arrives for a while, the thread calls `on_idle`.
    """

    def __init__(
        self,
        event_sinks: Sequence[EventSink],
        *,
        on_idle: Callable[[], None],
        idle_seconds: float,
    ) -> None:
        self._event_sinks = [
            (sink, FailureLog(f"the event sink {_name(sink)}")) for sink in event_sinks
        ]
        self._on_idle = on_idle
        self._idle_seconds = idle_seconds
        self._queue: SimpleQueue[Event | None] = SimpleQueue()
        self._dropped = FailureLog("passing events to slow event sinks")
        # A daemon, so that an event sink that hangs does not keep the process alive.
        self._thread = threading.Thread(target=self._run, name="deltasource-monitor", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def put(self, event: Event) -> None:
        """Queue an event without blocking."""
        if self._queue.qsize() < _CAPACITY:
            self._queue.put(event)
        else:
            self._dropped.add(
                OverflowError(f"{_CAPACITY} events are queued already; dropped: {event}")
            )

    def close(self, *, seconds: float) -> None:
        """Pass on what is queued, for at most `seconds`, and close the event sinks.

        Logs how often each of them failed.
        """
        self._queue.put(None)
        self._thread.join(seconds)
        if self._thread.is_alive():
            LOG.error(
                "event sinks did not finish in time: about %d events are left",
                self._queue.qsize(),
            )
        for sink, failures in self._event_sinks:
            with failures:
                close_sink(sink)
        for failures in (self._dropped, *(failures for _, failures in self._event_sinks)):
            failures.log_summary()

    def _run(self) -> None:
        # The event of a query that waits does not put off polling, which reads that query's lag.
        due = time.monotonic() + self._idle_seconds
        while True:
            seconds = due - time.monotonic()
            if seconds <= 0:
                self._on_idle()
                due = time.monotonic() + self._idle_seconds
                continue
            try:
                event = self._queue.get(timeout=seconds)
            except Empty:
                continue
            if event is None:
                return
            if isinstance(event, Progress):
                due = time.monotonic() + self._idle_seconds
            for sink, failures in self._event_sinks:
                with failures:
                    sink(event)


def close_sink(sink: object) -> None:
    """Close an event sink if it can be closed."""
    close = getattr(sink, "close", None)
    if callable(close):
        close()


def _name(sink: EventSink) -> str:
    return getattr(sink, "__qualname__", repr(sink))
