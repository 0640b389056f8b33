# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The schemas that a stream with schema tracking has recorded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from deltasource.schemas import SchemaChange, partition_change, schema_changes


@dataclass(frozen=True, kw_only=True)
class TrackedSchema:
    """One entry of a schema log: what rows of a stream look like from a version of the table on.

    log               the folder of the log: `_schema_log_<table id>`, with `_<tracking id>` behind
                      it where a stream has one
    number            the place of the entry in its log, from 0
    table_id          the table
    version           the version of the table that has this schema
    schema            the schema, as Spark's JSON text: `StructType.fromJson(json.loads(schema))`
    partition_schema  the schema of the partition columns, likewise
    previous          the number of the entry before it; None for the first. An entry that replaces
                      the one before it points past that one
    """

    log: str
    number: int
    table_id: str
    version: int
    schema: str
    partition_schema: str
    previous: int | None

    def changes_since(self, older: TrackedSchema) -> tuple[SchemaChange, ...]:
        """Answer what differs from an older entry, a change of partition columns last."""
        return (
            *schema_changes(older.schema, self.schema),
            *partition_change(older.partition_schema, self.partition_schema),
        )


def changes(entries: Iterable[TrackedSchema]) -> dict[tuple[str, int], tuple[SchemaChange, ...]]:
    """Answer for each entry, by log and number, what differs from the one written before it.

    The first of each log has nothing before it and is left out. An entry that replaces another is
    held against what it replaces: that is what a reader of the log wants to see.
    """
    found: dict[tuple[str, int], tuple[SchemaChange, ...]] = {}
    last: TrackedSchema | None = None
    for entry in entries:
        if last is not None and last.log == entry.log:
            found[entry.log, entry.number] = entry.changes_since(last)
        last = entry
    return found
