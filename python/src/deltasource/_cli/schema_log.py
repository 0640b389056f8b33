# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `schema-log`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Final

from deltasource._checkpoint.schema_log import schema_log
from deltasource._checkpoint.schema_types import parse_struct
from deltasource._checkpoint.tracked_schema import TrackedSchema, changes_by_entry
from deltasource._cli import table
from deltasource._cli.command import CommandResult, Commands, path

_SHOWN: Final = ("log", "number", "version", "previous", "fields", "partitioned_by")
_ENTRY: Final = (*_SHOWN, "table_id", "schema", "partition_schema")
_CHANGE: Final = ("log", "number", "version", "kind", "path", "before", "after", "change")
_CHANGE_SHOWN: Final = ("log", "number", "version", "change")


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser("schema-log", help="list the tracked schemas of a stream")
    parser.add_argument(
        "location",
        type=path,
        help="the stream's schemaTrackingLocation or checkpoint: a folder or a URI",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print what changed from entry to entry"
    )
    table.add_format(parser)
    parser.set_defaults(run=_schemas)


def _schemas(given: argparse.Namespace) -> CommandResult:
    entries = schema_log(given.location)
    found = _changes(entries) if given.diff else [_entry(entry) for entry in entries]
    columns, shown = (_CHANGE, _CHANGE_SHOWN) if given.diff else (_ENTRY, _SHOWN)
    output = table.format_rows(
        found, output_format=given.format, columns=columns, text_columns=shown
    )
    if found:
        return CommandResult(output)
    why = "differs from the one before it" if entries else "has been tracked yet"
    return CommandResult(output, (f"{given.location}: no schema {why}",))


def _entry(entry: TrackedSchema) -> table.Record:
    partitioned = ", ".join(field.name for field in parse_struct(entry.partition_schema).fields)
    return {
        "log": entry.log,
        "number": entry.number,
        "version": entry.version,
        "previous": entry.previous,
        "fields": len(parse_struct(entry.schema).fields),
        "partitioned_by": partitioned or None,
        "table_id": entry.table_id,
        "schema": entry.schema,
        "partition_schema": entry.partition_schema,
    }


def _changes(entries: Sequence[TrackedSchema]) -> list[table.Record]:
    versions = {(entry.log, entry.number): entry.version for entry in entries}
    return [
        {
            "log": log,
            "number": number,
            "version": versions[log, number],
            "kind": change.kind,
            "path": change.path,
            "before": change.before,
            "after": change.after,
            "change": str(change),
        }
        for (log, number), found in changes_by_entry(entries).items()
        for change in found
    ]
