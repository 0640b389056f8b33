# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the history of a table: its columns and rows, and the statements that make them."""

import random
from dataclasses import dataclass, field, replace

from parity.generators.columns import START, Column, declared, values
from parity.history import Alter, Checkpoint, Create, Delete, Insert, Op, Optimize, Update
from parity.log_edits import CleanUp


@dataclass
class Table:
    """A table and its history so far."""

    dice: random.Random
    mapped: bool = False
    fed: bool = False
    widening: bool = False
    partition: str = ""
    ops: list[Op] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    rows: int = 0
    last: int = 6
    """The tag of the newest column."""

    def create(self, mapping: str) -> None:
        self.columns = list(START)
        on = {"enableChangeDataFeed": self.fed, "enableTypeWidening": self.widening}
        self.ops.append(
            Create(
                columns=declared(self.columns),
                mapping=mapping,
                properties=tuple(name for name in on if on[name]),
                clause=self.layout(),
            )
        )

    def layout(self) -> str:
        return f"PARTITIONED BY ({self.partition})" if self.partition else ""

    def tag(self) -> int:
        self.last += 1
        return self.last

    def append(self) -> None:
        files = self.dice.choice((1, 1, 2))
        count = files * self.dice.choice((1, 2))
        self.ops.append(Insert(values(self.columns), count, files))
        self.rows += count

    def alter(self, change: str) -> None:
        self.ops.append(Alter(change))

    def add(self, name: str, kind: str, *, nested: bool = False) -> None:
        """A new column at the end of the table, or of the struct."""
        inside = [at for at, column in enumerate(self.columns) if column.above]
        if nested and inside:
            path = f"{self.columns[inside[-1]].above}.{name}"
            self.columns.insert(inside[-1] + 1, Column(path, kind, self.tag()))
        else:
            path = name
            self.columns.append(Column(path, kind, self.tag()))
        self.alter(f"ADD COLUMNS ({path} {kind})")

    def give(self, column: Column, new: str) -> None:
        path = f"{column.above}.{new}" if column.above else new
        at = self.columns.index(column)
        self.columns[at] = replace(column, path=path)
        if column.path == self.partition:
            self.partition = path
        self.alter(f"RENAME COLUMN {column.path} TO {new}")

    def droppable(self) -> list[Column]:
        """Columns that are not the last of the table or of their struct."""
        return [
            column
            for column in self.columns
            if column.path != self.partition
            and sum(other.above == column.above for other in self.columns) > 1
        ]

    def remove(self, column: Column) -> None:
        self.columns.remove(column)
        self.alter(f"DROP COLUMN {column.path}")

    def other(self) -> None:
        if not self.rows:
            return self.append()
        row = self.dice.randrange(self.rows)
        kinds = (Delete((row,)), Update((row,)), Optimize())
        return self.ops.append(self.dice.choice(kinds))

    def forget(self) -> None:
        """Deletes the commits before the newest version: no older snapshot can be rebuilt."""
        version = sum(not isinstance(op, Checkpoint | CleanUp) for op in self.ops) - 1
        self.ops += [Checkpoint(), CleanUp(version)]
