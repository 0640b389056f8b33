# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The argument `bootstrap` of `apply_changes`, with a DataFrame that records calls."""

from __future__ import annotations

from typing import Any

import pytest

import deltasource
from deltasource import OptionsError
from support.fake_events import COLUMNS, Events


def refused(**arguments: Any) -> list[str]:
    events: Any = Events(COLUMNS)
    given: dict[str, Any] = {"keys": ["id"], "sequence_by": "seq", **arguments}
    with pytest.raises(OptionsError) as error:
        deltasource.apply_changes(events, "a/t", checkpoint="c", **given)
    return [f"{one.option} {one.reason}" for one in error.value.problems]


def test_first_rows_have_the_columns_of_the_target() -> None:
    """A column that is missing, one that is not kept, and a stream are refused together."""
    first: Any = Events([("ID", "int"), ("city", "string"), ("op", "string"), ("seq", "bigint")])
    kept = {"column_list": ["id", "name", "city"], "bootstrap": first}
    assert refused(**kept) == [
        "bootstrap must be a batch DataFrame, such as spark.read.table returns",
        "bootstrap must have all columns that the target keeps, and lacks: name",
        "bootstrap must not have columns that the target does not keep: drop them",
    ]


def test_first_rows_are_not_compared_with_settings_that_are_invalid() -> None:
    """Nobody can say which columns the target keeps."""
    first: Any = Events([("other", "int")], isStreaming=False)
    reasons = refused(bootstrap=first, keys=5, column_list=5)
    assert {one.split()[0] for one in reasons} == {"keys", "column_list"}


@pytest.mark.parametrize("given", ["customers", lambda: 1])
def test_first_rows_are_a_frame(given: object) -> None:
    """Not the name of a table."""
    allowed = "must be a batch DataFrame, such as spark.read.table returns"
    assert refused(bootstrap=given) == [f"bootstrap {allowed}"]
