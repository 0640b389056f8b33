# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random planning scripts. A change of this file changes the script of a seed."""

import random
from dataclasses import dataclass, field, replace

from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest, Step
from parity.planning.table import Action, Add, Change, Commit, Properties, Remove, Table, Txn
from parity.unsupported import FEED, PENDING, VECTORS

NAMES = ("", "", "é", "ﬃ", "😀", "%2520", "a%20b", "z")
LIMITS = (
    *({"maxFilesPerTrigger": str(count)} for count in (1, 1, 2, 2, 3, 5)),
    *({"maxBytesPerTrigger": f"{size}b"} for size in (1, 150, 300)),
    {"maxFilesPerTrigger": "3", "maxBytesPerTrigger": "250b"},
    {"maxFilesPerTrigger": "2", "maxBytesPerTrigger": "1000b"},
    {},
)
WIDE = LIMITS[4:6] + LIMITS[8:]
"""On stock, each batch inside a snapshot is a query and costs as much as twenty others."""
POLICIES = ("ignoreDeletes", "ignoreChanges", "skipChangeCommits")


@dataclass
class TableBuilder:
    """Builds a table."""

    dice: random.Random
    vectors: bool
    feed: bool
    live: list[Add] = field(default_factory=list)
    commits: list[Commit] = field(default_factory=list)
    row: int = 0
    files: int = 0

    def add(self, kept: tuple[int, ...] | None = None, *, new: bool = True) -> Add:
        """Adds a file with new rows, or with rows kept from other files."""
        dice = self.dice
        self.files += 1
        given = kept
        if given is None:
            given = tuple(range(self.row, self.row + dice.choice((1, 1, 2))))
            self.row += len(given)
        name = f"{dice.choice(NAMES)}{self.files}-{dice.choice('ab')}.parquet"
        size = dice.choice((0, 1, 100, 100, 100, 250, 1000))
        add = Add(name, given, size=size, time=dice.choice((0, 5, self.files)), new=new)
        self.live.append(add)
        return add

    def remove(self, *, new: bool = True) -> tuple[Remove, Add]:
        add = self.live.pop(self.dice.randrange(len(self.live)))
        return Remove(add.path, new=new, deleted=add.deleted), add

    def commit(self, *actions: Action, operation: str = "WRITE", **more: object) -> None:
        late = self.dice.choice((0, 0, 0, 1800, 3600, -3600))
        commit = Commit(tuple(actions), operation=operation, late=late)
        self.commits.append(replace(commit, **more))  # type: ignore[arg-type]

    def append(self) -> None:
        count = self.dice.choice((1, 1, 2, 3, 3, 5, 8))
        extra = (Txn("app"),) if self.dice.random() < 0.1 else ()
        self.commit(*extra, *(self.add() for _ in range(count)))

    def nothing(self) -> None:
        self.commit(operation="NOTHING")

    def properties(self) -> None:
        self.commit(Properties(str(len(self.commits))), operation="SET TBLPROPERTIES")

    def optimize(self) -> None:
        gone = [self.remove(new=False) for _ in range(self.dice.randint(1, len(self.live)))]
        kept = tuple(row for _, add in gone for row in add.rows)
        self.commit(*(one for one, _ in gone), self.add(kept, new=False), operation="OPTIMIZE")

    def delete(self) -> None:
        """Deletes whole files."""
        count = self.dice.randint(1, min(3, len(self.live)))
        self.commit(*(self.remove()[0] for _ in range(count)), operation="DELETE")

    def rewrite(self) -> None:
        """Replaces a file by one with some of its rows, and often new rows."""
        gone, add = self.remove()
        more = [self.add() for _ in range(self.dice.choice((0, 1, 2)))]
        feed = self.changes() if self.feed and self.dice.random() < 0.7 else ()
        self.commit(gone, self.add(add.rows[1:] or add.rows), *more, *feed, operation="UPDATE")

    def mark(self) -> None:
        """Deletes rows by deletion vectors, possibly from files that already have one."""
        found: list[Action] = []
        for _ in range(self.dice.choice((1, 1, 2, 3))):
            if self.live:
                gone, add = self.remove()
                again = replace(add, rows=add.rows[1:], deleted=add.deleted + 1, new=True)
                found += [gone, again]
                self.live.append(again)
        found += [self.add() for _ in range(self.dice.choice((0, 0, 1)))]
        self.dice.shuffle(found)
        self.commit(*found, operation="DELETE")

    def merge(self) -> None:
        """A MERGE that rewrote a file and changed no row; it may lack a metric."""
        gone, add = self.remove()
        names = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted")
        metrics = tuple((name, "0") for name in names)
        given = metrics if self.dice.random() < 0.7 else metrics[:2]
        self.commit(gone, self.add(add.rows), operation="MERGE", metrics=given)

    def changes(self) -> tuple[Change, ...]:
        count = self.dice.choice((1, 2, 4))
        self.files += count
        return tuple(Change(f"_change_data/c{self.files - n}.parquet") for n in range(count))


