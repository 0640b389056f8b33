# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whatever is handed in: an answer or a named error, and soon."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

import pytest
from hypothesis import example, given

from checkpoint_samples import offset
from deltasource import Offset, ReadOptions, SchemaTracking, WriteOptions, schema_changes
from deltasource._checkpoint.retention import parse_interval
from deltasource._options import keys
from hostile import NESTED, SCHEMA, VALUES, named

HUGE: Final = 10**5000


@given(VALUES | NESTED)
@example(HUGE)
@example([HUGE])
def test_anything_is_an_offset_or_the_error_of_one(value: Any) -> None:
    """As it is, as a text, and in the place of any part of an offset."""
    named(Offset.parse, value)
    named(Offset, value, 0)
    named(Offset, 0, value)
    parts = json.loads(offset(3))
    for part in parts:
        named(Offset.parse, {**parts, part: value})


@given(VALUES.map(json.dumps) | NESTED)
def test_any_text_is_an_offset_or_the_error_of_one(text: str) -> None:
    """Whatever JSON there is, cut or whole, alone or as a part of an offset."""
    named(Offset.parse, text)
    named(Offset.parse, text[:-1])
    named(Offset.parse, offset(3).replace('"index":-1', f'"index":{text}'))


def spark(of: Callable[..., Any], given_it: Mapping[str, Any]) -> Mapping[str, str]:
    options: Mapping[str, str] = of(**given_it).to_spark()
    return options


@given(VALUES | NESTED)
@example(HUGE)
@example({"a": HUGE})
@example({HUGE: "a"})
@example("9" * 5000 + "k")
def test_any_value_is_an_option_or_a_mistake(value: Any) -> None:
    """In every field, and under every name that Spark knows, one at a time and all at once."""
    for of in (ReadOptions, WriteOptions, SchemaTracking):
        for field in fields(of):
            given_here: dict[str, Any] = {"location": "s"} if of is SchemaTracking else {}
            given_here[field.name] = value
            named(spark, of, given_here)
    for name in keys.KNOWN:
        named(ReadOptions.from_dict, {name: value})
    named(ReadOptions.from_dict, dict.fromkeys(keys.KNOWN, value))
    named(ReadOptions.from_dict, value)


@given(VALUES.map(json.dumps) | NESTED)
@example('"decimal(' + "9" * 5000 + ',0)"')
def test_any_type_is_compared_or_refused(text: str) -> None:
    """A field of any type, held against one of another."""
    field = f'{{"name":"a","nullable":true,"metadata":{{}},"type":{text}}}'
    schema = SCHEMA.replace("[]", f"[{field}]")
    plain = schema.replace(text, '"decimal(5,0)"')
    named(schema_changes, schema, plain)
    named(schema_changes, plain, schema)


@pytest.mark.parametrize("name", ["array", "struct"])
def test_depth_without_end_is_no_schema(name: str) -> None:
    """A type that nests deeper than can be followed is refused, equal to the other or not."""
    inner = {
        "array": ('{"type":"array","containsNull":true,"elementType":', "}"),
        "struct": (
            '{"type":"struct","fields":[{"name":"a","nullable":true,"metadata":{},"type":',
            "}]}",
        ),
    }[name]
    for depth in (*range(100, 1000, 20), 5000):
        text = inner[0] * depth + '"long"' + inner[1] * depth
        schema = SCHEMA.replace(
            "[]", f'[{{"name":"a","nullable":true,"metadata":{{}},"type":{text}}}]'
        )
        named(schema_changes, schema, schema)
        named(schema_changes, schema, schema.replace("long", "string"))


def test_an_interval_of_any_length_is_read_at_once() -> None:
    """The work grows as the text does, not as its square."""
    began = time.process_time()
    assert parse_interval("1 day " * 200_000) == 200_000 * 86_400
    assert parse_interval("1 day " * 200_000 + "x") is None
    assert time.process_time() - began < 1
