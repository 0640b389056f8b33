# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The writer: so many days in one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def commit(flights: DataFrame, days: Sequence[date], table: Path) -> None:
    """Append the flights of some days, in one file."""
    frame = flights.where(flights["date"].isin(list(days))).coalesce(1)
    frame.write.format("delta").mode("append").save(str(table))


class Writer(Thread):
    """Commits while others read the table; `finish` waits for it and tells its error."""

    def __init__(
        self,
        flights: DataFrame,
        commits: Sequence[Sequence[date]],
        table: Path,
        *,
        done: Callable[[], None],
    ) -> None:
        """Take the days of each commit, and what to call after it."""
        super().__init__(name="writer", daemon=True)
        self._flights, self._commits, self._table, self._done = flights, commits, table, done
        self._error: BaseException | None = None

    def run(self) -> None:
        """Write commit by commit."""
        try:
            for days in self._commits:
                commit(self._flights, days, self._table)
                self._done()
        except BaseException as error:  # told by `finish`, in the thread that waits
            self._error = error

    def finish(self) -> None:
        """Wait for the last commit."""
        self.join()
        if self._error is not None:
            raise self._error
