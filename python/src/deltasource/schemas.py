# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What differs between two schemas in Spark's JSON form.

Fields are paired by the id that column mapping gives them (`delta.columnMapping.id`) where both
sides have one, and by name otherwise. Which changes of a type widen it says Delta's protocol, under
"Type Widening".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from deltasource._checkpoint.schema_types import (
    Array,
    Field,
    Map,
    Struct,
    Type,
    is_widening,
    name_of,
    struct,
)
from deltasource._text import shown
from deltasource.errors import SchemaError

Kind: TypeAlias = Literal[
    "added", "dropped", "renamed", "widened", "type_changed", "nullability_changed", "repartitioned"
]
"""What happened to a field; "repartitioned" is about the table's partition columns as a whole."""


@dataclass(frozen=True)
class SchemaChange:
    """One difference between an older and a newer schema.

    kind    what happened
    path    the field, with dots: "a.b", "list.element.b", "map.key", "map.value"; its name in the
            newer schema, or in the older one if it was dropped; "" for "repartitioned"
    before  how it was: its type, its path ("renamed"), "nullable" or "required"
            ("nullability_changed"), the columns ("repartitioned"); None where it was not
    after   how it is now, likewise; None where it is no more
    """

    kind: Kind
    path: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        """Say it in one line."""
        if self.kind == "added":
            return f"added: {self.path} ({self.after})"
        if self.kind == "dropped":
            return f"dropped: {self.path} ({self.before})"
        if self.kind == "renamed":
            return f"renamed: {self.before} -> {self.after}"
        if self.kind == "repartitioned":
            return f"repartitioned: by {self.before or 'nothing'} -> by {self.after or 'nothing'}"
        return f"{self.kind.replace('_', ' ')}: {self.path}: {self.before} -> {self.after}"


def schema_changes(older: str, newer: str) -> tuple[SchemaChange, ...]:
    """Answer what differs between two schemas, each given as the JSON text of a Spark struct.

    In the order of the older schema, with what was added to a struct after its other fields. The
    order of fields, comments and other metadata make no difference. SchemaError if one is none.
    """
    try:
        return tuple(_between_structs(struct(older), struct(newer), ""))
    except RecursionError as error:
        raise SchemaError(f"{shown(older)} nests too deep to be compared") from error


def partition_change(older: str, newer: str) -> tuple[SchemaChange, ...]:
    """Answer the difference between two partition schemas: one change, or none."""
    before, after = (", ".join(one.name for one in struct(text).fields) for text in (older, newer))
    if before == after:
        return ()
    return (SchemaChange("repartitioned", "", before, after),)


def _between_structs(older: Struct, newer: Struct, above: str) -> Iterator[SchemaChange]:
    by_id: dict[int | None, Field] = {one.id: one for one in newer.fields if one.id is not None}
    by_name = {field.name: field for field in newer.fields}
    paired: set[str] = set()
    for field in older.fields:
        match = by_id.get(field.id) or _namesake(field, by_name)
        if match is None:
            yield SchemaChange("dropped", above + field.name, name_of(field.type), None)
        else:
            paired.add(match.name)
            yield from _between_fields(field, match, above)
    for field in newer.fields:
        if field.name not in paired:
            yield SchemaChange("added", above + field.name, None, name_of(field.type))


def _namesake(field: Field, by_name: Mapping[str, Field]) -> Field | None:
    """Answer the field of the same name, unless their ids say that they are two."""
    match = by_name.get(field.name)
    two = match is not None and match.id is not None and field.id is not None
    return None if two else match


def _between_fields(older: Field, newer: Field, above: str) -> Iterator[SchemaChange]:
    path = above + newer.name
    if older.name != newer.name:
        yield SchemaChange("renamed", path, above + older.name, path)
    yield from _nullability(older.nullable, newer.nullable, path)
    yield from _between_types(older.type, newer.type, path)


def _between_types(older: Type, newer: Type, path: str) -> Iterator[SchemaChange]:
    match older, newer:
        case Struct(), Struct():
            yield from _between_structs(older, newer, f"{path}.")
        case Array(), Array():
            yield from _nullability(older.nullable, newer.nullable, f"{path}.element")
            yield from _between_types(older.element, newer.element, f"{path}.element")
        case Map(), Map():
            yield from _between_types(older.key, newer.key, f"{path}.key")
            yield from _nullability(older.nullable, newer.nullable, f"{path}.value")
            yield from _between_types(older.value, newer.value, f"{path}.value")
        case _ if older != newer:
            widened = isinstance(older, str) and isinstance(newer, str)
            kind: Kind = "type_changed"
            if widened and is_widening(str(older), str(newer)):
                kind = "widened"
            yield SchemaChange(kind, path, name_of(older), name_of(newer))
        case _:
            pass


def _nullability(older: bool, newer: bool, path: str) -> Iterator[SchemaChange]:
    if older != newer:
        yield SchemaChange("nullability_changed", path, _may_be_null(older), _may_be_null(newer))


def _may_be_null(nullable: bool) -> str:
    return "nullable" if nullable else "required"
