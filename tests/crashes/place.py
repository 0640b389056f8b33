# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Where everything is, and how far each stream has come according to its files."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

STORED = "_apply_changes/_delta_log"


@dataclass(frozen=True)
class State:
    """The state of one target at one moment."""

    data: int
    """Data files, including those in no commit."""
    version: int
    batch: int
    """The last batch in the query's commit log, -1 for none."""
    unfinished: int
    """Temporary files of checkpoints."""
    stored: int = 0
    """Commits of the events that `apply_changes` stores."""


@dataclass(frozen=True)
class Place:
    folder: Path
    streams: int

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @cached_property
    def targets(self) -> tuple[Path, ...]:
        return tuple(self.folder / f"target-{number}" for number in range(self.streams))

    def checkpoint(self, target: Path) -> Path:
        return self.folder / f"checkpoint-{target.name}"

    def state(self, target: Path) -> State:
        log = names(target / "_delta_log")
        noted = names(self.checkpoint(target) / "commits")
        return State(
            sum(name.endswith(".parquet") for name in names(target)),
            len(commits(log)) - 1,
            max((int(name) for name in noted if name.isdigit()), default=-1),
            sum("checkpoint" in name and name.startswith(".") and "tmp" in name for name in log),
            len(commits(names(target / STORED))),
        )

    def stored_alone(self, target: Path) -> int:
        """The version of stored events that are newer than the target's last commit, or -1."""
        stored, committed = (newest(folder) for folder in (target / STORED, target / "_delta_log"))
        if (
            stored is None
            or committed is None
            or stored.stat().st_mtime <= committed.stat().st_mtime
        ):
            return -1
        return int(stored.stem)

    def marked(self, target: Path) -> int:
        """The last batch committed to the table."""
        return max(
            (action["txn"]["version"] for action in self._log(target) if "txn" in action),
            default=-1,
        )

    def added(self, target: Path) -> int:
        """How many files the table's commits add."""
        return sum("add" in action for action in self._log(target))

    def _log(self, target: Path) -> Iterator[dict[str, Any]]:
        for commit in commits(names(target / "_delta_log")):
            for line in (target / "_delta_log" / commit).read_text().splitlines():
                yield json.loads(line)


def newest(log: Path) -> Path | None:
    return max((log / name for name in commits(names(log))), default=None)


def commits(log: list[str]) -> list[str]:
    return [name for name in log if re.fullmatch(r"\d{20}\.json", name)]


def names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except FileNotFoundError:
        return []
