# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The fold, sentence by sentence, with rows written by hand."""

from itertools import permutations
from math import nan
from typing import Any

import pytest

from apply_changes.fold import (
    AmbiguousSequence,
    Event,
    Kind,
    Row,
    Rules,
    Tie,
    comparable,
    fold,
)

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


def test_type_1_has_the_row_of_the_last_event() -> None:
    """Type 1: the row of the last event, with all its columns."""
    check(TYPE_1, up(5, "Alice", 1), up(7, "Bob"), up(6, "Carol", 3), rows=[row("Bob")])


def test_type_1_has_no_row_after_a_delete() -> None:
    """Type 1: no row if the last event is a delete, and a row if an upsert is newer."""
    check(TYPE_1, up(5, "Alice"), gone(6), rows=[])
    check(TYPE_1, up(5, "Alice"), gone(6), up(7, "Bob"), rows=[row("Bob")])
    check(TYPE_1, up(5, "Alice"), gone(6), gone(8), rows=[])
    check(TYPE_1, gone(6), rows=[])


def test_keys_do_not_meet() -> None:
    """Each key has its own events; rows are sorted by key."""
    check(
        TYPE_1,
        up(5, "Alice", key=2),
        gone(6, key=1),
        up(5, "Bob", key=1),
        up(5, "Carol", key=3),
        rows=[row("Alice", key=2), row("Carol", key=3)],
    )


def test_a_run_is_one_row() -> None:
    """Neighbouring upserts with equal tracked columns are one row from the first of them on."""
    check(TYPE_2, up(5, "Alice"), up(10, "Alice"), rows=[span(5, None, "Alice")])


def test_a_late_event_cuts_a_run() -> None:
    """Alice at 5, 10 and 15, then Bob at 12, give three rows."""
    check(
        TYPE_2,
        *(up(at, "Alice") for at in (5, 10, 15)),
        up(12, "Bob"),
        rows=[span(5, 12, "Alice"), span(12, 15, "Bob"), span(15, None, "Alice")],
    )


def test_a_late_event_that_is_equal_moves_the_start() -> None:
    """An older event of the same run becomes its start."""
    check(
        TYPE_2,
        up(5, "Bob"),
        up(3, "Bob"),
        up(1, "Al"),
        rows=[span(1, 3, "Al"), span(3, None, "Bob")],
    )


def test_a_run_has_the_values_of_its_last_event() -> None:
    """Columns that are not tracked have the values of the last event of the run, null included."""
    check(
        BY_NAME,
        up(5, "Alice", 1),
        up(10, "Alice", 2),
        up(15, "Alice"),
        up(20, "Bob", 4),
        rows=[span(5, 20, "Alice"), span(20, None, "Bob", 4)],
    )


def test_each_part_of_a_cut_run_has_the_values_of_its_own_last_event() -> None:
    """A run that a late event cuts shows values that were hidden before."""
    check(
        BY_NAME,
        up(5, "Alice", 1),
        up(10, "Alice", 2),
        up(15, "Alice", 3),
        up(12, "Bob"),
        rows=[span(5, 12, "Alice", 2), span(12, 15, "Bob"), span(15, None, "Alice", 3)],
    )


def test_null_equals_null_and_nan_equals_nan() -> None:
    """Nulls, and NaNs, in tracked columns do not begin a new row."""
    check(TYPE_2, up(5, None), up(6, None), rows=[span(5, None)])
    found = fold([up(5, nan), up(6, float("nan"))], TYPE_2)
    assert comparable(found) == comparable([span(5, None, nan)])
    check(TYPE_2, up(5, "Alice"), up(6), rows=[span(5, 6, "Alice"), span(6, None)])


def test_a_delete_closes_a_row_and_adds_nothing() -> None:
    """A delete ends the open row. Equal upserts on either side of it are two rows."""
    check(TYPE_2, up(5, "Alice"), gone(8), rows=[span(5, 8, "Alice")])
    check(
        TYPE_2,
        up(5, "Alice"),
        gone(8),
        up(9, "Alice"),
        rows=[span(5, 8, "Alice"), span(9, None, "Alice")],
    )


