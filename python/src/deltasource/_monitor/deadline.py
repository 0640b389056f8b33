# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A time limit for queries."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from deltasource._monitor.failure_log import FailureLog


class Deadline:
    """Stops the running query when the time limit is reached."""

    def __init__(self, limit: timedelta | None) -> None:
        self._end = None if limit is None else time.monotonic() + limit.total_seconds()
        self._expired = False

    @property
    def expired(self) -> bool:
        """Whether the limit was reached while a query ran."""
        return self._expired

    @contextmanager
    def enforced_on(self, query: Any) -> Generator[None, None, None]:
        """Stop a query in the block if the limit is reached."""
        if self._end is None:
            yield
            return
        timer = threading.Timer(self._end - time.monotonic(), self._expire, [query])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _expire(self, query: Any) -> None:
        self._expired = True
        with FailureLog("stopping the query at its deadline"):
            query.stop()
