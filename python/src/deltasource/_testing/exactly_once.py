# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Asserts that a stream has written each row exactly once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from deltasource._options.column_names import NAMES_ALLOWED, ColumnNames, are_names, as_names
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._testing.row_difference import row_difference

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

SHOWN: Final = 10
"""How many keys or rows a message lists."""

FRAME_ALLOWED: Final = "must be a batch DataFrame, such as spark.read.format('delta').load(path)"
NEEDED: Final = "must be given if there are no expected rows"
COUNT: Final = "deltasource_count"


@with_keyword_hints
def assert_exactly_once(
    actual: DataFrame, expected: DataFrame | None = None, *, keys: str | Sequence[str] = ()
) -> None:
    """Assert that no row was written twice, and that none is missing.

    With `keys`, no two rows have the same keys. With `expected`, both have the same columns and
    the same rows, in any order; floating-point numbers may differ by 0.001 percent. With `keys` and
    `expected`, keys that are duplicated, missing or unexpected are reported first. The rows of both
    frames are collected on the driver.

    Args:
        actual: What the stream has written, as a batch DataFrame.
        expected: What it should have written.
        keys: The columns that identify a row.

    Raises:
        OptionsError: `actual` or `expected` is not a batch DataFrame, there are neither keys nor
            expected rows, or a key is not a column.
        AssertionError: A row is duplicated, missing, unexpected or different.

    Example:
        >>> from deltasource.testing import assert_exactly_once
        >>> copy = spark.read.format("delta").load("/tables/copy")  # doctest: +SKIP
        >>> assert_exactly_once(copy, keys="id")  # doctest: +SKIP
    """
    __tracebackhide__ = True  # pytest shows the caller instead.
    names = as_names(keys or ())
    validate(
        ("actual", actual, _is_batch(actual), FRAME_ALLOWED),
        ("expected", expected, expected is None or _is_batch(expected), FRAME_ALLOWED),
        ("keys", keys, not names or are_names(names), NAMES_ALLOWED),
        ("keys", keys, bool(keys) or expected is not None, NEEDED),
    )
    frames = [actual] if expected is None else [actual, expected]
    if names:
        columns = [ColumnNames(frame.dtypes) for frame in frames]
        validate(*(rule for one in columns for rule in one.rules("keys", names)))
        problems = _problems(actual.select(*names), expected and expected.select(*names))
        assert not problems, "; ".join(problems)
    if expected is not None:
        from pyspark.testing import assertSchemaEqual

        assertSchemaEqual(actual.schema, expected.schema)
        missing, unexpected = row_difference(actual.collect(), expected.collect())
        found = {"missing": missing, "not expected": unexpected}
        problems = [f"{what}: {_listed(rows)}" for what, rows in found.items() if rows]
        assert not problems, "; ".join(problems)


def _is_batch(value: object) -> bool:
    return getattr(value, "isStreaming", None) is False


def _problems(actual: DataFrame, expected: DataFrame | None) -> list[str]:
    counted = actual.groupBy(*actual.columns).count().toDF(*actual.columns, COUNT)
    found = {"written more than once": counted.where(f"{COUNT} > 1")}
    if expected is not None:
        found["missing"] = expected.exceptAll(actual)
        found["not expected"] = actual.distinct().exceptAll(expected.distinct())
    return [f"{what}: {shown}" for what, frame in found.items() if (shown := _shown(frame))]


def _listed(rows: Sequence[Row]) -> str:
    return " | ".join([*map(str, rows[:SHOWN]), *(["..."] if len(rows) > SHOWN else [])])


def _shown(frame: DataFrame) -> str:
    rows = frame.sort(*frame.columns).take(SHOWN + 1)
    texts = [", ".join(f"{name}={row[name]!r}" for name in frame.columns) for row in rows[:SHOWN]]
    return " | ".join([*texts, *(["..."] if len(rows) > SHOWN else [])]).replace(COUNT, "rows")
