# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random row scripts over shared histories of tables whose schema keeps changing."""

import random
from dataclasses import dataclass, field, replace

from parity.catalogue.histories import MAPPING
from parity.catalogue.tracking import LOCATION, NOTE, TRACK_WIDENING, VECTORS
from parity.generators import row_scripts
from parity.history import Alter, Create, Delete, History, Insert, Op, Optimize
from parity.script import Drain, Script, Start, Step, Stop

HISTORIES = 20
COLUMNS = "id BIGINT, name STRING, n SMALLINT, place STRUCT<street: STRING, number: INT>"
WIDER = {"SMALLINT": "INT", "INT": "BIGINT"}
VALUES = {"STRING": "'s'", "SMALLINT": "7S", "INT": "70000", "BIGINT": "5000000000"}
ALLOWED = ("allowSourceColumnRename", "allowSourceColumnDrop", "allowSourceColumnTypeChange")


@dataclass
class HistoryBuilder:
    """Builds a history; `columns` holds each column's path and type, in the table's order."""

    dice: random.Random
    mapped: bool
    ops: list[Op] = field(default_factory=list)
    row: int = 0
    columns: list[tuple[str, str]] = field(
        default_factory=lambda: [
            *(("name", "STRING"), ("n", "SMALLINT")),
            *(("place.street", "STRING"), ("place.number", "INT")),
        ]
    )

    def append(self) -> None:
        files = self.dice.choice((1, 1, 2, 3))
        rows = files * self.dice.choice((1, 2))
        self.ops.append(Insert(self.values(), rows, files))
        self.row += rows

    def values(self) -> str:
        tops = dict.fromkeys(path.split(".")[0] for path, _ in self.columns)
        return ", ".join(self.value(top) for top in tops)

    def value(self, top: str) -> str:
        inside = [(path, kind) for path, kind in self.columns if path.startswith(f"{top}.")]
        if not inside:
            return VALUES[dict(self.columns)[top]]
        pairs = (f"'{path.split('.')[1]}', {VALUES[kind]}" for path, kind in inside)
        return f"named_struct({', '.join(pairs)})"

    def change(self) -> None:
        kinds = [self.grow, self.grow, self.widen, self.note, self.protocol]
        if self.mapped:
            kinds += [self.rename, self.rename, self.drop, self.drop]
        self.dice.choice(kinds)()

    def note(self) -> None:
        mine = Alter(f"SET TBLPROPERTIES ('mine' = '{len(self.ops)}')")
        self.ops.append(self.dice.choice((NOTE, mine)))

    def protocol(self) -> None:
        self.ops.append(self.dice.choice((VECTORS, Alter(FEATURE))))

    def grow(self) -> None:
        """Adds a column at the end of the table or of a struct."""
        kind = self.dice.choice(tuple(VALUES))
        name = f"c{len(self.ops)}"
        inside = [place for place, (path, _) in enumerate(self.columns) if "." in path]
        if inside and self.dice.random() < 0.4:
            last = inside[-1]
            name = f"{self.columns[last][0].split('.')[0]}.{name}"
            self.columns.insert(last + 1, (name, kind))
        else:
            self.columns.append((name, kind))
        self.ops.append(Alter(f"ADD COLUMNS ({name} {kind})"))

    def widen(self) -> None:
        found = [place for place, (_, kind) in enumerate(self.columns) if kind in WIDER]
        if not found:
            return self.grow()
        place = self.dice.choice(found)
        path, kind = self.columns[place]
        self.columns[place] = path, WIDER[kind]
        return self.ops.append(Alter(f"ALTER COLUMN {path} TYPE {WIDER[kind]}"))

    def rename(self) -> None:
        place = self.dice.randrange(len(self.columns))
        path, kind = self.columns[place]
        *above, name = path.split(".")
        new = f"{name}_{self.dice.choice('ab')}"
        self.columns[place] = ".".join((*above, new)), kind
        self.ops.append(Alter(f"RENAME COLUMN {path} TO {new}"))

    def drop(self) -> None:
        found = [path for path, _ in self.columns if self.siblings(path)]
        if not found:
            return self.grow()
        gone = self.dice.choice(found)
        self.columns = [(path, kind) for path, kind in self.columns if path != gone]
        return self.ops.append(Alter(f"DROP COLUMN {gone}"))

    def siblings(self, path: str) -> bool:
        """Whether the table or the struct has another column."""
        above = path.rpartition(".")[0]
        return sum(other.rpartition(".")[0] == above for other, _ in self.columns) > 1

    def other(self) -> None:
        if self.row and self.dice.random() < 0.4:
            self.ops.append(Delete((self.dice.randrange(self.row),)))
        else:
            self.ops.append(Optimize())


FEATURE = "SET TBLPROPERTIES ('delta.feature.domainMetadata' = 'supported')"
WIDENING = Alter("SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')")


def history(number: int) -> History:
    """One of the shared histories: with column mapping from the start, later, or never."""
    dice = random.Random(f"chain history {number}")
    kind = dice.choice(("mapped", "mapped", "late", "never"))
    builder = HistoryBuilder(dice, kind == "mapped")
    builder.ops += [Create(columns=COLUMNS, mapping="name" if builder.mapped else ""), WIDENING]
    builder.append()
    for _ in range(dice.randint(4, 8)):
        chance = dice.random()
        if kind == "late" and not builder.mapped and chance < 0.3:
            builder.ops.append(Alter(MAPPING))
            builder.mapped = True
        elif chance < 0.5:
            builder.change()
        elif chance < 0.6 and number % 3 == 0:
            builder.other()
        else:
            builder.append()
    return tuple(builder.ops)


def script(seed: int) -> Script:
    dice = random.Random(f"chain rows {seed}")
    ops = history(dice.randrange(HISTORIES))
    first = dice.randint(3, len(ops))
    tracked = dice.random() < 0.6
    found = {
        **dice.choice(row_scripts.LIMITS),
        **row_scripts.start(dice, row_scripts.commits(ops[:first])),
    }
    if dice.random() < 0.7:
        found[dice.choice(row_scripts.POLICIES)] = "true"
    return Script(
        name=f"chain rows {seed}",
        why="made up",
        cites="",
        history=ops[:first],
        options={**found, **(LOCATION if tracked else {})},
        steps=steps(dice, ops[first:], tracked=tracked),
    )


def steps(dice: random.Random, later: History, *, tracked: bool) -> tuple[Step, ...]:
    """Random steps with many runs, since every schema change ends one."""
    confs = TRACK_WIDENING if dice.random() < 0.5 else {}

    def start(first: bool) -> Start:
        step = row_scripts.started(dice, feed=False, first=first)
        more = known(dice) if tracked else {}
        return replace(step, options={**step.options, **more}, confs=confs)

    count = dice.choice((2, 3, 3))
    chances = row_scripts.Chances(read=0.5, forget=0.4, uncommit=0.2, write=0.4)
    found = row_scripts.runs(dice, later, count, start, row_scripts.batches, chances)
    for _ in range(dice.randint(2, 5)):
        found += [start(False), Drain(), Stop()]
    return tuple(found)


def known(dice: random.Random) -> dict[str, str]:
    """The acknowledged changes of a run: none, all, or one kind."""
    chance = dice.random()
    if chance < 0.3:
        return {}
    return dict.fromkeys(ALLOWED if chance < 0.7 else dice.sample(ALLOWED, 1), "always")
