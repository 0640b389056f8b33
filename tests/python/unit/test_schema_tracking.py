# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Schema tracking as a value, without Spark."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deltasource import OptionsError, SchemaTracking


def tracking(**given: Any) -> SchemaTracking:
    """Make a SchemaTracking from values that a type checker would refuse."""
    values: dict[str, Any] = {"location": "s", **given}
    return SchemaTracking(**values)


@pytest.mark.parametrize(
    ("more", "spark"),
    [
        ({}, {}),
        ({"source_id": "a"}, {"streamingSourceTrackingId": "a"}),
        ({"allow_rename": "always"}, {"allowSourceColumnRename": "always"}),
        ({"allow_rename": 0}, {"allowSourceColumnRename": "0"}),
        ({"allow_drop": 7}, {"allowSourceColumnDrop": "7"}),
        ({"allow_type_change": 2**63 - 1}, {"allowSourceColumnTypeChange": str(2**63 - 1)}),
    ],
)
def test_each_part_has_its_option(more: dict[str, Any], spark: Mapping[str, str]) -> None:
    """The location is always set, the others only if given."""
    written = SchemaTracking(location="c/s", **more).to_spark()
    assert written == {"schemaTrackingLocation": "c/s", **spark}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("location", ""),
        ("location", " "),
        ("location", None),
        ("location", 5),
        ("source_id", ""),
        ("source_id", 5),
        ("source_id", "a/b"),
        *(
            (name, value)
            for name in ("allow_rename", "allow_drop", "allow_type_change")
            for value in ("never", "ALWAYS", "7", "", -1, 2**63, True, 1.0)
        ),
    ],
)
def test_invalid_values_are_refused(name: str, value: Any) -> None:
    """A location and an id are strings; changes are acknowledged always or for one version."""
    with pytest.raises(OptionsError) as error:
        tracking(**{name: value})
    assert [problem.option for problem in error.value.problems] == [name]


def test_a_location_may_be_a_path_object() -> None:
    """Every path argument takes an `os.PathLike`."""
    written = SchemaTracking(location=Path("c") / "s").to_spark()
    assert written == {"schemaTrackingLocation": "c/s"}


def test_all_mistakes_are_reported_at_once() -> None:
    """One error lists every mistake."""
    wrong: dict[str, Any] = {"location": "", "source_id": "", "allow_drop": "a", "allow_rename": -1}
    with pytest.raises(OptionsError) as error:
        SchemaTracking(**wrong)
    assert {problem.option for problem in error.value.problems} == set(wrong)


def test_it_is_a_value() -> None:
    """It is immutable, compares by value, and can be pickled."""
    one = SchemaTracking(location="s", allow_drop=7)
    assert len({one, SchemaTracking(location="s", allow_drop=7)}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.location = "t"  # type: ignore[misc] # the point of the test
