# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Both sides and every trace so far; each script is run once for each cast."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

from parity.run import run
from parity.script import Script
from parity.side import Side
from parity.tables import Tables
from parity.trace import Trace

Cast: TypeAlias = tuple[str, ...]
"""The side of each leg."""

STOCK, OURS = "stock", "ours"


class Stage:
    def __init__(self, stock: list[Path], ours: list[Path], folder: Path) -> None:
        self._folder = folder
        self._sides = {
            name: Side(name, jars, folder) for name, jars in ((STOCK, stock), (OURS, ours))
        }
        for side in self._sides.values():
            side.ready()
        self._tables = Tables(self._sides[STOCK], folder)
        self._pool = ThreadPoolExecutor(max_workers=len(self._sides))
        self._traces: dict[tuple[str, Cast], Future[Trace]] = {}

    def side(self, name: str) -> Side:
        return self._sides[name]

    def traces(self, script: Script, *casts: Cast) -> list[Trace]:
        """Casts of one call run at the same time, a side for each."""
        changes = self._tables.changes(script.whole)
        for cast in casts:
            if (script.name, cast) not in self._traces:
                folder = self._folder / f"run-{len(self._traces)}"
                sides = [self._sides[name] for name in cast]
                self._traces[script.name, cast] = self._pool.submit(
                    run, script, sides, changes, folder
                )
        return [self._traces[script.name, cast].result() for cast in casts]

    def close(self) -> None:
        self._pool.shutdown()
        for side in self._sides.values():
            side.close()


def alone(name: str, script: Script) -> Cast:
    return (name,) * script.legs


def in_turns(first: str, script: Script) -> Cast:
    second = OURS if first == STOCK else STOCK
    return tuple((first, second)[leg % 2] for leg in range(script.legs))
