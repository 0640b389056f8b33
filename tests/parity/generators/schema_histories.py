# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Shared histories of tables whose schema changes in every way."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from parity.catalogue.histories import MAPPING
from parity.generators.columns import (
    NAMES,
    NULLABLE,
    REMADE,
    VALUES,
    WIDER,
    partitions,
    tops,
    typed,
)
from parity.generators.table import Table
from parity.history import Alter, History
from parity.log_edits import CleanUp, Remake

HISTORIES = 48
FEED = "delta.enableChangeDataFeed"
WIDENING = "delta.enableTypeWidening"


def switched(name: str, value: str = "true") -> Alter:
    return Alter(f"SET TBLPROPERTIES ('{name}' = '{value}')")


NOTES = (
    switched("delta.logRetentionDuration", "interval 60 days"),
    switched("delta.checkpointInterval", "20"),
    switched("delta.feature.domainMetadata", "supported"),
    switched("delta.feature.timestampNtz", "supported"),
    switched("delta.feature.allowColumnDefaults", "supported"),
    switched("delta.feature.rowTracking", "supported"),
)
"""Properties and features that change no column."""


@dataclass
class EvolvingTable(Table):
    """A table with random schema changes."""

    def change(self) -> None:
        kinds: list[Callable[[], None]] = [
            *(self.grow, self.grow, self.widen, self.widen, self.loosen, self.note, self.comment),
            *(self.move, self.feed),
        ]
        if self.mapped:
            kinds += [self.rename, self.drop, self.drop, self.swap, self.swap, self.back, self.back]
        known = not any(isinstance(op, CleanUp) for op in self.ops)
        if known and self.dice.random() < 0.1:
            kinds = [self.repartition, self.retype, self.tighten]
        self.dice.choice(kinds)()

    def grow(self) -> None:
        self.add(f"c{self.tag()}", self.dice.choice(tuple(VALUES)), nested=self.dice.random() < 0.3)

    def widen(self) -> None:
        found = [
            at
            for at, column in enumerate(self.columns)
            if column.kind in WIDER and column.path != self.partition
        ]
        if not found:
            return self.grow()
        if not self.widening:
            self.widening = True
            self.ops.append(switched(WIDENING))
        at = self.dice.choice(found)
        column = self.columns[at]
        kind = self.dice.choice(WIDER[column.kind])
        self.columns[at] = replace(column, kind=kind)
        return self.alter(f"ALTER COLUMN {column.path} TYPE {kind}")

    def loosen(self) -> None:
        found = [at for at, column in enumerate(self.columns) if column.required]
        if not found:
            return self.grow()
        at = self.dice.choice(found)
        self.columns[at] = replace(self.columns[at], required=False, loose=True)
        return self.alter(f"ALTER COLUMN {self.columns[at].path} DROP NOT NULL")

    def note(self) -> None:
        self.ops.append(self.dice.choice((*NOTES, switched("mine", str(len(self.ops))))))

    def comment(self) -> None:
        self.alter(f"ALTER COLUMN {self.columns[0].path} COMMENT 'after {len(self.ops)}'")

    def move(self) -> None:
        """Moves the first top-level column to the end."""
        top, *_, after = tops(self.columns)
        moved = [column for column in self.columns if column.top == top]
        self.columns = [column for column in self.columns if column.top != top] + moved
        self.alter(f"ALTER COLUMN {top} AFTER {after}")

    def feed(self) -> None:
        if self.fed:
            return self.grow()
        self.fed = True
        return self.ops.append(switched(FEED))

    def rename(self) -> None:
        column = self.dice.choice(self.columns)
        new = f"{column.name}_{self.dice.choice('uv')}"
        self.give(column, new)

    def drop(self) -> None:
        self.remove(self.dice.choice(self.droppable()))

    def back(self) -> None:
        """Drops a column and adds another one with its name or type."""
        gone = self.dice.choice(self.droppable())
        self.remove(gone)
        name = gone.name if self.dice.random() < 0.5 else f"c{self.tag()}"
        kind = gone.kind if self.dice.random() < 0.6 else self.dice.choice(tuple(VALUES))
        self.add(name, kind, nested=bool(gone.above))

    def swap(self) -> None:
        """Renames a column and gives its old name to a new or existing one."""
        flat = [column for column in self.columns if not column.above]
        if len(flat) < 2:
            return self.grow()
        one, other = self.dice.sample(flat, 2)
        self.give(one, f"t{self.tag()}")
        if self.dice.random() < 0.5:
            return self.add(one.path, self.dice.choice((one.kind, "STRING")))
        return self.give(other, one.path)

    def repartition(self) -> None:
        """Changes the partitioning as an overwrite does, without new files."""
        flat = [column.path for column in self.columns if not column.above]
        was, self.partition = self.partition, "" if self.partition else flat[0]
        self.ops.append(Remake(partitions(was), partitions(self.partition)))

    def retype(self) -> None:
        """Widens a type as an overwrite does: the metadata does not record the old type."""
        found = [at for at, column in enumerate(self.columns) if column.kind in REMADE]
        if not found:
            return self.grow()
        at = self.dice.choice(found)
        column = self.columns[at]
        kind = WIDER[column.kind][0]
        self.columns[at] = replace(column, kind=kind)
        name = column.name
        return self.ops.append(Remake(typed(name, REMADE[column.kind]), typed(name, NAMES[kind])))

    def tighten(self) -> None:
        """Makes a nullable column NOT NULL, as an overwrite does."""
        found = [
            at
            for at, column in enumerate(self.columns)
            if not (column.above or column.required or column.loose)
        ]
        if not found:
            return self.grow()
        at = self.dice.choice(found)
        column = self.columns[at]
        self.columns[at] = replace(column, required=True)
        there = typed(column.path, NAMES[column.kind])
        return self.ops.append(Remake(f"{there},{NULLABLE}true", f"{there},{NULLABLE}false"))


def history(number: int) -> History:
    """One of the shared histories: every mapping mode, with or without a change feed."""
    dice = random.Random(f"changing {number}")
    mapping = ("name", "late", "id", "never", "name", "late")[number % 6]
    table = EvolvingTable(
        dice,
        mapped=mapping in ("name", "id"),
        fed=number // 6 % 2 == 0,
        widening=dice.random() < 0.7,
        partition="a" if number % 5 == 2 else "",
    )
    table.create(mapping if table.mapped else "")
    table.append()
    late = dice.randint(1, 3)
    forgets = number % 8 == 7
    for turn in range(dice.randint(4, 6)):
        if mapping == "late" and turn == late:
            table.alter(MAPPING)
            table.mapped = True
        if dice.random() < 0.85:
            table.change()
        elif number % 3 == 0:
            table.other()
        if dice.random() < 0.75:
            table.append()
        if forgets and turn == 2:
            table.forget()
    return tuple(table.ops)
