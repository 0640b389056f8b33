# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Compares rows in any order.

`pyspark.testing.assertDataFrameEqual` does, too, but imports pandas on Spark if pandas is there,
which fails with pandas 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

RELATIVE: Final = 1e-5
ABSOLUTE: Final = 1e-8
"""How much two floating-point numbers may differ, as with assertDataFrameEqual."""


def row_difference(
    actual: Sequence[Any], expected: Sequence[Any]
) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return the rows that are missing and those that are not expected, each sorted by its text."""
    found, wanted = sorted(actual, key=str), sorted(expected, key=str)
    missing: list[Any] = []
    unexpected: list[Any] = []
    i = j = 0
    while i < len(found) and j < len(wanted):
        if equal_values(found[i], wanted[j]):
            i, j = i + 1, j + 1
        elif str(found[i]) < str(wanted[j]):
            unexpected.append(found[i])
            i += 1
        else:
            missing.append(wanted[j])
            j += 1
    return [*missing, *wanted[j:]], [*unexpected, *found[i:]]


def equal_values(one: Any, other: Any) -> bool:
    """Whether two values of a row are equal, floating-point numbers nearly so; NaN equals NaN."""
    match one, other:
        case ((tuple() | list()), (tuple() | list())):
            pairs = zip(one, other, strict=False)
            return len(one) == len(other) and all(equal_values(*pair) for pair in pairs)
        case dict(), dict():
            return one.keys() == other.keys() and all(equal_values(one[k], other[k]) for k in one)
        case ((float() | Decimal()), (float() | Decimal())) if type(one) is type(other):
            if math.isnan(one) or math.isnan(other):
                return math.isnan(one) and math.isnan(other)
            return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
        case _:
            return bool(one == other)
