# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Comparing the rows that a stream has written with those that it should have written."""

from __future__ import annotations

import math
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row

from deltasource._testing.row_difference import equal_values, row_difference

ROWS = st.lists(st.builds(Row, id=st.integers(0, 3), name=st.sampled_from(["a", None])))


@given(ROWS, st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[Row], random: Any) -> None:
    """Rows differ from themselves in no order; each row counts as often as it is there."""
    shuffled = random.sample(rows, len(rows))
    assert row_difference(rows, shuffled) == ([], [])
    assert row_difference([*shuffled, Row(id=9, name="b")], rows) == ([], [Row(id=9, name="b")])
    for row in rows[:1]:
        assert row_difference(shuffled, [row, *rows]) == ([row], [])


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (0.1 + 0.2, 0.3, True),
        (1.0, 1.001, False),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (math.inf, math.inf, True),
        (Decimal("1.00"), Decimal("1.0"), True),
        (Decimal("1.00"), Decimal("1.01"), False),
        (1, 1.0, True),
        ([1.0, None], [1.0, None], True),
        ([1.0], [1.0, 2.0], False),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, True),
        ({"a": 1}, {"b": 1}, False),
        (Row(a=Row(b=0.1 + 0.2)), Row(a=Row(b=0.3)), True),
        ("a", None, False),
    ],
)
def test_values_are_compared_with_a_tolerance(one: Any, other: Any, equal: bool) -> None:
    """Sums of batches differ from sums of all rows in the last digits."""
    assert equal_values(one, other) is equal


def test_pandas_is_not_imported() -> None:
    """PySpark's own comparison imports pandas on Spark, which fails with pandas 3."""
    code = """
import sys
sys.modules["pyspark.pandas"] = None
from types import SimpleNamespace as Fake
from pyspark.sql import Row
from pyspark.sql.types import StructType
from deltasource.testing import assert_exactly_once
def frame(*rows):
    schema = StructType().add("id", "long")
    shape = {"columns": ["id"], "dtypes": [("id", "bigint")], "isStreaming": False}
    return Fake(**shape, schema=schema, collect=lambda: list(rows))
assert_exactly_once(frame(Row(id=1), Row(id=2)), frame(Row(id=2), Row(id=1)))
try:
    assert_exactly_once(frame(Row(id=1), Row(id=2)), frame(Row(id=3), Row(id=1)))
except AssertionError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "missing: Row(id=3); not expected: Row(id=2)\n", done.stderr
