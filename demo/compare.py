# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Compares two DataFrames by day: the number of rows and the sum of their hashes.

Spark reads both. So the numbers are also compared with a count made without Spark.
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
    """The rows of one day."""

    rows: int
    checksum: Decimal


@dataclass(frozen=True)
class Difference:
    """A day on which input and copy differ."""

    date: date
    expected: Day
    found: Day

    def __str__(self) -> str:
        """Return how many rows are missing or too many, or that some differ."""
        surplus = self.found.rows - self.expected.rows
        if surplus == 0:
            return f"{self.date}: {self.expected.rows} rows, but some differ"
        return f"{self.date}: {abs(surplus)} rows {'too many' if surplus > 0 else 'missing'}"


@dataclass(frozen=True)
class Miscount:
    """A day for which the copy has more or fewer rows than the data file."""

    date: date
    counted: int
    found: int

    def __str__(self) -> str:
        """Return both numbers."""
        return f"{self.date}: {self.counted} rows in the data file, {self.found} in the copy"


NOTHING = Day(0, Decimal(0))


def days(frame: DataFrame) -> dict[date, Day]:
    """Return rows and checksum by day; a missing or duplicated row changes both."""
    columns = ", ".join(sorted(frame.columns))
    # In a sum, unlike XOR, duplicated rows do not cancel out; a decimal does not overflow.
    hashed = frame.selectExpr("date", f"CAST(xxhash64({columns}) AS DECIMAL(38, 0)) AS hash")
    sums = hashed.groupBy("date").agg({"hash": "sum", "*": "count"})
    return {row["date"]: Day(row["count(1)"], row["sum(hash)"]) for row in sums.collect()}


def differences(expected: dict[date, Day], found: dict[date, Day]) -> list[Difference]:
    """Return the days that differ, in order, including those that only one side has."""
    dates = sorted(expected.keys() | found.keys())
    pairs = ((day, expected.get(day, NOTHING), found.get(day, NOTHING)) for day in dates)
    return [Difference(day, one, other) for day, one, other in pairs if one != other]


def miscounts(counted: Mapping[date, int], found: Mapping[date, Day]) -> list[Miscount]:
    """Return the days with more or fewer rows than were counted, in order."""
    dates = sorted(counted.keys() | found.keys())
    pairs = ((day, counted.get(day, 0), found.get(day, NOTHING).rows) for day in dates)
    return [Miscount(day, one, other) for day, one, other in pairs if one != other]
