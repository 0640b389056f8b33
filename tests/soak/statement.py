# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The SQL of operations."""

from collections.abc import Sequence

from soak.operation import (
    AddColumn,
    Append,
    Delete,
    DropColumn,
    Merge,
    Operation,
    Optimize,
    RenameColumn,
    Update,
    Vacuum,
)
from soak.table import RETENTION, ROWS, SoakTable


def create(table: SoakTable, uri: str) -> str:
    """The statement that creates a table."""
    day, partitions = (", day LONG", " PARTITIONED BY (day)") if table.partitioned else ("", "")
    properties = {**RETENTION, **table.properties}
    listed = ", ".join(f"'{name}' = '{value}'" for name, value in properties.items())
    return (
        f"CREATE TABLE delta.`{uri}` (id LONG, value LONG{day}) USING delta{partitions} "
        f"TBLPROPERTIES ({listed})"
    )


def sql(
    operation: Operation, uri: str, *, partitioned: bool = False, columns: Sequence[str] = ()
) -> str:
    """The statement of an operation on the table at a URI.

    Args:
        operation: What to do.
        uri: The table.
        partitioned: Whether it has the partition column.
        columns: Its columns besides `id`, `value` and the partition column.
    """
    table = f"delta.`{uri}`"
    match operation:
        case Append(first=first, count=count, files=files):
            day = {"day": f"id DIV {ROWS}"} if partitioned else {}
            values = dict.fromkeys(("id", "value", *columns), "id") | day
            return (
                f"INSERT INTO {table} ({', '.join(values)}) SELECT {', '.join(values.values())} "
                f"FROM range({first}, {first + count}, 1, {files})"
            )
        case Delete(low=low, high=high) if partitioned:
            return f"DELETE FROM {table} WHERE day BETWEEN {low // ROWS} AND {high // ROWS}"
        case Delete(low=low, high=high):
            return f"DELETE FROM {table} WHERE id BETWEEN {low} AND {high}"
        case Update(low=low, high=high):
            return f"UPDATE {table} SET value = value + 1 WHERE id BETWEEN {low} AND {high}"
        case Merge(low=low, high=high):
            return (
                f"MERGE INTO {table} t USING (SELECT id FROM range({low}, {high + 1})) s "
                "ON t.id = s.id WHEN MATCHED THEN UPDATE SET value = t.value + 1 "
                "WHEN NOT MATCHED THEN INSERT (id, value) VALUES (s.id, s.id)"
            )
        case Optimize():
            return f"OPTIMIZE {table}"
        case Vacuum():
            return f"VACUUM {table}"
        case AddColumn(name=name):
            return f"ALTER TABLE {table} ADD COLUMN ({name} LONG)"
        case RenameColumn(name=name, to=to):
            return f"ALTER TABLE {table} RENAME COLUMN {name} TO {to}"
        case DropColumn(name=name):
            return f"ALTER TABLE {table} DROP COLUMN {name}"
