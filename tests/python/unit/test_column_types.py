# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which types fit those of a table: what Delta 4.4.0 did with each pair."""

from __future__ import annotations

import pytest

from deltasource._write.column_types import fits

NUMBERS = ("bigint", "int", "double", "decimal(10,2)")
TIMES = ("date", "timestamp")
CONVERTED = {
    **dict.fromkeys(NUMBERS, (*NUMBERS, "string")),
    **dict.fromkeys(TIMES, (*TIMES, "string")),
    # Some of these fail at a value.
    "string": (*NUMBERS, *TIMES, "string", "binary"),
    "boolean": ("boolean", "string"),
    "binary": ("binary", "string"),
    "array<int>": ("array<int>", "array<string>"),
    "struct<a:int>": ("struct<a:int>",),
    "map<string,int>": ("map<string,int>",),
}
"""For each type of a stream, the types of a table that Delta does not refuse."""


@pytest.mark.parametrize("kind", CONVERTED)
def test_what_delta_refuses_does_not_fit(kind: str) -> None:
    """Types that are not known here are left to Delta."""
    stored = [*CONVERTED, "array<string>"]
    assert {one for one in stored if fits(kind, one)} == set(CONVERTED[kind])
    assert fits(kind, "variant")
    assert fits("void", kind)


def test_text_of_a_fixed_length_is_text() -> None:
    """Spark shows it with its length."""
    assert fits("int", "varchar(5)")
    assert not fits("array<int>", "char(5)")
