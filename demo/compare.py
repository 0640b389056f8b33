# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether two frames hold the same rows: per day their number and a sum over their hashes.

Both frames are Spark's. So the number is also held against one that Spark had no part in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Day:
    """What one day holds."""

    rows: int
    checksum: Decimal


@dataclass(frozen=True)
class Difference:
    """A day on which the two sides differ."""

    date: date
    expected: Day
    found: Day

    def __str__(self) -> str:
        """Say how many rows too few or too many, or that some are others."""
        surplus = self.found.rows - self.expected.rows
        if surplus == 0:
            return f"{self.date}: {self.expected.rows} rows, but not the same"
        return f"{self.date}: {abs(surplus)} rows {'too many' if surplus > 0 else 'missing'}"


@dataclass(frozen=True)
class Miscount:
    """A day of which the copy has another number of rows than the data file."""

    date: date
    counted: int
    found: int

    def __str__(self) -> str:
        """Say both numbers."""
        return f"{self.date}: {self.counted} rows in the data file, {self.found} in the copy"


NOTHING = Day(0, Decimal(0))


def days(frame: DataFrame) -> dict[date, Day]:
    """Answer what each day of a frame holds; a row missing or double changes both numbers."""
    columns = ", ".join(sorted(frame.columns))
    # A sum of 64-bit hashes of doubled rows cannot cancel out, and a decimal does not overflow.
    hashed = frame.selectExpr("date", f"CAST(xxhash64({columns}) AS DECIMAL(38, 0)) AS hash")
    sums = hashed.groupBy("date").agg({"hash": "sum", "*": "count"})
    return {row["date"]: Day(row["count(1)"], row["sum(hash)"]) for row in sums.collect()}


def differences(expected: dict[date, Day], found: dict[date, Day]) -> list[Difference]:
    """Answer the days that differ, in order; a day that only one side has is one of them."""
    dates = sorted(expected.keys() | found.keys())
    pairs = ((day, expected.get(day, NOTHING), found.get(day, NOTHING)) for day in dates)
    return [Difference(day, one, other) for day, one, other in pairs if one != other]


def miscounts(counted: Mapping[date, int], found: Mapping[date, Day]) -> list[Miscount]:
    """Answer the days with another number of rows than was counted, in order."""
    dates = sorted(counted.keys() | found.keys())
    pairs = ((day, counted.get(day, 0), found.get(day, NOTHING).rows) for day in dates)
    return [Miscount(day, one, other) for day, one, other in pairs if one != other]
