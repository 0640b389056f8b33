# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The protocol and metadata actions of a table."""

import itertools
import json
from collections.abc import Mapping
from typing import Any

from parity.planning.table import Column, Columns, Feature, Table

ID = "11111111-2222-4333-8444-555555555555"
EPOCH = 1704067200
"""2024-01-01; the commit of version n has the timestamp of n o'clock."""
WRITERS = ("appendOnly", "changeDataFeed", "invariants")


def protocol(table: Table, more: tuple[Feature, ...]) -> dict[str, Any]:
    asked = {"deletionVectors": table.vectors, "columnMapping": table.mapped}
    read = [name for name, wanted in {**asked, "typeWidening": table.widening}.items() if wanted]
    read += [feature.name for feature in more if feature.reader and feature.name not in read]
    write = [*read, *WRITERS, *(feature.name for feature in more if not feature.reader)]
    protocol_fields: dict[str, Any] = {
        "minReaderVersion": 1,
        "minWriterVersion": 7,
        "writerFeatures": write,
    }
    if read:
        protocol_fields |= {"minReaderVersion": 3, "readerFeatures": read}
    return {"protocol": protocol_fields}


def metadata(
    table: Table, columns: tuple[Column, ...], properties: Mapping[str, str]
) -> dict[str, Any]:
    switched = {
        "delta.enableChangeDataFeed": table.feed,
        "delta.enableDeletionVectors": table.vectors,
        "delta.enableTypeWidening": table.widening,
    }
    mapping = {
        "delta.columnMapping.mode": "name",
        "delta.columnMapping.maxColumnId": str(greatest(every(table))),
    }
    configuration = {
        **properties,
        **{name: "true" for name, wanted in switched.items() if wanted},
        **(mapping if table.mapped else {}),
    }
    return {
        "metaData": {
            "id": ID,
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps(struct(columns, mapped=table.mapped)),
            "partitionColumns": [],
            "configuration": configuration,
            "createdTime": EPOCH * 1000,
        }
    }


def struct(columns: tuple[Column, ...], *, mapped: bool) -> dict[str, Any]:
    return {"type": "struct", "fields": [field(column, mapped=mapped) for column in columns]}


def field(column: Column, *, mapped: bool) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if mapped:
        extra["delta.columnMapping.id"] = column.number
        extra["delta.columnMapping.physicalName"] = f"col-{column.number}"
    if column.was:
        pairs = itertools.pairwise((*column.was, column.type))
        extra["delta.typeChanges"] = [{"toType": new, "fromType": old} for old, new in pairs]
    kind = struct(column.fields, mapped=mapped) if column.fields else column.type
    return {
        "name": column.name,
        "type": kind,
        "nullable": not column.required,
        "metadata": extra,
    }


def every(table: Table) -> tuple[Column, ...]:
    """All columns a table ever has: an id is never reused."""
    actions = [action for commit in table.commits for action in commit.actions]
    later = (action.columns for action in actions if isinstance(action, Columns))
    return tuple(column for columns in (table.columns, *later) for column in columns)


def greatest(columns: tuple[Column, ...]) -> int:
    return max(max(column.number, greatest(column.fields)) for column in columns) if columns else 0
