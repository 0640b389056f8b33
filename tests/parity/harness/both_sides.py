# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts on both sides and keeps their traces: each script runs once per cast.

For experiments: `PARITY_STOCK` and `PARITY_OURS` are other folders with jars, and `PARITY_CONFS` is
a JSON object of session confs for both, such as one that turns an optimization of ours off.
"""

import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeAlias

from parity.harness.run import run
from parity.harness.tables import Change, Known, Tables
from parity.harness.trace import Trace
from parity.harness.worker_process import WorkerProcess
from parity.history import History
from parity.script import Script
from support import build

Cast: TypeAlias = tuple[str, ...]
"""The side of each leg."""

STOCK, OURS = "stock", "ours"


def jars(side: str, line: str = build.LINE) -> list[Path]:
    """The jars of one side, which `make jar` builds; fails if there are none."""
    folder = os.environ.get(f"PARITY_{side.upper()}") if line == build.LINE else None
    if folder is None and side == STOCK:
        folder = str(build.stock(line))
    found = sorted(Path(folder).glob("*.jar")) if folder else [build.bundle(line)]
    if not found or not found[0].is_file():
        raise FileNotFoundError(f"no jar in {folder or found[0].parent}: run `make jar` first")
    return found


def on_line(side: str, line: str) -> str:
    """The name of a side that runs with another line of Spark: `ours-4.0`."""
    return side if line == build.LINE else f"{side}-{line}"


class ScriptRunner:
    """Runs scripts, each worker started when first needed. Known tables are not written again."""

    def __init__(self, folder: Path, known: Known | None, confs: Mapping[str, str]) -> None:
        self._folder = folder
        self._confs = confs
        self._workers: dict[str, WorkerProcess] = {}
        self._tables = Tables(lambda: self.worker(STOCK), folder, known)
        self._pool = ThreadPoolExecutor(max_workers=2)
        self._traces: dict[tuple[str, Cast], Future[Trace]] = {}

    def worker(self, name: str) -> WorkerProcess:
        """The worker of a side, or of a side on another line."""
        if name not in self._workers:
            side, _, line = name.partition("-")
            line = line or build.LINE
            confs = self._confs if side == OURS else {}
            worker = self._workers[name] = WorkerProcess(
                name, jars(side, line), self._folder, confs, python=build.python(line)
            )
            worker.ready()
        return self._workers[name]

    def changes(self, history: History) -> tuple[Change, ...]:
        return self._tables.changes(history)

    def traces(self, script: Script, *casts: Cast) -> list[Trace]:
        """Runs the casts of one call at the same time, each leg on its side."""
        changes = self.changes(script.whole)
        for cast in casts:
            if (script.name, cast) not in self._traces:
                folder = self._folder / f"run-{len(self._traces)}"
                workers = [self.worker(name) for name in cast]
                self._traces[script.name, cast] = self._pool.submit(
                    run, script, workers, changes, folder
                )
        return [self._traces[script.name, cast].result() for cast in casts]

    def close(self) -> None:
        self._pool.shutdown()
        for worker in self._workers.values():
            worker.close()


def script_runner(
    folder: Path, known: Known | None = None, confs: Mapping[str, str] | None = None
) -> ScriptRunner:
    """A runner of both sides, each with its jars; `confs` are for ours."""
    for side in (STOCK, OURS):
        jars(side)
    return ScriptRunner(folder, known, confs or {})


class Legs(Protocol):
    """A script of any kind."""

    @property
    def legs(self) -> int: ...


def alone(name: str, script: Legs) -> Cast:
    return (name,) * script.legs


def in_turns(first: str, script: Legs) -> Cast:
    return turns(first, OURS if first == STOCK else STOCK, script)


def turns(first: str, second: str, script: Legs) -> Cast:
    return tuple((first, second)[leg % 2] for leg in range(script.legs))