def test_a_delete_without_an_open_row_adds_nothing() -> None:
    """Only the first of several deletes ends a row, and a delete of an unknown key does nothing."""
    check(TYPE_2, gone(3), rows=[])
    check(TYPE_2, gone(3), up(5, "Alice"), gone(6), gone(8), rows=[span(5, 6, "Alice")])


def test_a_delete_without_an_open_row_still_ends_a_late_one() -> None:
    """A delete that did nothing when it came ends the row of an upsert that comes late."""
    check(
        TYPE_2,
        up(1, "Alice"),
        gone(3),
        gone(8),
        up(5, "Bob"),
        rows=[span(1, 3, "Alice"), span(5, 8, "Bob")],
    )


def test_a_delete_inside_a_run_cuts_it() -> None:
    """A late delete inside a run ends one row, and the next upsert begins another."""
    check(
        TYPE_2,
        *(up(at, "Alice") for at in (5, 10)),
        gone(7),
        rows=[span(5, 7, "Alice"), span(10, None, "Alice")],
    )


def test_identical_duplicates_count_once() -> None:
    """Columns that are not kept do not make events different, nor do the values of a delete."""
    extra = Event((1,), (5,), Kind.UPSERT, {"name": "Alice", "op": "U"})
    dead = Event((1,), (6,), Kind.DELETE, {"name": "Alice"})
    check(TYPE_1, up(5, "Alice"), extra, rows=[row("Alice")])
    check(TYPE_2, up(5, "Alice"), extra, dead, gone(6), rows=[span(5, 6, "Alice")])


def test_ties_are_reported() -> None:
    """One key and one sequence with different payloads, or an upsert and a delete, give no rows."""
    (tie,) = ties(TYPE_1, up(5, "Alice"), up(5, "Bob"), up(5, "Carol", key=2))
    assert (tie.key, tie.sequence, set(map(repr, tie.events)), tie.decides) == (
        (1,),
        (5,),
        {repr(up(5, "Alice")), repr(up(5, "Bob"))},
        True,
    )
    assert ties(TYPE_1, up(5, "Alice"), gone(5))[0].decides
    assert ties(TYPE_2, up(5, "Alice"), gone(5))[0].decides
    keys_only = Rules(scd_type=1, keys=("id",), columns=(), tracked=())
    assert ties(keys_only, up(5), gone(5))[0].decides


def test_a_tie_decides_only_if_rows_depend_on_it() -> None:
    """A tie that newer events make irrelevant is reported as such."""
    assert not ties(TYPE_1, up(5, "Alice"), up(5, "Bob"), up(6, "Carol"))[0].decides
    assert not ties(TYPE_1, up(5, "Alice"), up(5, "Bob"), truncate(5))[0].decides
    assert ties(TYPE_2, up(5, "Alice"), up(5, "Bob"), up(6, "Carol"))[0].decides
    assert ties(NO_NULLS, up(5, "x"), up(5))[0].decides
    assert not ties(NO_NULLS, up(5, "x"), up(5), up(6, None, 1))[0].decides
    assert not ties(NO_NULLS, up(3, "x"), up(5, "x"), up(5))[0].decides
    assert not ties(BY_NAME, up(5, "Alice", 1), up(5, "Alice", 2), up(6, "Alice"))[0].decides


def test_a_null_does_not_replace_a_value() -> None:
    """With nulls ignored, each column has its newest value that is not null, in every order."""
    check(NO_NULLS, up(5, "x"), up(10, None, 1), rows=[row("x", 1)])
    check(NO_NULLS, up(5, "x"), up(7, "y", 2), up(10), rows=[row("y", 2)])
    check(NO_NULLS, up(5, "x", 1), up(7, "", 0), rows=[row("", 0)])