def script(seed: int) -> Plans:
    dice = random.Random(f"planning {seed}")
    feed = FEED not in PENDING and dice.random() < 0.3
    vectors = VECTORS not in PENDING and dice.random() < 0.4
    table = grow(dice, calm=not feed and dice.random() < 0.6, vectors=vectors, feed=feed)
    return Plans(table=table, options=options(dice, table), steps=steps(dice, table))


def grow(dice: random.Random, *, calm: bool, vectors: bool, feed: bool) -> Table:
    """Adds random commits; a calm table never loses a row."""
    builder = TableBuilder(dice, vectors, feed)
    quiet = [builder.append] * 6 + [builder.nothing, builder.properties, builder.optimize]
    loud = [builder.delete, builder.rewrite, builder.rewrite, builder.merge]
    marking = [builder.mark] * 3 if vectors and not calm else []
    builder.append()
    for _ in range(dice.randint(2, 11)):
        kinds = quiet if calm or not builder.live else quiet + loud + marking
        kind = dice.choice(kinds)
        (kind if builder.live else builder.append)()
    return Table(tuple(builder.commits), vectors=vectors, feed=feed)


def options(dice: random.Random, table: Table) -> dict[str, str]:
    begin = start(dice, len(table.commits))
    found = {**dice.choice(LIMITS if begin or dice.random() < 0.3 else WIDE), **begin}
    if table.feed:
        return found | {"readChangeFeed": "true"}
    if dice.random() < 0.6:
        found[dice.choice(POLICIES)] = "true"
    if dice.random() < 0.1:
        found["excludeRegex"] = dice.choice(("-a", "^[0-9]", "é"))
    return found


def start(dice: random.Random, commits: int) -> dict[str, str]:
    kind = dice.choice(("snapshot", *["version"] * 6, "time", "time", "latest"))
    if kind == "version":
        return {"startingVersion": str(dice.randint(0, min(commits, 5)))}
    if kind == "time":
        when = f"2024-01-01T{dice.randint(0, 4):02d}:{dice.choice((0, 30)):02d}:00Z"
        return {"startingTimestamp": when}
    return {"startingVersion": "latest"} if kind == "latest" else {}


@dataclass
class Course:
    """Builds steps; `left` is how many commits have not landed yet."""

    dice: random.Random
    left: int
    found: list[Step] = field(default_factory=list)

    def land(self, most: int) -> None:
        count = min(self.left, self.dice.randint(1, max(1, most)))
        if count:
            self.left -= count
            self.found.append(Land(count))

    def land_all(self) -> None:
        if self.left:
            self.found.append(Land(self.left))


def steps(dice: random.Random, table: Table) -> tuple[Step, ...]:
    course = Course(dice, len(table.commits))
    found = course.found
    course.land(course.left)
    found.append(opened(dice, table, first=True))
    for _ in range(dice.randint(1, 6)):
        match dice.choice(("go", "go", "land", "restart", "restart", "crash")):
            case "go":
                found.append(Go(dice.choice((1, 1, 2, 3))))
            case "land":
                course.land(3)
            case "restart":
                found.append(opened(dice, table))
            case _:
                found.append(Ahead(forget=dice.random() < 0.2))
                if dice.random() < 0.4:
                    course.land(2)
                found.append(opened(dice, table))
    course.land_all()
    if dice.random() < 0.5 or isinstance(found[-1], Ahead):
        found.append(opened(dice, table, plain=True))
    return (*found, Rest())


def opened(dice: random.Random, table: Table, *, first: bool = False, plain: bool = False) -> Open:
    """A new source, sometimes with other options, which must not change existing file indexes."""
    given: dict[str, str] = {}
    if not first and dice.random() < 0.4:
        given = {"maxFilesPerTrigger": dice.choice(("1", "2", "4"))}
        if not table.feed and dice.random() < 0.3:
            given[dice.choice(POLICIES)] = dice.choice(("true", "false"))
    modes = (Mode.DEFAULT,) * 7 + (Mode.NOW, Mode.NOW, Mode.ONCE)
    return Open(given, Mode.DEFAULT if plain else dice.choice(modes), cold=dice.random() < 0.3)
