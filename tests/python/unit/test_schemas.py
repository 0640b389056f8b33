# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The differences between two schemas."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import SchemaChange, SchemaError, schema_changes


def field(
    name: str, of: Any = "long", *, nullable: bool = True, number: int | None = None
) -> dict[str, Any]:
    """Return a field as Spark writes it, with an id of column mapping if one is given."""
    metadata = {} if number is None else {"delta.columnMapping.id": number, "comment": "c"}
    return {"name": name, "type": of, "nullable": nullable, "metadata": metadata}


def struct(*fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "struct", "fields": list(fields)}


def array(of: Any, *, nullable: bool = True) -> dict[str, Any]:
    return {"type": "array", "elementType": of, "containsNull": nullable}


def mapping(key: Any, value: Any, *, nullable: bool = True) -> dict[str, Any]:
    return {"type": "map", "keyType": key, "valueType": value, "valueContainsNull": nullable}


def diff(older: dict[str, Any], newer: dict[str, Any]) -> list[str]:
    """Return the differences as lines."""
    return [str(change) for change in schema_changes(json.dumps(older), json.dumps(newer))]


def test_a_schema_does_not_differ_from_itself() -> None:
    """The order of fields and their comments are ignored."""
    a, b = field("a", number=1), field("b", array(struct(field("c"))), number=2)
    assert diff(struct(a, b), struct(b, {**a, "metadata": {"delta.columnMapping.id": 1}})) == []


def test_without_ids_fields_are_matched_by_name() -> None:
    """Without ids a renamed field is a dropped one and an added one."""
    assert diff(struct(field("a"), field("b")), struct(field("a"), field("c", "string"))) == [
        "dropped: b (long)",
        "added: c (string)",
    ]


def test_with_ids_renames_are_detected() -> None:
    """The ids of column mapping identify a field across names."""
    older = struct(field("a", number=1), field("b", number=2))
    newer = struct(field("b", number=1), field("a", number=2))
    assert diff(older, newer) == ["renamed: a -> b", "renamed: b -> a"]


def test_the_same_name_under_another_id_is_another_field() -> None:
    """A field that was dropped and added again is not the old one."""
    assert diff(struct(field("a", number=1)), struct(field("a", number=2))) == [
        "dropped: a (long)",
        "added: a (long)",
    ]


def test_a_field_that_gets_an_id_stays_the_same() -> None:
    """Enabling column mapping changes no field."""
    assert diff(struct(field("a")), struct(field("a", number=1))) == []


def test_a_rename_after_column_mapping_was_switched_on_is_a_rename() -> None:
    """A name without an id is the physical name of the same field, as Delta's own check has it."""
    mapped = {"delta.columnMapping.id": 2, "delta.columnMapping.physicalName": "amount"}
    older = struct(field("id"), field("amount"), field("pair", struct(field("a"))))
    inner = {"delta.columnMapping.id": 4, "delta.columnMapping.physicalName": "a"}
    pair = struct({**field("b"), "metadata": inner})
    newer = struct(
        field("id", number=1), {**field("money"), "metadata": mapped}, field("pair", pair, number=3)
    )
    assert diff(older, newer) == ["renamed: amount -> money", "renamed: pair.a -> pair.b"]


def test_a_new_column_with_the_name_of_a_dropped_one_is_new() -> None:
    """Column mapping gives it a physical name of its own."""
    mapped = {"delta.columnMapping.id": 2, "delta.columnMapping.physicalName": "col-7"}
    newer = struct({**field("amount"), "metadata": mapped})
    assert diff(struct(field("amount")), newer) == [
        "dropped: amount (long)",
        "added: amount (long)",
    ]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("byte", "short"),
        ("byte", "double"),
        ("integer", "long"),
        ("integer", "double"),
        ("float", "double"),
        ("date", "timestamp_ntz"),
        ("short", "decimal(10,0)"),
        ("integer", "decimal(12,2)"),
        ("long", "decimal(20,0)"),
        ("decimal(5,2)", "decimal(7,2)"),
        ("decimal(5,2)", "decimal(7,4)"),
    ],
)
def test_widening_is_reported_as_such(older: str, newer: str) -> None:
    """Delta's protocol defines which type changes are widening."""
    assert diff(struct(field("a", older)), struct(field("a", newer))) == [
        f"widened: a: {older} -> {newer}"
    ]


