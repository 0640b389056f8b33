# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random row scripts over shared histories. A change of this file changes the script of a seed."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from parity.history import (
    Alter,
    Append,
    Checkpoint,
    Create,
    Delete,
    History,
    Insert,
    Merge,
    Op,
    Optimize,
    Overwrite,
    Statement,
    Update,
)
from parity.log_edits import Bare
from parity.script import (
    Batches,
    Drain,
    Script,
    Start,
    Step,
    Stop,
    Trigger,
    Uncommit,
    Write,
)
from parity.unsupported import FEED, PENDING, VECTORS

HISTORIES = 26
LIMITS = (
    *({"maxFilesPerTrigger": str(count)} for count in (1, 2, 2, 3)),
    *({"maxBytesPerTrigger": size} for size in ("1b", "600b", "1k")),
    {"maxFilesPerTrigger": "3", "maxBytesPerTrigger": "1k"},
    {},
)
POLICIES = ("ignoreDeletes", "ignoreChanges", "skipChangeCommits")
CALM = (Create, Append, Insert, Bare, Optimize, Checkpoint, Alter)


@dataclass
class HistoryBuilder:
    """Builds a history; `live` are the numbers of the rows in the table."""

    dice: random.Random
    properties: tuple[str, ...]
    ops: list[Op] = field(default_factory=list)
    live: list[int] = field(default_factory=list)
    row: int = 0

    def take(self, most: int) -> tuple[int, ...]:
        count = self.dice.randint(1, min(most, len(self.live)))
        found = sorted(self.dice.sample(self.live, count))
        self.live = [row for row in self.live if row not in found]
        return tuple(found)

    def put(self, op: Statement) -> None:
        self.live += range(self.row, self.row + op.rows)
        self.row += op.rows
        self.ops.append(op)

    def append(self) -> None:
        files = self.dice.choice((1, 1, 2, 3, 4))
        self.put(Append(files * self.dice.choice((1, 2)), files))

    def change(self) -> None:
        kind = self.dice.choice((Delete, Delete, Update, Merge, Overwrite))
        if kind is Overwrite:
            self.live = []
            self.put(Overwrite(2, self.dice.choice((1, 2))))
        elif kind is Merge:
            self.put(Merge(gone=self.take(2), rows=self.dice.choice((0, 1, 2))))
        else:
            # An updated row is not updated again: its number would be unknown.
            self.put(Delete(self.take(3)) if kind is Delete else Update(self.take(2)))

    def calm(self) -> None:
        note = f"SET TBLPROPERTIES ('note' = '{len(self.ops)}')"
        self.ops.append(self.dice.choice((Bare(), Optimize(), Checkpoint(), Alter(note))))


def history(number: int) -> History:
    """One of the shared histories; every third only adds rows."""
    dice = random.Random(f"history {number}")
    wanted = ((VECTORS, "enableDeletionVectors"), (FEED, "enableChangeDataFeed"))
    free = [name for what, name in wanted if what not in PENDING and dice.random() < 0.6]
    builder = HistoryBuilder(dice, tuple(free))
    builder.put(Create(properties=builder.properties))
    for _ in range(dice.randint(4, 8)):
        chance = dice.random()
        if chance < 0.2 and builder.live:
            builder.calm()
        elif chance < 0.5 and builder.live and number % 3:
            builder.change()
        else:
            builder.append()
    return tuple(builder.ops)


def script(seed: int) -> Script:
    dice = random.Random(f"rows {seed}")
    ops = history(dice.randrange(HISTORIES))
    first = dice.randint(2, len(ops))
    feed = "enableChangeDataFeed" in properties(ops) and dice.random() < 0.6
    found = {**dice.choice(LIMITS), **start(dice, commits(ops[:first]))}
    if feed:
        found["readChangeFeed"] = "true"
    elif dice.random() < 0.7:
        found[dice.choice(POLICIES)] = "true"
    return Script(
        name=f"rows {seed}",
        why="made up",
        cites="",
        history=ops[:first],
        options=found,
        steps=steps(dice, ops[first:], feed=feed),
    )


def properties(ops: History) -> tuple[str, ...]:
    return ops[0].properties if isinstance(ops[0], Create) else ()


def commits(ops: History) -> int:
    return sum(not isinstance(op, Checkpoint) for op in ops)


def start(dice: random.Random, count: int) -> dict[str, str]:
    kind = dice.choice(("snapshot", "snapshot", "zero", "version", "version", "time", "latest"))
    if kind == "time":
        return {"startingTimestamp": f"2024-01-01T0{dice.randint(0, 2)}:{dice.choice((0, 30))}:00Z"}
    version = {"zero": "0", "version": str(dice.randrange(count)), "latest": "latest"}
    return {"startingVersion": version[kind]} if kind in version else {}


@dataclass(frozen=True, kw_only=True)
class Chances:
    """How likely each random step of a run is, from 0 to 1."""

    read: float
    """Reading, rather than writing, while the query runs."""
    forget: float
    """Stopping with the last batch not recorded as committed."""
    uncommit: float
    """After such a stop, removing that batch from the sink too."""
    write: float
    """Writing while the query is stopped."""


def steps(dice: random.Random, later: History, *, feed: bool) -> tuple[Step, ...]:
    def start(first: bool) -> Start:
        return started(dice, feed=feed, first=first)

    count = dice.choice((1, 2, 2, 3))
    chances = Chances(read=0.6, forget=0.6, uncommit=0.15, write=0.3)
    return (*runs(dice, later, count, start, batches, chances), start(False), Drain(), Stop())


def runs(
    dice: random.Random,
    later: History,
    count: int,
    start: Callable[[bool], Start],
    read: Callable[[random.Random], Step],
    chances: Chances,
) -> list[Step]:
    """`count` random runs, during and between which `later` is written, to its end.

    `start` takes whether the run is the first.
    """
    left = list(later)
    found: list[Step] = []
    undone = False
    for run in range(count):
        found.append(start(run == 0))
        for _ in range(dice.randint(0, 2)):
            found += [read(dice)] if dice.random() < chances.read else write(dice, left)
        # After Uncommit the sink has the batch: no crash can lose its offset.
        forget = not undone and dice.random() < chances.forget
        found.append(Stop(forget=forget))
        if forget and dice.random() < chances.uncommit:
            undone = True
            found.append(Uncommit())
        if dice.random() < chances.write:
            found += write(dice, left)
    if left:
        found.append(Write(tuple(left)))
    return found


def batches(dice: random.Random) -> Step:
    return Batches(dice.choice((1, 1, 2)))


def write(dice: random.Random, left: list[Op]) -> list[Step]:
    count = dice.randint(1, 2)
    ops, left[:] = tuple(left[:count]), left[count:]
    return [Write(ops)] if ops else []


def started(dice: random.Random, *, feed: bool, first: bool = False) -> Start:
    given: dict[str, str] = {}
    if not first and dice.random() < 0.4:
        given = {"maxFilesPerTrigger": dice.choice(("1", "2", "4"))}
        if not feed and dice.random() < 0.3:
            given[dice.choice(POLICIES)] = dice.choice(("true", "false"))
    kinds = (Trigger.DEFAULT,) * 6 + (Trigger.AVAILABLE_NOW,) * 2 + (Trigger.ONCE,)
    return Start(dice.choice(kinds), given)


def calm(ops: History) -> bool:
    """Whether a history never removes a row, so that its rows can be counted."""
    return all(isinstance(op, CALM) for op in ops)
