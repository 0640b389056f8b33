# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Logging of failures that repeat and must not affect anything else."""

from __future__ import annotations

import threading
from types import TracebackType

from deltasource._logger import LOG


class FailureLog:
    """Logs the first failure of an operation with its traceback, and counts all of them.

    `with failures:` suppresses exceptions of the block.
    """

    def __init__(self, operation: str) -> None:
        self._operation = operation
        self._lock = threading.Lock()
        self._count = 0

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        # Not the exceptions that end a program, such as KeyboardInterrupt.
        if isinstance(error, Exception):
            self.add(error)
            return True
        return False

    def add(self, error: Exception) -> None:
        """Count a failure, and log it if it is the first."""
        with self._lock:
            self._count += 1
            first = self._count == 1
        if first:
            LOG.error("%s failed; further failures are counted", self._operation, exc_info=error)

    def log_summary(self) -> None:
        """Log the number of failures if there was more than one."""
        if self._count > 1:
            LOG.error("%s failed %d times", self._operation, self._count)
