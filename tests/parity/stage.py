# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Both sides and every trace so far; each script is run once for each cast.

For trials: `PARITY_STOCK` and `PARITY_OURS` are other folders with jars, and `PARITY_CONFS` is
a JSON object of session confs for both, such as one that turns a shortcut of ours off.
"""

import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeAlias

from parity.history import History
from parity.run import run
from parity.script import Script
from parity.side import Side
from parity.tables import Change, Known, Tables
from parity.trace import Trace

Cast: TypeAlias = tuple[str, ...]
"""The side of each leg."""

STOCK, OURS = "stock", "ours"
ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {
    STOCK: os.environ.get("PARITY_STOCK", ROOT / "jvm" / "target" / "stock"),
    OURS: os.environ.get("PARITY_OURS", ROOT / "python" / "src" / "deltasource" / "jars"),
}


def jars(name: str) -> list[Path]:
    """The jars of one side, which `make jar` builds."""
    return sorted(Path(FOLDERS[name]).glob("*.jar"))


class Stage:
    """A side starts when it is first needed. Tables that are known are not written again."""

    def __init__(
        self,
        jars: Mapping[str, list[Path]],
        folder: Path,
        known: Known | None,
        confs: Mapping[str, str],
    ) -> None:
        self._folder = folder
        self._confs = confs
        self._jars = jars
        self._sides: dict[str, Side] = {}
        self._tables = Tables(lambda: self.side(STOCK), folder, known)
        self._pool = ThreadPoolExecutor(max_workers=2)
        self._traces: dict[tuple[str, Cast], Future[Trace]] = {}

    def side(self, name: str) -> Side:
        if name not in self._sides:
            confs = self._confs if name == OURS else {}
            side = self._sides[name] = Side(name, self._jars[name], self._folder, confs)
            side.ready()
        return self._sides[name]

    def changes(self, history: History) -> tuple[Change, ...]:
        return self._tables.changes(history)

    def traces(self, script: Script, *casts: Cast) -> list[Trace]:
        """Casts of one call run at the same time, a side for each."""
        changes = self.changes(script.whole)
        for cast in casts:
            if (script.name, cast) not in self._traces:
                folder = self._folder / f"run-{len(self._traces)}"
                sides = [self.side(name) for name in cast]
                self._traces[script.name, cast] = self._pool.submit(
                    run, script, sides, changes, folder
                )
        return [self._traces[script.name, cast].result() for cast in casts]

    def close(self) -> None:
        self._pool.shutdown()
        for side in self._sides.values():
            side.close()


def live(folder: Path, known: Known | None = None, confs: Mapping[str, str] | None = None) -> Stage:
    """Both sides, each with its jars; `confs` are for ours."""
    found = {name: jars(name) for name in (STOCK, OURS)}
    missing = [str(FOLDERS[name]) for name in found if not found[name]]
    if missing:
        raise FileNotFoundError(f"no jar in {', '.join(missing)}: run `make jar` first")
    return Stage(found, folder, known, confs or {})


class Legs(Protocol):
    """A script, of whatever kind."""

    @property
    def legs(self) -> int: ...


def alone(name: str, script: Legs) -> Cast:
    return (name,) * script.legs


def in_turns(first: str, script: Legs) -> Cast:
    second = OURS if first == STOCK else STOCK
    return tuple((first, second)[leg % 2] for leg in range(script.legs))
