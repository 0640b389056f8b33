# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which columns of a stream Delta can write, and which types it converts to those of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from deltasource._options.validation import Rule
from deltasource._read.table_metadata import Columns
from deltasource._text import by_word

OTHER_TYPE: Final = (
    "must have columns that fit the table, whose column has the type {}: convert this one with "
    "`cast`, or leave it out with `drop`"
)

NO_TYPE: Final = (
    "must have no column of the type void, which Delta cannot write from a stream: give it a type "
    "with `cast`, or leave it out with `drop`"
)
PLAIN_NAMES: Final = (
    "must have column names without spaces and the characters ,;{}()=, which a new table has only "
    "with column mapping: rename this one with `withColumnRenamed`, or run spark.conf.set("
    '"spark.databricks.delta.properties.defaults.columnMapping.mode", "name") first'
)

_VOID: Final = re.compile(r"\bvoid\b(?!:)")  # With a colon, it is the name of a field.
_SPECIAL: Final = re.compile(r"[ ,;{}()\n\t=]")
_GROUPS: Final[Mapping[str, str]] = by_word(
    {
        "number": "tinyint smallint int bigint float double decimal",
        "text": "string char varchar",
        "time": "date timestamp timestamp_ntz",
        "boolean": "boolean",
        "binary": "binary",
        "array": "array",
        "map": "map",
        "struct": "struct",
    }
)
_CONVERTED: Final = frozenset(
    {
        *(("number", "text"), ("time", "text"), ("boolean", "text"), ("binary", "text")),
        # Whether a value can be converted, Delta sees when it writes the value.
        *(("text", "number"), ("text", "time"), ("text", "binary")),
    }
)


def no_type_rules(argument: str, stream: Columns) -> Iterator[Rule]:
    """Return a rule for each column without a type, such as lit(None)."""
    for name, kind in stream:
        yield argument, f"{name} {kind}", _VOID.search(kind) is None, NO_TYPE


def new_name_rules(argument: str, stream: Columns) -> Iterator[Rule]:
    """Return a rule for each name that a table without column mapping cannot have."""
    for name, _ in stream:
        yield argument, name, _SPECIAL.search(name) is None, PLAIN_NAMES


def rules(argument: str, stream: Columns, table: Columns) -> Iterator[Rule]:
    """Return a rule for each column that both have.

    Columns inside structs, arrays and maps are left to Delta.
    """
    stored = {name.lower(): kind for name, kind in table}
    for name, kind in stream:
        in_table = stored.get(name.lower(), kind)
        yield argument, f"{name} {kind}", fits(kind, in_table), OTHER_TYPE.format(in_table)


def fits(kind: str, stored: str) -> bool:
    """Whether values of a type may be written as another; True if a type is not known."""
    one, other = _group(kind), _group(stored)
    return one is None or other is None or one == other or (one, other) in _CONVERTED


def _group(kind: str) -> str | None:
    """Return the group of a type such as decimal(10,2) or array<int>."""
    return _GROUPS.get(kind.partition("(")[0].partition("<")[0].strip())
