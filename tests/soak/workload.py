# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Draws what the writer does next to a table."""

import random

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
from soak.table import ROWS, SoakTable
from soak.table_state import TableState

MOST_COLUMNS = 5
"""A table with this many extra columns drops one before it adds another, if it ever drops any."""


def draw_operation(
    draw: random.Random, table: SoakTable, state: TableState, number: int
) -> Operation:
    """Draw an operation; a column that it adds is named after this number."""
    (kind,) = draw.choices(list(table.operations), list(table.operations.values()))
    if kind in (Delete, Update) and not state.rows:
        kind = Append
    if kind in (RenameColumn, DropColumn) and not state.extra_columns:
        kind = AddColumn
    full = DropColumn in table.operations and len(state.extra_columns) >= MOST_COLUMNS
    if kind is AddColumn and full:
        kind = DropColumn
    if kind is Append:
        return append(draw, table, state)
    if kind is Delete and table.partitioned:
        day = min(state.rows) // ROWS
        return Delete(low=day * ROWS, high=(day + 1) * ROWS - 1)
    if kind is Delete:
        low = draw.choice(list(state.rows))
        return Delete(low=low, high=low + draw.randint(0, ROWS))
    if kind is Update:
        low = draw.choice(list(state.rows))
        return Update(low=low, high=low + 4)
    if kind is Merge:
        return Merge(low=state.next_id - 3, high=state.next_id + 2)
    if kind is AddColumn:
        return AddColumn(name=f"c{number}")
    if kind is RenameColumn:
        return RenameColumn(name=draw.choice(state.extra_columns), to=f"c{number}")
    if kind is DropColumn:
        return DropColumn(name=draw.choice(state.extra_columns))
    return Optimize() if kind is Optimize else Vacuum()


def append(draw: random.Random, table: SoakTable, state: TableState) -> Append:
    """An append of the next ids."""
    # The files of a table with deletion vectors are known: one for each append.
    files = 1 if table.properties.get("delta.enableDeletionVectors") else draw.randint(1, 3)
    return Append(first=state.next_id, count=ROWS, files=files)
