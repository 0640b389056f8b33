# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Properties as SQL, and which arguments can be put into a statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from deltasource._text import sql_literal


def pairs(properties: Mapping[str, str]) -> str:
    """Return the properties of a table."""
    return ", ".join(
        f"{sql_literal(key)} = {sql_literal(value)}" for key, value in properties.items()
    )


def is_sql(value: object) -> bool:
    """Whether this is text that is not empty."""
    return isinstance(value, str) and value.strip() != ""


def are_texts(properties: object) -> bool:
    """Whether these are properties, at least one."""
    if not isinstance(properties, Mapping) or not properties:
        return False
    given = cast(Mapping[object, object], properties)
    return all(is_sql(key) and isinstance(value, str) for key, value in given.items())


def are_rows(rows: object) -> bool:
    """Whether these are rows, at least one: tuples, which include Spark's Row, or dicts."""
    if not isinstance(rows, Sequence) or not rows:
        return False
    return all(isinstance(one, tuple | dict) for one in cast(Sequence[object], rows))