def test_no_value_comes_from_before_a_delete() -> None:
    """A value older than the last delete stays away, even if it arrives last."""
    check(NO_NULLS, up(5, "x"), gone(7), up(9, None, 1), rows=[row(None, 1)])
    check(NO_NULLS, gone(3), up(5, "x"), gone(7), up(9), rows=[row()])
    check(NO_NULLS, up(5, "x"), truncate(7), up(9, None, 1), rows=[row(None, 1)])


def test_nulls_may_be_ignored_in_some_columns() -> None:
    """In the other columns the newest upsert decides, null or not."""
    rules = Rules(
        scd_type=1, keys=("id",), columns=COLUMNS, tracked=COLUMNS, ignore_nulls=("name",)
    )
    check(rules, up(5, "x", 1), up(10), rows=[row("x")])


def test_nulls_are_ignored_inside_structs() -> None:
    """Each field of a struct has its newest value; a null struct changes nothing."""
    check(
        NO_NULLS,
        up(5, {"a": 1, "b": None}),
        up(6, {"a": None, "b": {"c": 2}}),
        up(7, {"a": None, "b": {"c": None}}),
        up(8),
        rows=[row({"a": 1, "b": {"c": 2}})],
    )
    check(NO_NULLS, up(5, {"a": None}), rows=[row({"a": None})])
    check(NO_NULLS, up(5, [1, None]), up(6, [None]), rows=[row([None])])


def test_a_truncate_removes_everything_up_to_it() -> None:
    """Events at or before the greatest truncating sequence are gone, late ones too."""
    check(TYPE_1, up(5, "Alice"), truncate(5), rows=[])
    check(
        TYPE_1,
        up(5, "Alice"),
        up(6, "Bob", key=2),
        up(7, "Carol", key=3),
        truncate(3),
        truncate(6),
        rows=[row("Carol", key=3)],
    )


def test_several_sequence_columns_compare_one_by_one() -> None:
    """The second column of a sequence decides only if the first ones are equal."""
    first = Event((1,), (1, 9), Kind.UPSERT, {"name": "Alice"})
    second = Event((1,), (2, 0), Kind.UPSERT, {"name": "Bob"})
    third = Event((1,), (2, 10), Kind.UPSERT, {"name": "Carol"})
    check(TYPE_1, first, second, rows=[row("Bob")])
    check(TYPE_1, second, third, rows=[row("Carol")])
    assert fold([second, first], TYPE_2)[0]["__END_AT"] == (2, 0)  # type: ignore[index]


def test_a_kept_sequence_is_tracked() -> None:
    """A sequence column among the tracked columns makes each event a row of its own."""
    rules = Rules(scd_type=2, keys=("id",), columns=("seq",), tracked=("seq",))
    events = [Event((1,), (at,), Kind.UPSERT, {"seq": at}) for at in (1, 2)]
    found = fold(events, rules)
    assert [one["__START_AT"] for one in found] == [(1,), (2,)]  # type: ignore[union-attr]


@pytest.mark.parametrize("sequence", [(), (None,), (nan,), (1, None)])
def test_a_null_sequence_is_refused(sequence: tuple[Any, ...]) -> None:
    """Nulls and NaNs do not order anything."""
    with pytest.raises(ValueError, match="sequence"):
        Event((1,), sequence)


def test_what_has_no_meaning_is_refused() -> None:
    """Null keys, truncates and ignored nulls of type 2, and other types are refused."""
    with pytest.raises(ValueError, match="key"):
        Event((1, None), (1,))
    with pytest.raises(ValueError, match="truncates"):
        fold([truncate(1)], TYPE_2)
    with pytest.raises(ValueError, match="nulls"):
        Rules(scd_type=2, keys=("id",), columns=(), tracked=(), ignore_nulls=("name",))
    with pytest.raises(ValueError, match="scd_type"):
        Rules(scd_type=3, keys=("id",), columns=(), tracked=())
