# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The mistakes in calls of functions that apply changes, before a table is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import deltasource
from deltasource import OptionsError
from support.fake_readers import Reader, Session

SPARK: Any = Session(read=Reader(), readStream=Reader())


def options(call: Callable[..., object], *tables: Any, **arguments: Any) -> list[str]:
    with pytest.raises(OptionsError) as error:
        call(*tables, **arguments)
    return [one.option for one in error.value.problems]


def test_the_mistakes_of_snapshots_are_reported_together() -> None:
    """Under the names of the arguments, although the columns of the source are not known."""
    given = {
        "source": "",
        "keys": 5,
        "checkpoint": None,
        "stored_as_scd_type": "x",
        "track_history_column_list": 5,
        "merge_schema": "no",
    }
    found = options(deltasource.apply_snapshots, SPARK, "target", **given)
    assert sorted(found) == sorted(given)
    assert options(deltasource.apply_snapshots, "spark", 5, **given | {"source": "crm"}) == [
        "spark",
        "target",
        *(name for name in found if name != "source"),
    ]


def test_a_target_that_is_no_table_is_refused() -> None:
    """Blank text is neither a path nor a name."""
    given = {"source": "crm", "keys": ["id"], "checkpoint": "./c"}
    assert options(deltasource.apply_snapshots, SPARK, " ", **given) == ["target"]


@pytest.mark.parametrize(
    ("table", "keys", "start", "expected"),
    [
        ("crm", {"id"}, -1, ["keys", "start"]),
        ("", [], "x", ["path_or_table", "keys", "start"]),
        ("", ["id"], 3, ["path_or_table"]),
        (7, [], 3, ["path_or_table", "keys"]),
    ],
)
def test_the_mistakes_of_net_changes_are_reported_together(
    table: object, keys: object, start: object, expected: list[str]
) -> None:
    """Each of them once: both functions that read a feed check its path."""
    assert options(deltasource.net_changes, SPARK, table, keys=keys, start=start) == expected


def test_what_is_no_frame_is_refused_with_the_other_mistakes() -> None:
    """Its columns are not known, so the settings are not compared with them."""
    wrong: Any = {"checkpoint": "", "keys": ["id"], "apply_as_deletes": "a = 1"}
    found = options(deltasource.apply_changes, "customers", "", **wrong)
    assert found == ["changes", "target", "checkpoint"]