@pytest.mark.parametrize(
    ("older", "newer", "shown"),
    [
        ("long", "integer", "long -> integer"),
        ("long", "double", "long -> double"),
        ("long", "decimal(19,0)", "long -> decimal(19,0)"),
        ("integer", "decimal(11,2)", "integer -> decimal(11,2)"),
        ("decimal(5,2)", "decimal(6,4)", "decimal(5,2) -> decimal(6,4)"),
        ("string", "decimal(20,0)", "string -> decimal(20,0)"),
        ("string", "long", "string -> long"),
        ("string", array("string"), "string -> array<string>"),
        (
            struct(field("x"), field("y", mapping("string", "date"))),
            "string",
            "struct<x:long,y:map<string,date>> -> string",
        ),
    ],
)
def test_any_other_type_change_is_reported_in_full(older: Any, newer: Any, shown: str) -> None:
    """A changed type is shown with its old and new form."""
    changed = diff(struct(field("a", older)), struct(field("a", newer)))
    assert changed == [f"type changed: a: {shown}"]


def test_nullability_changes_are_reported() -> None:
    """They are reported for fields, elements and values."""
    older = struct(
        field("a", nullable=False),
        field("b", array("long", nullable=False)),
        field("c", mapping("long", "long")),
    )
    newer = struct(
        field("a"), field("b", array("long")), field("c", mapping("long", "long", nullable=False))
    )
    assert diff(older, newer) == [
        "nullability changed: a: required -> nullable",
        "nullability changed: b.element: required -> nullable",
        "nullability changed: c.value: nullable -> required",
    ]


def test_nested_fields_have_dotted_paths() -> None:
    """Paths go through structs, arrays and maps, with the new name of a renamed field."""
    inner = struct(field("x", number=5), field("y", "integer", number=6))
    then = struct(field("z", number=5), field("y", "long", number=6))
    older = struct(field("a", array(inner), number=1), field("m", mapping(inner, inner), number=2))
    newer = struct(field("b", array(then), number=1), field("m", mapping(inner, then), number=2))
    assert diff(older, newer) == [
        "renamed: a -> b",
        "renamed: b.element.x -> b.element.z",
        "widened: b.element.y: integer -> long",
        "renamed: m.value.x -> m.value.z",
        "widened: m.value.y: integer -> long",
    ]
    older, newer = mapping("integer", "long"), mapping("long", "long")
    assert diff(struct(field("m", older)), struct(field("m", newer))) == [
        "widened: m.key: integer -> long"
    ]


def test_a_change_is_a_value() -> None:
    """The old and the new form are values, not only text."""
    changes = schema_changes(json.dumps(struct(field("a"))), json.dumps(struct()))
    assert changes == (SchemaChange("dropped", "a", "long", None),)


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "5",
        "[]",
        '"long"',
        '{"type":"struct"}',
        '{"type":"struct","fields":[5]}',
        '{"type":"struct","fields":[{"name":"a","type":"long"}]}',
        json.dumps(struct({**field("a"), "nullable": "yes"})),
        json.dumps(struct({**field("a"), "name": 5})),
        json.dumps(struct({**field("a"), "metadata": {"delta.columnMapping.id": "1"}})),
        json.dumps(struct(field("a", {"type": "set"}))),
        json.dumps(struct(field("a", 5))),
        json.dumps(array("long")),
        '{"type":"array","elementType":' * 100_000,
    ],
)
def test_an_invalid_schema_is_refused(broken: str) -> None:
    """Text that is not a struct schema raises an error of ours."""
    with pytest.raises(SchemaError):
        schema_changes(broken, json.dumps(struct()))


def test_a_user_defined_type_is_compared_by_its_storage_type() -> None:
    """A user-defined type is compared by its sqlType."""
    own = {"type": "udt", "class": "a.B", "sqlType": "long"}
    assert diff(struct(field("a", own)), struct(field("a"))) == []


def structs(types: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    one = st.builds(field, st.sampled_from("abcdef"), types, nullable=st.booleans())
    fields = st.lists(one, max_size=4, unique_by=lambda one: one["name"])
    return fields.map(lambda some: struct(*some))


TYPES = st.recursive(
    st.sampled_from(["long", "string", "decimal(10,2)"]),
    lambda types: (
        structs(types)
        | st.builds(array, types, nullable=st.booleans())
        | st.builds(mapping, types, types, nullable=st.booleans())
    ),
    max_leaves=6,
)
STRUCTS = structs(TYPES)


@given(STRUCTS, STRUCTS)
def test_the_reverse_diff_has_the_same_length(older: dict[str, Any], newer: dict[str, Any]) -> None:
    """Added fields become dropped ones, and all other changes are reversed."""
    there = schema_changes(json.dumps(older), json.dumps(newer))
    back = schema_changes(json.dumps(newer), json.dumps(older))
    assert {(one.path, one.before, one.after) for one in there} == {
        (one.path, one.after, one.before) for one in back
    }
    assert schema_changes(json.dumps(older), json.dumps(older)) == ()
