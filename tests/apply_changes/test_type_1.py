# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Type 1, sentence by sentence."""

from dataclasses import replace

from apply_changes.by_hand import NO_NULLS, TYPE_1, check, gone, row, truncate, up


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
    rules = replace(NO_NULLS, ignore_nulls=("name",))
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
