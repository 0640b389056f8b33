# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The columns of random histories, and the values that the numbers of a script stand for.

So the same script can run with keys of any type. The values are chosen to be difficult: Delta's
statistics cut strings after 32 characters, and timestamps after milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from math import nan
from typing import Any

KEYS = 4
"""How many keys there are: 0 to 3."""
SEQUENCES = 9
"""How many sequences there are: 0 to 8."""
LONG = "k" * 32
DATES = (date(1970, 1, 1), date(1969, 12, 31), date(2024, 2, 29), date.max)
DECIMALS = tuple(map(Decimal, ("0.00", "-1.50", "1.00", "123456789012345678.99")))
NEW_YEAR = datetime(2024, 1, 1, tzinfo=timezone.utc)
TIMES = tuple(NEW_YEAR + timedelta(microseconds=tick) for tick in range(SEQUENCES))
PLACES = (("A", None), (None, 1), ("B", 2), (None, None))


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    values: tuple[Any, ...]


def column(name: str, spark_type: str, values: Sequence[Any]) -> Column:
    return Column(name, spark_type, tuple(values))


class KeyType(Enum):
    """The columns of the key."""

    INT = (column("id", "int", (0, 1, -1, 2147483647)),)
    STRING = (column("id", "string", ("a", "", LONG + "1", LONG + "😀")),)
    TWO = (column("area", "int", (1, 1, 2, 2)), column("id", "string", ("a", "B", "a", "B")))
    DATE = (column("id", "date", DATES),)
    DECIMAL = (column("id", "decimal(20,2)", DECIMALS),)


class SequenceType(Enum):
    """The columns of the sequence; their values rise."""

    LONG = (column("seq", "bigint", range(-2, SEQUENCES - 2)),)
    TIMESTAMP = (column("seq", "timestamp", TIMES),)
    DECIMAL = (
        column("seq", "decimal(38,0)", [Decimal(10**30 + tick) for tick in range(SEQUENCES)]),
    )
    PAIR = (
        column("seq", "bigint", [tick // 3 for tick in range(SEQUENCES)]),
        column("part", "int", [tick % 3 for tick in range(SEQUENCES)]),
    )


VALUES = (
    column("name", "string", ("Alice", "Bob", "a/b=%")),
    column("amount", "double", (1.5, nan, 0.0)),
    column("note", "string", ("n", "", "NULL")),
    column(
        "place",
        "struct<city:string,zip:int>",
        [{"city": city, "zip": code} for city, code in PLACES],
    ),
)
"""The other columns, in the order of a change's values."""
CHOICES = tuple(len(one.values) for one in VALUES)

OPERATION = column("op", "string", ("U", "D", "T"))
SCRIPT = column("script", "int", range(1000))
"""The first key column if many scripts share a table."""
