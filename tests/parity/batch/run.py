# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a batch script on one side."""

import json
import re
from pathlib import Path
from typing import Any

from parity.batch.script import BatchScript, Found, Left, Load, Save, Step
from parity.batch.setup import Setups
from parity.harness import codec
from parity.harness.trace import Failure, thrown
from parity.harness.worker_process import WorkerProcess
from parity.sink import log
from parity.sink.script import Sql

MOVING = log.MOVING - {"predicate"}
"""The masked keys, except the predicate: for a batch it is the user's."""


class Runs:
    """Runs scripts on one side; stock writes the setups and reads the final table."""

    def __init__(self, stock: WorkerProcess, folder: Path) -> None:
        self._stock = stock
        self._folder = folder
        self._setups = Setups(stock, folder)
        self._count = 0

    def run(self, script: BatchScript, worker: WorkerProcess) -> Left:
        table = self._folder / f"run-{self._count}" / "table"
        self._count += 1
        table.parent.mkdir(parents=True)
        self._setups.copy(script.setup, table)
        before = log.read(table, MOVING)
        found = [self._step(step, worker, table) for step in script.steps]
        ends = tuple(
            end for end, step in zip(found, script.steps, strict=True) if not isinstance(step, Sql)
        )
        after = log.read(table, MOVING)
        if after == before:
            return Left(ends, (), None)
        changed = tuple(entry for entry in after if entry not in before)
        return Left(ends, changed, _found(self._stock.call("rows", table=str(table))))

    def _step(self, step: Step, worker: WorkerProcess, table: Path) -> Failure | Found | None:
        match step:
            case Sql(text):
                self._stock.call("sql", text=text.format(table=f"delta.`{table}`", path=table))
                return None
            case Save():
                return _failure(
                    worker.call("save", step=codec.plain(step), table=str(table)), table
                )
            case Load():
                answer = worker.call("load", step=codec.plain(step), table=str(table))
                return _failure(answer.get("failure"), table) or _found(answer)


def _found(answer: Any) -> Found:
    return Found(answer["schema"], tuple(answer["rows"]))


def _failure(answer: Any, table: Path) -> Failure | None:
    """The failure without ids and Spark's running numbers."""
    if answer is None:
        return None
    plain = log.UUID.sub("<id>", re.sub(r"#\d+L?", "#", json.dumps(answer)))
    return thrown(json.loads(plain), {str(table): "<table>"})
