# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The writer: one commit a day."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def commit(flights: DataFrame, day: date, table: Path) -> None:
    """Append the flights of one day, in one file."""
    frame = flights.where(flights["date"] == day).coalesce(1)
    frame.write.format("delta").mode("append").save(str(table))


class Writer(Thread):
    """Commits days while others read the table; `finish` waits for it and tells its error."""

    def __init__(
        self, flights: DataFrame, days: Sequence[date], table: Path, *, done: Callable[[], None]
    ) -> None:
        """Take what to write, and what to call after each day."""
        super().__init__(name="writer", daemon=True)
        self._flights, self._days, self._table, self._done = flights, days, table, done
        self._error: BaseException | None = None

    def run(self) -> None:
        """Write day by day."""
        try:
            for day in self._days:
                commit(self._flights, day, self._table)
                self._done()
        except BaseException as error:  # told by `finish`, in the thread that waits
            self._error = error

    def finish(self) -> None:
        """Wait for the last day."""
        self.join()
        if self._error is not None:
            raise self._error
