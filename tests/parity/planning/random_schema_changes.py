# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random planning scripts over tables whose schema keeps changing, one for each seed."""

import random
from dataclasses import replace

from parity.planning.random_scripts import Course, TableBuilder, opened, options
from parity.planning.script import Ahead, Go, Plans, Rest, Step
from parity.planning.table import Action, Column, Columns, Feature, Properties, Table

START: tuple[Column, ...] = (
    Column("id", 1),
    Column("name", 2, "string"),
    Column("n", 3, "integer"),
    Column("place", 4, fields=(Column("street", 5, "string"), Column("number", 6, "integer"))),
)
WIDER = {"byte": "short", "short": "integer", "integer": "long", "float": "double"}
FEATURES = (
    Feature("deletionVectors", reader=True),
    Feature("timestampNtz", reader=True),
    Feature("domainMetadata"),
)
DELTAS = "delta.logRetentionDuration"
CONFS = "spark.databricks.delta."
TRACKING = {"schemaTrackingLocation": "<checkpoint>/schema"}
ALLOWED = (
    "allowSourceColumnRename",
    "allowSourceColumnDrop",
    "allowSourceColumnTypeChange",
    "allowSourceColumnRenameAndDrop",
)


class SchemaChangeBuilder(TableBuilder):
    """Builds a table whose columns, properties and protocol change."""

    def __init__(self, dice: random.Random, *, vectors: bool, feed: bool, mapped: bool) -> None:
        super().__init__(dice, vectors, feed)
        self.mapped = mapped
        self.columns = START
        self.number = 6

    def change(self) -> None:
        """Commits a change, perhaps with new files, and a second change if it is of the other kind.
        Else the second is dropped, but its columns show up in the next change of columns."""
        first, second = self.changed(), self.changed()
        # A commit has at most one protocol and one metadata action.
        both = isinstance(first, Feature) != isinstance(second, Feature)
        more = [self.add() for _ in range(self.dice.choice((0, 0, 1, 2)))]
        self.commit(first, *((second,) if both else ()), *more, operation="CHANGE")

    def changed(self) -> Action:
        kinds = [self.grown, self.grown, self.nested, self.widened, self.loosened]
        if self.mapped:
            kinds += [self.renamed, self.renamed, self.dropped, self.dropped]
        chance = self.dice.random()
        if chance < 0.1:
            return Properties(str(len(self.commits)))
        if chance < 0.2:
            return Properties(f"interval {30 + len(self.commits)} days", DELTAS)
        if chance < 0.3:
            return self.dice.choice(FEATURES)
        self.columns = self.dice.choice(kinds)(self.columns)
        return Columns(self.columns)

    def new(self, name: str = "") -> Column:
        self.number += 1
        kind = self.dice.choice(("long", "string", "byte", "float"))
        return Column(name or f"c{self.number}", self.number, kind)

    def grown(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        """Adds a column, sometimes with the name of a dropped one."""
        names = {column.name for column in columns}
        free = [column.name for column in START if column.name not in names]
        return (*columns, self.new(self.dice.choice(free) if free else ""))

    def nested(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        """Changes the fields of a struct."""
        structs = [column for column in columns if column.fields]
        if not structs:
            return self.grown(columns)
        found = self.dice.choice(structs)
        kinds = [self.grown, self.widened, *([self.renamed, self.dropped] if self.mapped else [])]
        inside = self.dice.choice(kinds)(found.fields)
        return put(columns, replace(found, fields=inside))

    def widened(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        found = [column for column in columns if column.type in WIDER and not column.fields]
        if not found:
            return self.grown(columns)
        one = self.dice.choice(found)
        return put(columns, replace(one, type=WIDER[one.type], was=(*one.was, one.type)))

    def loosened(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        found = [column for column in columns if column.required]
        return put(columns, replace(found[0], required=False)) if found else self.grown(columns)

    def renamed(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        one = self.dice.choice(columns)
        return put(columns, replace(one, name=f"{one.name}{self.dice.choice('äbc')}"))

    def dropped(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        if len(columns) == 1:
            return self.grown(columns)
        gone = self.dice.choice(columns)
        return tuple(column for column in columns if column != gone)


def put(columns: tuple[Column, ...], new: Column) -> tuple[Column, ...]:
    return tuple(new if column.number == new.number else column for column in columns)


def script(seed: int) -> Plans:
    dice = random.Random(f"chain {seed}")
    table = grow(dice)
    tracked = dice.random() < 0.6
    return Plans(
        table=table,
        options={**options(dice, table), **(TRACKING if tracked else {})},
        confs=confs(dice),
        steps=steps(dice, table, tracked=tracked),
    )


def grow(dice: random.Random) -> Table:
    feed = dice.random() < 0.2
    vectors = dice.random() < 0.2
    mapped = dice.random() < 0.6
    builder = SchemaChangeBuilder(dice, vectors=vectors, feed=feed, mapped=mapped)
    first = put(START, replace(START[1], required=True)) if dice.random() < 0.3 else START
    builder.columns = first
    quiet = [builder.append] * 5 + [builder.nothing]
    loud = [builder.rewrite, builder.delete] if dice.random() < 0.2 else []
    builder.append()
    for _ in range(dice.randint(3, 9)):
        chance = dice.random()
        (builder.change if chance < 0.35 else dice.choice(quiet + loud * bool(builder.live)))()
    return Table(
        tuple(builder.commits),
        vectors=vectors,
        feed=feed,
        columns=first,
        mapped=mapped,
        widening=True,
    )


def confs(dice: random.Random) -> dict[str, str]:
    found: dict[str, str] = {}
    if dice.random() < 0.5:
        found[CONFS + "typeWidening.enableStreamingSchemaTracking"] = "true"
    if dice.random() < 0.15:
        found[f"{CONFS}streaming.{dice.choice(ALLOWED)}"] = "always"
    if dice.random() < 0.1:
        key = CONFS + "streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled"
        found[key] = "false"
    return found


def steps(dice: random.Random, table: Table, *, tracked: bool) -> tuple[Step, ...]:
    """Random steps with many runs, since every schema change ends one."""
    course = Course(dice, len(table.commits))
    found = course.found

    def start(*, plain: bool = False) -> None:
        step = opened(dice, table, plain=plain)
        found.append(replace(step, options={**step.options, **(known(dice) if tracked else {})}))

    course.land(course.left)
    start()
    for _ in range(dice.randint(2, 7)):
        match dice.choice(("go", "go", "land", "restart", "restart", "crash")):
            case "go":
                found.append(Go(dice.choice((1, 2, 3))))
            case "land":
                course.land(3)
            case "restart":
                found.append(Rest())
                start()
            case _:
                found.append(Ahead(forget=dice.random() < 0.2))
                start()
    course.land_all()
    for _ in range(dice.randint(1, 4)):
        start(plain=True)
        found.append(Rest())
    return tuple(found)


def known(dice: random.Random) -> dict[str, str]:
    """The acknowledged changes of a run: none, all, or those of one version."""
    if dice.random() < 0.4:
        return {}
    if dice.random() < 0.6:
        return {ALLOWED[3]: "always", ALLOWED[2]: "always"}
    return {dice.choice(ALLOWED): dice.choice(("always", str(dice.randint(2, 6))))}


def changes(script: Plans) -> int:
    """How many commits change the table's columns, properties or protocol."""
    kinds = Columns | Properties | Feature
    return sum(
        any(isinstance(action, kinds) for action in commit.actions)
        for commit in script.table.commits
    )
