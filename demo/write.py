# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the flights, a few days per commit."""

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
    """Writes commits in a thread; `finish` waits for it and raises its error."""

    def __init__(
        self,
        flights: DataFrame,
        commits: Sequence[Sequence[date]],
        table: Path,
        *,
        done: Callable[[], None],
    ) -> None:
        """Store the days of each commit, and the function to call after each."""
        super().__init__(name="writer", daemon=True)
        self._flights, self._commits, self._table, self._done = flights, commits, table, done
        self._error: BaseException | None = None

    def run(self) -> None:
        """Write all commits."""
        try:
            for days in self._commits:
                commit(self._flights, days, self._table)
                self._done()
        except BaseException as error:  # raised by `finish`, in the calling thread
            self._error = error

    def finish(self) -> None:
        """Wait for the last commit."""
        self.join()
        if self._error is not None:
            raise self._error
