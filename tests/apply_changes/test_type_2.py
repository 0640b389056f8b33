# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Type 2, sentence by sentence."""

from math import nan

from apply_changes.by_hand import BY_NAME, TYPE_2, check, gone, span, up
from apply_changes.fold import Event, Kind, Rules, comparable, fold


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


def test_a_kept_sequence_is_tracked() -> None:
    """A sequence column among the tracked columns makes each event a row of its own."""
    rules = Rules(scd_type=2, keys=("id",), columns=("seq",), tracked=("seq",))
    events = [Event((1,), (at,), Kind.UPSERT, {"seq": at}) for at in (1, 2)]
    found = fold(events, rules)
    assert [one["__START_AT"] for one in found] == [(1,), (2,)]  # type: ignore[union-attr]
