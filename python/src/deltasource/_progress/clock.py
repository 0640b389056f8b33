# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The time that queries may take together."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from deltasource._progress.failures import Failures


class Clock:
    """Stops the query that runs when the time is up."""

    def __init__(self, limit: timedelta | None) -> None:
        self._end = None if limit is None else time.monotonic() + limit.total_seconds()
        self._over = False

    @property
    def over(self) -> bool:
        """Whether the time was up while a query ran."""
        return self._over

    @contextmanager
    def stopping(self, query: Any) -> Generator[None, None, None]:
        """Stop a query if it takes too long."""
        if self._end is None:
            yield
            return
        timer = threading.Timer(self._end - time.monotonic(), self._ring, [query])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _ring(self, query: Any) -> None:
        self._over = True
        with Failures("stopping the query at its deadline"):
            query.stop()
