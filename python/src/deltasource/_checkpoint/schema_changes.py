# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Compares two schemas in Spark's JSON format.

Fields are matched by the id of column mapping (`delta.columnMapping.id`) if both have one. If
column mapping was switched on in between, the name before it is the physical name after it, as in
Delta's own check. Otherwise they are matched by name. Delta's protocol lists the type changes that
widen a type, under "Type Widening".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from deltasource._checkpoint.schema_types import (
    Array,
    Field,
    Map,
    Struct,
    Type,
    is_widening,
    parse_struct,
    type_name,
)
from deltasource._errors import SchemaError
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import Rule, validate
from deltasource._schema_change import SchemaChange, SchemaChangeKind
from deltasource._text import short_repr

TEXT_ALLOWED: Final = "must be the JSON text of a schema, as `df.schema.json()` returns it"


@with_keyword_hints
def schema_changes(older: str, newer: str) -> tuple[SchemaChange, ...]:
    """Compare two schemas, ignoring the order of fields, comments and other metadata.

    Args:
        older: The older schema, as the JSON text of a Spark struct.
        newer: The newer schema, in the same format.

    Returns:
        The differences, in the order of the older schema; fields that were added to a struct come
        after its other fields.

    Raises:
        OptionsError: One of the schemas is not text, such as a `StructType`: pass its `.json()`.
        SchemaError: One of the texts is not the schema of a struct, or is nested too deeply.

    Example:
        >>> from deltasource import schema_changes
        >>> field = '{"name": "id", "type": "%s", "nullable": true, "metadata": {}}'
        >>> schema = '{"type": "struct", "fields": [' + field + "]}"
        >>> [str(change) for change in schema_changes(schema % "integer", schema % "long")]
        ['widened: id: integer -> long']
    """
    validate(_text_rule("older", older), _text_rule("newer", newer))
    structs = _parse("older", older), _parse("newer", newer)
    try:
        return tuple(_between_structs(*structs, ""))
    except RecursionError as error:
        raise SchemaError(f"older: {short_repr(older)} is nested too deeply to compare") from error


def partition_change(older: str, newer: str) -> tuple[SchemaChange, ...]:
    """Return the difference between two partition schemas: one change, or none."""
    before, after = (
        ", ".join(one.name for one in parse_struct(text).fields) for text in (older, newer)
    )
    if before == after:
        return ()
    return (SchemaChange("repartitioned", "", before, after),)


def _text_rule(argument: str, schema: object) -> Rule:
    allowed = TEXT_ALLOWED
    if callable(getattr(schema, "json", None)):
        allowed = f"must be the JSON text of a {type(schema).__name__}: pass `.json()`"
    return argument, schema, isinstance(schema, str), allowed


def _parse(argument: str, text: str) -> Struct:
    try:
        return parse_struct(text)
    except SchemaError as error:
        raise SchemaError(f"{argument}: {error.args[0]}. Pass `df.schema.json()`") from error


def _between_structs(older: Struct, newer: Struct, above: str) -> Iterator[SchemaChange]:
    by_id: dict[int | None, Field] = {one.id: one for one in newer.fields if one.id is not None}
    by_name = {_name_without_ids(field): field for field in newer.fields}
    paired: set[str] = set()
    for field in older.fields:
        match = by_id.get(field.id) or _same_name(field, by_name)
        if match is None:
            yield SchemaChange("dropped", above + field.name, type_name(field.type), None)
        else:
            paired.add(match.name)
            yield from _between_fields(field, match, above)
    for field in newer.fields:
        if field.name not in paired:
            yield SchemaChange("added", above + field.name, None, type_name(field.type))


def _same_name(field: Field, by_name: Mapping[str, Field]) -> Field | None:
    """Return the field that had the same name before it got an id, if only one of them has one."""
    match = by_name.get(field.name)
    other = match is not None and match.id is not None and field.id is not None
    return None if other else match


def _name_without_ids(field: Field) -> str:
    return field.name if field.id is None else field.physical_name


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
            kind: SchemaChangeKind = "type_changed"
            if widened and is_widening(str(older), str(newer)):
                kind = "widened"
            yield SchemaChange(kind, path, type_name(older), type_name(newer))
        case _:
            pass


def _nullability(older: bool, newer: bool, path: str) -> Iterator[SchemaChange]:
    if older != newer:
        yield SchemaChange(
            "nullability_changed", path, _nullability_name(older), _nullability_name(newer)
        )


def _nullability_name(nullable: bool) -> str:
    return "nullable" if nullable else "required"
