# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What may go wrong again and again and must harm nobody else."""

from __future__ import annotations

import logging
import threading
from types import TracebackType
from typing import Final

LOG: Final = logging.getLogger("deltasource")


class Failures:
    """The failures of one thing: the first is told with its traceback, all of them are counted.

    `with failures:` keeps what fails in the block from going further.
    """

    def __init__(self, what: str) -> None:
        self._what = what
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
        # Not what ends a program, such as KeyboardInterrupt.
        if isinstance(error, Exception):
            self.add(error)
            return True
        return False

    def add(self, error: Exception) -> None:
        """Count a failure, and tell it if it is the first."""
        with self._lock:
            self._count += 1
            first = self._count == 1
        if first:
            LOG.error("%s failed; further failures are counted", self._what, exc_info=error)

    def sum_up(self) -> None:
        """Tell how many there were, where that has not been said."""
        if self._count > 1:
            LOG.error("%s failed %d times", self._what, self._count)
