# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Stops the running query at a time limit, or after its batch when the caller asks for it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final, Literal

from deltasource._monitor.failure_log import FailureLog

POLL_SECONDS: Final = 0.1


class QueryStopper:
    """Stops each query that is watched, one after the other, for the same reasons.

    `asked` is polled and not waited for, so that a signal handler may set it: a handler that
    interrupts its own thread inside a method of the event must not wait for that method's lock.
    """

    def __init__(
        self, *, limit: timedelta | None = None, asked: threading.Event | None = None
    ) -> None:
        self._end = math.inf if limit is None else time.monotonic() + limit.total_seconds()
        self._asked = asked
        self._reason: Literal["deadline", "stopped"] | None = None

    @property
    def reason(self) -> Literal["deadline", "stopped"] | None:
        """Why a query was stopped; None if none was."""
        return self._reason

    @contextmanager
    def watching(self, query: Any) -> Generator[None, None, None]:
        """Stop a query in the block if there is a reason."""
        if self._asked is None and math.isinf(self._end):
            yield
            return
        ended = threading.Event()
        watcher = threading.Thread(
            target=self._watch, args=(query, ended), name="deltasource-stop", daemon=True
        )
        watcher.start()
        try:
            yield
        finally:
            ended.set()
            watcher.join()

    def _watch(self, query: Any, ended: threading.Event) -> None:
        while not self._is_late() and not self._is_asked():
            if ended.wait(self._patience()):
                return
        self._reason = "deadline" if self._is_late() else "stopped"
        with FailureLog("stopping the query"):
            self._wait_for_batch(query, ended)
            query.stop()

    def _wait_for_batch(self, query: Any, ended: threading.Event) -> None:
        if self._is_late():
            return
        before = query.lastProgress
        # A batch is reported after its commit.
        while query.status["isTriggerActive"] and query.lastProgress == before:
            if self._is_late() or ended.wait(self._patience()):
                return

    def _patience(self) -> float | None:
        left = self._end - time.monotonic()
        if self._asked is not None:
            left = min(left, POLL_SECONDS)
        return None if math.isinf(left) else max(left, 0)

    def _is_late(self) -> bool:
        return time.monotonic() >= self._end

    def _is_asked(self) -> bool:
        return self._asked is not None and self._asked.is_set()
