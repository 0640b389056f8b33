# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Shared histories of tables whose schema changes in every way, with values that name their column.

No two columns of a history ever hold the same value, so that a column read in place of another
shows in the rows.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from parity.catalogue.histories import MAPPING
from parity.history import (
    Alter,
    Checkpoint,
    Create,
    Delete,
    History,
    Insert,
    Op,
    Optimize,
    Update,
)
from parity.surgery import CleanUp, Remake

HISTORIES = 48
WIDER = {"SMALLINT": ("INT", "BIGINT"), "INT": ("BIGINT", "DOUBLE"), "FLOAT": ("DOUBLE",)}
VALUES = {
    "STRING": "concat('{tag}-', CAST(id AS STRING))",
    "SMALLINT": "CAST({tag} * 100 + id % 100 AS SMALLINT)",
    "INT": "CAST({tag} * 100000 + id AS INT)",
    "BIGINT": "{tag} * 10000000000 + id",
    "FLOAT": "CAST({tag} * 100 + id + 0.5 AS FLOAT)",
    "DOUBLE": "CAST({tag} * 1000 + id + 0.25 AS DOUBLE)",
}
NAMES = {
    "STRING": "string",
    "SMALLINT": "short",
    "INT": "integer",
    "BIGINT": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
}
REMADE = {kind: NAMES[kind] for kind in ("SMALLINT", "INT")}
NULLABLE = r"\"nullable\":"
FEED = "delta.enableChangeDataFeed"
WIDENING = "delta.enableTypeWidening"


def partitions(column: str) -> str:
    return f'"partitionColumns":["{column}"]' if column else '"partitionColumns":[]'


def typed(name: str, kind: str) -> str:
    """A field's name and type as the metadata of a table has them."""
    return rf"\"{name}\",\"type\":\"{kind}\""


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


