# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Sequences: what is equal, what is a tie, and what orders nothing."""

from math import nan
from typing import Any

import pytest

from apply_changes.by_hand import (
    BY_NAME,
    NO_NULLS,
    TYPE_1,
    TYPE_2,
    check,
    gone,
    row,
    span,
    ties,
    truncate,
    up,
)
from apply_changes.fold import Event, Kind, Rules, fold


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


def test_several_sequence_columns_compare_one_by_one() -> None:
    """The second column of a sequence decides only if the first ones are equal."""
    first = Event((1,), (1, 9), Kind.UPSERT, {"name": "Alice"})
    second = Event((1,), (2, 0), Kind.UPSERT, {"name": "Bob"})
    third = Event((1,), (2, 10), Kind.UPSERT, {"name": "Carol"})
    check(TYPE_1, first, second, rows=[row("Bob")])
    check(TYPE_1, second, third, rows=[row("Carol")])
    assert fold([second, first], TYPE_2)[0]["__END_AT"] == (2, 0)  # type: ignore[index]


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
