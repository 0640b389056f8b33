# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Parses Spark's JSON schemas into values that can be compared."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from deltasource._errors import SchemaError
from deltasource._text import short_repr

FIELD_ID: Final = "delta.columnMapping.id"
PHYSICAL_NAME: Final = "delta.columnMapping.physicalName"

_DECIMAL: Final = re.compile(r"decimal\((\d{1,9}),\s*(-?\d{1,9})\)")
# The digits before the decimal point that each integer type needs.
_DIGITS: Final[Mapping[str, int]] = {"byte": 10, "short": 10, "integer": 10, "long": 20}
_WIDER: Final[Mapping[str, tuple[str, ...]]] = {
    "byte": ("short", "integer", "long", "double"),
    "short": ("integer", "long", "double"),
    "integer": ("long", "double"),
    "float": ("double",),
    "date": ("timestamp_ntz",),
}


@dataclass(frozen=True)
class Field:
    """A field of a struct; its id comes from column mapping, None without.

    Its physical name is the one in data files: its name when column mapping was switched on.
    """

    name: str
    type: Type
    nullable: bool
    id: int | None
    physical_name: str


@dataclass(frozen=True)
class Struct:
    """The fields of a struct, in order."""

    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Array:
    """An array; `nullable` says whether elements may be null."""

    element: Type
    nullable: bool


@dataclass(frozen=True)
class Map:
    """A map; `nullable` says whether values may be null."""

    key: Type
    value: Type
    nullable: bool


Type: TypeAlias = str | Struct | Array | Map


def parse_struct(text: str) -> Struct:
    """Parse a schema; SchemaError if the text is not one."""
    try:
        found = _type(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SchemaError(
            f"{short_repr(text)} is not a schema in Spark's JSON format: {_why(error)}"
        ) from error
    if not isinstance(found, Struct):
        raise SchemaError(f"the schema must be a struct, got {short_repr(text)}")
    return found


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return "this is not JSON"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _type(given: Any) -> Type:
    if isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"{short_repr(given)} is not a type")
    match given["type"]:
        case "struct":
            return Struct(tuple(_field(field) for field in given["fields"]))
        case "array":
            return Array(_type(given["elementType"]), _flag(given["containsNull"]))
        case "map":
            value = _type(given["valueType"])
            return Map(_type(given["keyType"]), value, _flag(given["valueContainsNull"]))
        case "udt":
            return _type(given["sqlType"])
        case other:
            raise ValueError(f"unknown type {other!r}")


def _field(given: Any) -> Field:
    if not isinstance(given, Mapping):
        raise TypeError(f"{short_repr(given)} is not a field")
    name, metadata = given["name"], given.get("metadata", {})
    number, physical = metadata.get(FIELD_ID), metadata.get(PHYSICAL_NAME, name)
    texts = isinstance(name, str) and isinstance(physical, str)
    if not texts or type(number) not in (int, type(None)):
        raise TypeError(f"{short_repr(given)} is not a field")
    nullable = _flag(given["nullable"])
    return Field(name, _type(given["type"]), nullable, cast("int | None", number), physical)


def _flag(given: object) -> bool:
    if not isinstance(given, bool):
        raise TypeError(f"{short_repr(given)} is not a boolean")
    return given


def type_name(given: Type) -> str:
    """Format a type: "long", "struct<a:long>", "array<string>", "map<string,long>"."""
    match given:
        case Struct(fields):
            return f"struct<{','.join(f'{one.name}:{type_name(one.type)}' for one in fields)}>"
        case Array(element):
            return f"array<{type_name(element)}>"
        case Map(key, value):
            return f"map<{type_name(key)},{type_name(value)}>"
        case name:
            return name


def is_widening(older: str, newer: str) -> bool:
    """Whether this is a type change that Delta's protocol lists under "Type Widening"."""
    if newer in _WIDER.get(older, ()):
        return True
    to = _DECIMAL.fullmatch(newer)
    if to is None:
        return False
    whole, scale = int(to[1]) - int(to[2]), int(to[2])
    if older in _DIGITS:
        return whole >= _DIGITS[older] and scale >= 0
    of = _DECIMAL.fullmatch(older)
    return of is not None and whole >= int(of[1]) - int(of[2]) and scale >= int(of[2])