@dataclass(frozen=True)
class Column:
    path: str
    kind: str
    tag: int
    required: bool = False
    loose: bool = False
    """Whether it was NOT NULL before: from then on every second row has a null there."""

    @property
    def top(self) -> str:
        return self.path.split(".")[0]

    @property
    def above(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def value(self) -> str:
        value = VALUES[self.kind].format(tag=self.tag)
        return f"IF(id % 2 = 0, NULL, {value})" if self.loose else value


START = (
    Column("a", "STRING", 1),
    Column("b", "STRING", 2),
    Column("n", "SMALLINT", 3),
    Column("m", "INT", 4, required=True),
    Column("s.x", "STRING", 5),
    Column("s.y", "INT", 6),
)


@dataclass
class Table:
    """A table while its history is made up."""

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
                columns=self.declared(),
                mapping=mapping,
                properties=tuple(name for name in on if on[name]),
                clause=self.layout(),
            )
        )

    def declared(self) -> str:
        tops = dict.fromkeys(column.top for column in self.columns)
        return ", ".join(["id BIGINT", *(f"{top} {self.type(top)}" for top in tops)])

    def type(self, top: str) -> str:
        found = [column for column in self.columns if column.top == top]
        if found[0].path != top:
            inside = ", ".join(f"{one.path.split('.')[1]}: {one.kind}" for one in found)
            return f"STRUCT<{inside}>"
        return found[0].kind + (" NOT NULL" if found[0].required else "")

    def layout(self) -> str:
        return f"PARTITIONED BY ({self.partition})" if self.partition else ""

    def tag(self) -> int:
        self.last += 1
        return self.last

    def append(self) -> None:
        files = self.dice.choice((1, 1, 2))
        count = files * self.dice.choice((1, 2))
        tops = dict.fromkeys(column.top for column in self.columns)
        values = ", ".join(self.value(top) for top in tops)
        self.ops.append(Insert(values, count, files))
        self.rows += count

    def value(self, top: str) -> str:
        found = [column for column in self.columns if column.top == top]
        if found[0].path == top:
            return found[0].value
        pairs = ", ".join(f"'{one.path.split('.')[1]}', {one.value}" for one in found)
        return f"named_struct({pairs})"

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

    def alter(self, change: str) -> None:
        self.ops.append(Alter(change))

    def grow(self) -> None:
        self.add(f"c{self.tag()}", self.dice.choice(tuple(VALUES)), nested=self.dice.random() < 0.3)

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
        """The first column that is not nested goes to the end of those columns."""
        tops = list(dict.fromkeys(column.top for column in self.columns))
        top, after = tops[0], tops[-1]
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
        new = f"{column.path.split('.')[-1]}_{self.dice.choice('uv')}"
        self.name(column, new)

    def name(self, column: Column, new: str) -> None:
        path = f"{column.above}.{new}" if column.above else new
        at = self.columns.index(column)
        self.columns[at] = replace(column, path=path)
        if column.path == self.partition:
            self.partition = path
        self.alter(f"RENAME COLUMN {column.path} TO {new}")

    def droppable(self) -> list[Column]:
        """Columns whose table, or struct, has another one."""
        return [
            column
            for column in self.columns
            if column.path != self.partition
            and sum(other.above == column.above for other in self.columns) > 1
        ]

    def drop(self) -> None:
        self.remove(self.dice.choice(self.droppable()))

    def remove(self, column: Column) -> None:
        self.columns.remove(column)
        self.alter(f"DROP COLUMN {column.path}")

    def back(self) -> None:
        """A column dropped, and another one of its name or type added in its place."""
        gone = self.dice.choice(self.droppable())
        self.remove(gone)
        name = gone.path.split(".")[-1] if self.dice.random() < 0.5 else f"c{self.tag()}"
        kind = gone.kind if self.dice.random() < 0.6 else self.dice.choice(tuple(VALUES))
        self.add(name, kind, nested=bool(gone.above))

    def swap(self) -> None:
        """A column renamed, and its old name given to another one, new or old."""
        tops = [column for column in self.columns if not column.above]
        if len(tops) < 2:
            return self.grow()
        one, other = self.dice.sample(tops, 2)
        self.name(one, f"t{self.tag()}")
        if self.dice.random() < 0.5:
            return self.add(one.path, self.dice.choice((one.kind, "STRING")))
        return self.name(other, one.path)

    def repartition(self) -> None:
        """As an overwrite of the table with another partitioning, without its files."""
        tops = [column.path for column in self.columns if not column.above]
        was, self.partition = self.partition, "" if self.partition else tops[0]
        self.ops.append(Remake(partitions(was), partitions(self.partition)))

    def retype(self) -> None:
        """A wider type as an overwrite gives it: nothing in the metadata says what it was."""
        found = [at for at, column in enumerate(self.columns) if column.kind in REMADE]
        if not found:
            return self.grow()
        at = self.dice.choice(found)
        column = self.columns[at]
        kind = WIDER[column.kind][0]
        self.columns[at] = replace(column, kind=kind)
        name = column.path.split(".")[-1]
        return self.ops.append(Remake(typed(name, REMADE[column.kind]), typed(name, NAMES[kind])))

    def tighten(self) -> None:
        """A column that may hold nulls becomes NOT NULL, as after an overwrite."""
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

    def other(self) -> None:
        if not self.rows:
            return self.append()
        row = self.dice.randrange(self.rows)
        kinds = (Delete((row,)), Update((row,)), Optimize())
        return self.ops.append(self.dice.choice(kinds))

    def forget(self) -> None:
        """The commits before the newest version gone: no older snapshot can be rebuilt."""
        version = sum(not isinstance(op, Checkpoint | CleanUp) for op in self.ops) - 1
        self.ops += [Checkpoint(), CleanUp(version)]


def history(number: int) -> History:
    """One of the shared histories: of all kinds of mapping, with a change feed or without."""
    dice = random.Random(f"changing {number}")
    mapping = ("name", "late", "id", "never", "name", "late")[number % 6]
    table = Table(
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
