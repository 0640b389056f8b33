# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a sink script, each run of its query on its side of the cast."""

import itertools
import json
import os
import shutil
from pathlib import Path

from parity.harness import codec
from parity.harness.both_sides import STOCK, Cast, ScriptRunner
from parity.sink import log
from parity.sink.script import Anew, Failed, Gone, Outcome, Query, SinkScript, Sql, Unnoted


def run(runner: ScriptRunner, script: SinkScript, cast: Cast, folder: Path) -> Outcome:
    return Run(runner, script, folder).run(cast)


class Run:
    def __init__(self, runner: ScriptRunner, script: SinkScript, folder: Path) -> None:
        self._stock = runner.worker(STOCK)
        self._runner = runner
        self._script = script
        self._folder = folder
        self._table = folder / script.folder
        self._ids = itertools.count()
        self._files = itertools.count()
        (folder / "rows").mkdir(parents=True)

    def run(self, cast: Cast) -> Outcome:
        sides = iter(cast)
        failures: list[Failed | None] = []
        for step in self._script.steps:
            match step:
                case Sql(text):
                    self._stock.call("sql", text=text.format(table=f"delta.`{self._table}`"))
                case Query():
                    failures.append(self._batches(step, next(sides)))
                case Unnoted():
                    self._unnoted()
                case Anew():
                    shutil.rmtree(self._folder / "checkpoint")
                case Gone(pattern):
                    for file in self._table.glob(pattern):
                        shutil.rmtree(file) if file.is_dir() else file.unlink()
        return self._outcome(tuple(failures))

    def _batches(self, step: Query, side: str) -> Failed | None:
        for _ in range(step.count):
            self._land(step.rows)
        found = self._runner.worker(side).call(
            "write", step=codec.plain(step), folder=str(self._folder), table=str(self._table)
        )
        if found is None:
            return None
        return Failed(found["condition"], found["kind"])

    def _land(self, count: int) -> None:
        """Adds input files, with times in order: the source reads by modification time."""
        number = next(self._files)
        lines = [json.dumps({"id": next(self._ids)}) + "\n" for _ in range(count)]
        fresh = self._folder / f"fresh-{number}.json"
        fresh.write_text("".join(lines))
        os.utime(fresh, (1_700_000_000 + number, 1_700_000_000 + number))
        fresh.rename(self._folder / "rows" / fresh.name)

    def _unnoted(self) -> None:
        commits = self._folder / "checkpoint" / "commits"
        last = max(int(file.name) for file in commits.iterdir() if file.name.isdigit())
        for name in (f"{last}", f".{last}.crc"):
            (commits / name).unlink(missing_ok=True)

    def _outcome(self, failures: tuple[Failed | None, ...]) -> Outcome:
        if not (self._table / "_delta_log").is_dir():
            return Outcome(failures, (), None, ())
        found = self._stock.call("rows", table=str(self._table))
        return Outcome(failures, log.read(self._table), found["schema"], tuple(found["rows"]))
