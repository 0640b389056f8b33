# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A change feed that `apply_changes` gets with a sequence, or without all of its columns."""

from __future__ import annotations

from typing import Any

import pytest

import deltasource
from deltasource import OptionsError
from support.fake_events import FEED, Events

EVENTS = [*FEED, ("seq", "int")]


def problems(columns: list[tuple[str, str]], **arguments: Any) -> list[str]:
    """Return what is wrong with a call."""
    events: Any = Events(columns)
    try:
        deltasource.apply_changes(events, "a/t", checkpoint="c", keys=["id"], **arguments)
    except OptionsError as error:
        return [f"{one.option} {one.reason}" for one in error.problems]
    return []


@pytest.mark.parametrize("left_out", ["none", "_change_type", "_commit_version"])
def test_a_sequence_needs_a_condition_for_deletes(left_out: str) -> None:
    """Without it, deletes and the old rows of updates would be written like new rows."""
    columns = [one for one in EVENTS if one[0] != left_out]
    (problem,) = problems(columns, sequence_by="seq")
    assert problem.startswith("sequence_by must be left out for a change feed: its columns")
    assert problems(columns, sequence_by="seq", apply_as_deletes="op = 'D'") == []


@pytest.mark.parametrize("left_out", ["_change_type", "_commit_version", "_commit_timestamp"])
def test_a_column_that_is_left_out_is_named(left_out: str) -> None:
    """A part of a change feed is none, and the error says why."""
    (problem,) = problems([one for one in FEED if one[0] != left_out])
    assert problem.startswith("sequence_by must name the column that orders the events of a key")
    assert problem.endswith(f"only a part of a change feed: keep its column {left_out}, too")
    (problem,) = problems([("id", "int")])
    assert "part of a change feed" not in problem
