# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The entries of a schema log, and what changed between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deltasource._checkpoint.schema_changes import partition_change, schema_changes
from deltasource._schema_change import SchemaChange


@dataclass(frozen=True, kw_only=True)
class TrackedSchema:
    """One entry of a schema log: the schema that a stream has from a version of the table onward.

    Args:
        log: The folder of the log: `_schema_log_<table id>`, followed by `_<tracking id>` if the
            stream has one.
        number: The number of the entry in its log, from 0.
        table_id: The id of the table.
        version: The version of the table that has this schema.
        schema: The schema in Spark's JSON format: `StructType.fromJson(json.loads(schema))`.
        partition_schema: The schema of the partition columns, in the same format.
        previous: The number of the previous entry; None for the first. If this entry replaces
            the one before it, the number of the entry before that one.

    Example:
        >>> from deltasource import schema_log
        >>> for entry in schema_log("/checkpoints/orders/schemas"):  # doctest: +SKIP
        ...     print(entry.version, entry.schema)
    """

    log: str
    number: int
    table_id: str
    version: int
    schema: str
    partition_schema: str
    previous: int | None

    def changes_since(self, older: TrackedSchema) -> tuple[SchemaChange, ...]:
        """Compare with an older entry.

        Args:
            older: An entry of the same table.

        Returns:
            The differences, with a change of the partition columns last.

        Raises:
            SchemaError: A schema is nested too deeply to compare.

        Example:
            >>> from deltasource import schema_log
            >>> older, newer = schema_log("/checkpoints/orders/schemas")[:2]  # doctest: +SKIP
            >>> newer.changes_since(older)  # doctest: +SKIP
        """
        return (
            *schema_changes(older.schema, self.schema),
            *partition_change(older.partition_schema, self.partition_schema),
        )


def changes_at(entries: Sequence[TrackedSchema], version: int) -> tuple[SchemaChange, ...]:
    """Return what changed at a version, compared with the schema that a stream read before it."""
    by_number = {(entry.log, entry.number): entry for entry in entries}
    latest = {entry.log: entry for entry in entries if entry.version == version}
    return tuple(
        change
        for entry in latest.values()
        if entry.previous is not None and (entry.log, entry.previous) in by_number
        for change in entry.changes_since(by_number[entry.log, entry.previous])
    )


def changes_by_entry(
    entries: Iterable[TrackedSchema],
) -> dict[tuple[str, int], tuple[SchemaChange, ...]]:
    """Compare each entry with the one written before it; return the changes by log and number.

    Leaves out the first entry of each log. An entry that replaces another is compared with the one
    it replaces, so that the log shows what changed from entry to entry.
    """
    found: dict[tuple[str, int], tuple[SchemaChange, ...]] = {}
    last: TrackedSchema | None = None
    for entry in entries:
        if last is not None and last.log == entry.log:
            found[entry.log, entry.number] = entry.changes_since(last)
        last = entry
    return found
