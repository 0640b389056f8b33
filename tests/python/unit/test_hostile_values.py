# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Arbitrary arguments give a result or one of our errors, quickly."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

import pytest
from hypothesis import example, given

from deltasource import Offset, ReadOptions, SchemaTracking, WriteOptions, schema_changes
from deltasource._intervals import parse_interval
from deltasource._options import keys
from support.checkpoint_samples import offset
from support.hostile import NESTED, SCHEMA, VALUES, assert_only_our_errors

HUGE: Final = 10**5000


@given(VALUES | NESTED)
@example(HUGE)
@example([HUGE])
def test_anything_is_an_offset_or_the_error_of_one(value: Any) -> None:
    """A value is parsed as an offset and as any part of one."""
    assert_only_our_errors(Offset.parse, value)
    assert_only_our_errors(Offset, value, 0)
    assert_only_our_errors(Offset, 0, value)
    parts = json.loads(offset(3))
    for part in parts:
        assert_only_our_errors(Offset.parse, {**parts, part: value})


@given(VALUES.map(json.dumps) | NESTED)
def test_any_text_is_an_offset_or_the_error_of_one(text: str) -> None:
    """Any JSON, truncated or not, is parsed as an offset and as a part of one."""
    assert_only_our_errors(Offset.parse, text)
    assert_only_our_errors(Offset.parse, text[:-1])
    assert_only_our_errors(Offset.parse, offset(3).replace('"index":-1', f'"index":{text}'))


def spark(of: Callable[..., Any], given_it: Mapping[str, Any]) -> Mapping[str, str]:
    options: Mapping[str, str] = of(**given_it).to_spark()
    return options


@given(VALUES | NESTED)
@example(HUGE)
@example({"a": HUGE})
@example({HUGE: "a"})
@example("9" * 5000 + "k")
def test_any_value_is_an_option_or_an_error(value: Any) -> None:
    """A value is set for every field and every Spark option, one at a time and all at once."""
    for of in (ReadOptions, WriteOptions, SchemaTracking):
        for field in fields(of):
            given_here: dict[str, Any] = {"location": "s"} if of is SchemaTracking else {}
            given_here[field.name] = value
            assert_only_our_errors(spark, of, given_here)
    for name in keys.KNOWN:
        assert_only_our_errors(ReadOptions.from_dict, {name: value})
    assert_only_our_errors(ReadOptions.from_dict, dict.fromkeys(keys.KNOWN, value))
    assert_only_our_errors(ReadOptions.from_dict, value)


@given(VALUES.map(json.dumps) | NESTED)
@example('"decimal(' + "9" * 5000 + ',0)"')
def test_any_type_is_compared_or_refused(text: str) -> None:
    """A field of any type is compared with one of another type."""
    field = f'{{"name":"a","nullable":true,"metadata":{{}},"type":{text}}}'
    schema = SCHEMA.replace("[]", f"[{field}]")
    plain = schema.replace(text, '"decimal(5,0)"')
    assert_only_our_errors(schema_changes, schema, plain)
    assert_only_our_errors(schema_changes, plain, schema)


@pytest.mark.parametrize("name", ["array", "struct"])
def test_a_deeply_nested_type_is_refused(name: str) -> None:
    """A type nested too deeply is refused, whether equal to the other or not."""
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
        assert_only_our_errors(schema_changes, schema, schema)
        assert_only_our_errors(schema_changes, schema, schema.replace("long", "string"))


def test_a_long_interval_is_read_quickly() -> None:
    """The time is linear in the length of the text, not quadratic."""
    began = time.process_time()
    assert parse_interval("1 day " * 50_000) == 50_000 * 86_400
    assert parse_interval("1 day " * 50_000 + "x") is None
    assert time.process_time() - began < 1
