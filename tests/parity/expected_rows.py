# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Which rows a history adds, and which are left at its end, according to its statements."""

from parity.history import (
    MOVED,
    Checkpoint,
    Delete,
    History,
    Merge,
    Overwrite,
    Restore,
    Statement,
    Update,
)


def added(history: History) -> tuple[int, ...]:
    """The numbers of all rows that a history adds, each once."""
    return tuple(range(sum(op.rows for op in history if isinstance(op, Statement))))


def left(history: History) -> tuple[int, ...]:
    """The numbers of the rows in the table at the end."""
    states: list[tuple[int, ...]] = []
    rows: tuple[int, ...] = ()
    first = 0
    for op in history:
        if isinstance(op, Statement):
            rows = after(op, rows, states) + tuple(range(first, first + op.rows))
            first += op.rows
        if not isinstance(op, Checkpoint):
            states.append(rows)
    return tuple(sorted(rows))


def after(op: Statement, rows: tuple[int, ...], states: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The rows that a statement keeps, before it adds its own; `states` are those so far."""
    match op:
        case Overwrite():
            return ()
        case Restore(version):
            return states[version]
        case Delete(ids):
            return tuple(row for row in rows if row not in ids)
        case Update(ids):
            return tuple(row + MOVED if row in ids else row for row in rows)
        case Merge(moved, gone):
            kept = (row for row in rows if row not in gone)
            return tuple(row + MOVED if row in moved else row for row in kept)
        case _:
            return rows
