# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Initial tables of batch scripts: stock writes each once, and every script gets a copy."""

import os
import shutil
from pathlib import Path

from parity.harness.worker_process import WorkerProcess

DAY = 86_400
FIRST = 1_704_067_200
"""2024-01-01, the time of version 0; each version after it is a day later."""


class Setups:
    def __init__(self, stock: WorkerProcess, folder: Path) -> None:
        self._stock = stock
        self._folder = folder
        self._written: dict[tuple[str, ...], Path] = {}

    def copy(self, statements: tuple[str, ...], table: Path) -> None:
        if statements not in self._written:
            self._written[statements] = self._write(statements)
        if self._written[statements].is_dir():
            shutil.copytree(self._written[statements], table)

    def _write(self, statements: tuple[str, ...]) -> Path:
        table = self._folder / f"setup-{len(self._written)}"
        for text in statements:
            self._stock.call("sql", text=text.format(table=f"delta.`{table}`", path=table))
        for commit in (table / "_delta_log").glob("*.json"):
            # A version's timestamp is its commit file's: time travel needs known ones.
            time = FIRST + DAY * int(commit.stem)
            os.utime(commit, (time, time))
        return table
