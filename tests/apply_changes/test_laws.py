# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Laws of the fold, for any history without ties."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from apply_changes.fold import END, START, AmbiguousSequence, Event, Kind, Row, Rules, fold

COLUMNS = ("name", "phone", "place")
VALUES = st.one_of(st.none(), st.integers(0, 1))
PAYLOADS = st.fixed_dictionaries({"name": VALUES, "phone": VALUES, "place": VALUES})
TRACKED = st.sets(st.sampled_from(COLUMNS)).map(lambda names: tuple(sorted(names)))


def history(*, truncates: bool) -> st.SearchStrategy[list[Event]]:
    """Events of which no two have the same key and sequence."""
    kinds = [Kind.UPSERT, Kind.UPSERT, Kind.UPSERT, Kind.DELETE]
    event = st.builds(
        Event,
        st.tuples(st.integers(0, 2)),
        st.tuples(st.integers(0, 3), st.integers(0, 2)),
        st.sampled_from([*kinds, Kind.TRUNCATE] if truncates else kinds),
        PAYLOADS,
    )
    return st.lists(event, max_size=14, unique_by=lambda one: (one.key, one.sequence))


def rules(scd_type: int, tracked: tuple[str, ...] = COLUMNS, *, nulls: bool = False) -> Rules:
    ignored = ("name", "place") if nulls else ()
    return Rules(
        scd_type=scd_type, keys=("id",), columns=COLUMNS, tracked=tracked, ignore_nulls=ignored
    )


def rows(events: list[Event], by: Rules) -> list[Row]:
    found = fold(events, by)
    assert not isinstance(found, AmbiguousSequence)
    return found


@given(history(truncates=True), st.booleans(), st.randoms(use_true_random=False))
def test_type_1_does_not_depend_on_order_or_repeats(
    events: list[Event], nulls: bool, dice: random.Random
) -> None:
    """Type 1: any order of arrival, with repeats, gives the same rows."""
    again = events + [event for event in events if dice.random() < 0.3]
    dice.shuffle(again)
    assert rows(again, rules(1, nulls=nulls)) == rows(events, rules(1, nulls=nulls))


@given(history(truncates=False), TRACKED, st.randoms(use_true_random=False))
def test_type_2_does_not_depend_on_order_or_repeats(
    events: list[Event], tracked: tuple[str, ...], dice: random.Random
) -> None:
    """Type 2: any order of arrival, with repeats, gives the same rows."""
    again = events + [event for event in events if dice.random() < 0.3]
    dice.shuffle(again)
    assert rows(again, rules(2, tracked)) == rows(events, rules(2, tracked))


@given(history(truncates=False), TRACKED)
def test_type_1_is_the_open_rows_of_type_2(events: list[Event], tracked: tuple[str, ...]) -> None:
    """The rows of type 2 that have no end are those of type 1, whichever columns are tracked."""
    found = rows(events, rules(2, tracked))
    opened = [{name: row[name] for name in ("id", *COLUMNS)} for row in found if row[END] is None]
    assert opened == rows(events, rules(1))


@given(history(truncates=False), TRACKED)
def test_intervals_are_not_empty_and_do_not_overlap(
    events: list[Event], tracked: tuple[str, ...]
) -> None:
    """Every row ends after it starts and before the next one of its key starts, or at its start."""
    found = rows(events, rules(2, tracked))
    assert all(row[END] is None or row[START] < row[END] for row in found)
    for row, later in pairwise(found):
        if later["id"] == row["id"]:
            assert row[END] is not None
            assert row[END] <= later[START]


@given(history(truncates=False), TRACKED, st.tuples(st.integers(0, 3), st.integers(0, 2)))
def test_the_history_at_a_time_is_the_table_at_that_time(
    events: list[Event], tracked: tuple[str, ...], at: tuple[int, int]
) -> None:
    """The rows of type 2 that are valid at a sequence have the tracked values of type 1 then."""
    found = rows(events, rules(2, tracked))
    valid = [row for row in found if row[START] <= at and (row[END] is None or at < row[END])]
    then = rows([event for event in events if event.sequence <= at], rules(1))
    assert [picked(row, tracked) for row in valid] == [picked(row, tracked) for row in then]


@given(history(truncates=False), TRACKED)
def test_neighbours_differ(events: list[Event], tracked: tuple[str, ...]) -> None:
    """Two rows of a key that touch differ in a tracked column."""
    found = rows(events, rules(2, tracked))
    for row, later in pairwise(found):
        if later["id"] == row["id"] and row[END] == later[START]:
            assert picked(row, tracked) != picked(later, tracked)


@given(history(truncates=True))
def test_ignored_nulls_change_nothing_without_nulls(events: list[Event]) -> None:
    """Where no value is null, ignoring nulls makes no difference."""
    full = [
        replace(event, payload={name: event.payload[name] or 0 for name in COLUMNS})
        for event in events
    ]
    assert rows(full, rules(1, nulls=True)) == rows(full, rules(1))


@given(history(truncates=True), PAYLOADS)
def test_a_tie_is_found_in_every_order(events: list[Event], payload: dict[str, Any]) -> None:
    """An event with the sequence of another and a different payload is a tie, first or last."""
    assume(events and events[0].kind is Kind.UPSERT and events[0].payload != payload)
    twin = replace(events[0], payload=payload)
    for order in ([twin, *events], [*events, twin]):
        assert isinstance(fold(order, rules(1)), AmbiguousSequence)


def picked(row: Row, columns: tuple[str, ...]) -> list[Any]:
    return [row["id"], *(row[name] for name in columns)]
