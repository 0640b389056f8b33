# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Events and rows written by hand, of a table with the columns `id`, `name` and `phone`."""

from itertools import permutations
from typing import Any

from apply_changes.fold import AmbiguousSequence, Event, Kind, Row, Rules, Tie, fold

COLUMNS = ("name", "phone")
TYPE_1 = Rules(scd_type=1, keys=("id",), columns=COLUMNS, tracked=COLUMNS)
TYPE_2 = Rules(scd_type=2, keys=("id",), columns=COLUMNS, tracked=COLUMNS)
BY_NAME = Rules(scd_type=2, keys=("id",), columns=COLUMNS, tracked=("name",))
NO_NULLS = Rules(scd_type=1, keys=("id",), columns=COLUMNS, tracked=COLUMNS, ignore_nulls=COLUMNS)


def up(at: int, name: Any = None, phone: Any = None, key: int = 1) -> Event:
    return Event((key,), (at,), Kind.UPSERT, {"name": name, "phone": phone})


def gone(at: int, key: int = 1) -> Event:
    return Event((key,), (at,), Kind.DELETE)


def truncate(at: int) -> Event:
    return Event((), (at,), Kind.TRUNCATE)


def row(name: Any = None, phone: Any = None, key: int = 1) -> Row:
    return {"id": key, "name": name, "phone": phone}


def span(start: int, end: int | None, name: Any = None, phone: Any = None, key: int = 1) -> Row:
    ended = None if end is None else (end,)
    return row(name, phone, key) | {"__START_AT": (start,), "__END_AT": ended}


def check(rules: Rules, *events: Event, rows: list[Row]) -> None:
    """The rows are the same in every order of arrival, and with every event twice."""
    for order in permutations(events):
        assert fold(order, rules) == rows
    assert fold(events * 2, rules) == rows


def ties(rules: Rules, *events: Event) -> tuple[Tie, ...]:
    found = fold(events, rules)
    assert isinstance(found, AmbiguousSequence)
    return found.ties
