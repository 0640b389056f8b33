# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What `schema_changes` says about an argument that is not a schema."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql.types import StructType

from deltasource import OptionsError, SchemaError, schema_changes

EMPTY = '{"type":"struct","fields":[]}'


@pytest.mark.parametrize(
    ("older", "newer", "said"),
    [
        ("x", "y", "older: 'x' is not a schema in Spark's JSON format: this is not JSON. Pass"),
        (EMPTY, "y", "newer: 'y' is not a schema in Spark's JSON format: this is"),
        ('{"type":"struct"}', "", "JSON format: 'fields' is missing. Pass `df.schema.json()`"),
        ("5", "5", "older: '5' is not a schema in Spark's JSON format: 5 is not a type. Pass"),
        ('"long"', "", "older: the schema must be a struct, got '\"long\"'. Pass `df.schema"),
    ],
)
def test_the_error_names_the_argument(older: str, newer: str, said: str) -> None:
    """It says what is wrong in words, and what to pass."""
    with pytest.raises(SchemaError) as error:
        schema_changes(older, newer)
    assert said in str(error.value)


def test_a_schema_that_is_no_text_is_refused() -> None:
    """A `StructType` has the text; for anything else, the error says where to get it."""
    wrong: Any = StructType()
    with pytest.raises(OptionsError) as error:
        schema_changes(wrong, None)  # type: ignore[arg-type]
    assert list(map(str, error.value.problems)) == [
        "older must be the JSON text of a StructType: pass `.json()`, got StructType([])",
        "newer must be the JSON text of a schema, as `df.schema.json()` returns it, got None",
    ]
