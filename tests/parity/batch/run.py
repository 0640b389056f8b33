# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a batch script on one side."""

import json
import re
from pathlib import Path
from typing import Any

from parity import codec
from parity.batch.script import BatchScript, Found, Left, Load, Save, Step
from parity.batch.setup import Setups
from parity.side import Side
from parity.sink import log
from parity.sink.script import Sql
from parity.trace import Failure, thrown

MOVING = log.MOVING - {"predicate"}
"""A predicate is what a batch was asked for; a stream has none of its own."""


class Runs:
    """Stock writes setups and reads what a script left."""

    def __init__(self, stock: Side, folder: Path) -> None:
        self._stock = stock
        self._folder = folder
        self._setups = Setups(stock, folder)
        self._count = 0

    def run(self, script: BatchScript, side: Side) -> Left:
        table = self._folder / f"run-{self._count}" / "table"
        self._count += 1
        table.parent.mkdir(parents=True)
        self._setups.copy(script.setup, table)
        before = log.read(table, MOVING)
        found = [self._step(step, side, table) for step in script.steps]
        ends = tuple(
            end for end, step in zip(found, script.steps, strict=True) if not isinstance(step, Sql)
        )
        after = log.read(table, MOVING)
        if after == before:
            return Left(ends, (), None)
        changed = tuple(entry for entry in after if entry not in before)
        return Left(ends, changed, _found(self._stock.call("rows", table=str(table))))

    def _step(self, step: Step, side: Side, table: Path) -> Failure | Found | None:
        match step:
            case Sql(text):
                self._stock.call("sql", text=text.format(table=f"delta.`{table}`", path=table))
                return None
            case Save():
                return _failure(side.call("save", step=codec.plain(step), table=str(table)), table)
            case Load():
                told = side.call("load", step=codec.plain(step), table=str(table))
                return _failure(told.get("failure"), table) or _found(told)


def _found(told: Any) -> Found:
    return Found(told["schema"], tuple(told["rows"]))


def _failure(told: Any, table: Path) -> Failure | None:
    """Without ids, and numbers that Spark gives out as it goes."""
    if told is None:
        return None
    plain = log.UUID.sub("<id>", re.sub(r"#\d+L?", "#", json.dumps(told)))
    return thrown(json.loads(plain), {str(table): "<table>"})
