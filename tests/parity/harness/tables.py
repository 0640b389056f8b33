# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Tables written once and copied for each run, with the same bytes and the same file times.

A history is written by one side, operation by operation; each operation's effect on the files is
kept as a `Change`. A copy of the table is made by applying all changes so far. Commits get times an
hour apart, so that scripts can use their timestamps.
"""

import itertools
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Protocol, TypeAlias

from parity.expected_rows import added
from parity.harness.worker_process import WorkerProcess
from parity.history import Checkpoint, History, LogEdit, Op

EPOCH = datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp()
HOUR = 3600

States: TypeAlias = dict[str, tuple[int, int]]
"""The time and size of each file of a table."""


@dataclass(frozen=True)
class Change:
    """The effect of one operation: `folder` holds the new and changed files."""

    folder: Path
    gone: tuple[str, ...]

    def apply(self, table: Path) -> None:
        files = sorted((file for file in self.folder.rglob("*") if file.is_file()), key=turn)
        for file in files:
            place(file, table / file.relative_to(self.folder))
        for name in self.gone:
            (table / name).unlink()


def turn(file: Path) -> tuple[bool, bool, str]:
    """Sort key: data, then the log, its commit last, so that no commit precedes its files."""
    return "_delta_log" in file.parts, file.suffix == ".json", file.name


def place(source: Path, target: Path) -> None:
    """Places a file atomically, with its final modification time."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"_fresh_{target.name}")
    shutil.copy2(source, fresh)
    fresh.replace(target)


class Known(Protocol):
    """Recorded histories, which need not be written again."""

    def changes(self, history: History, folder: Path, /) -> tuple[Change, ...] | None: ...


class Tables:
    """Writes each history once; a prefix shared with an earlier history is reused."""

    def __init__(
        self, writer: Callable[[], WorkerProcess], folder: Path, known: Known | None
    ) -> None:
        self._writer = writer
        self._folder = folder
        self._known = known
        self._written: dict[History, tuple[Change, ...]] = {}
        self._count = itertools.count()

    def changes(self, history: History) -> tuple[Change, ...]:
        if history not in self._written:
            folder = self._folder / f"history-{next(self._count)}"
            found = self._known.changes(history, folder) if self._known else None
            self._written[history] = found or self._write(history, folder)
        return self._written[history]

    def _write(self, history: History, folder: Path) -> tuple[Change, ...]:
        nearest = max(self._written, key=lambda other: common(history, other), default=())
        known = self._written.get(nearest, ())[: common(history, nearest)]
        writer = self._writer()
        with writer.lock:
            return write(writer, history, known, folder)


def common(one: History, other: History) -> int:
    """The length of the common prefix of two histories."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def write(
    writer: WorkerProcess, history: History, known: tuple[Change, ...], folder: Path
) -> tuple[Change, ...]:
    table = folder / "table"
    table.mkdir(parents=True)
    for change in known:
        change.apply(table)
    changes = list(known)
    before = files(table)
    for number, op in enumerate(history[len(known) :], len(known)):
        perform(writer, op, table, len(added(history[:number])))
        clock(table / "_delta_log")
        after = files(table)
        changes.append(kept(table, before, after, folder / f"change-{number}"))
        before = after
    return tuple(changes)


def kept(table: Path, before: States, after: States, folder: Path) -> Change:
    folder.mkdir()
    for name, state in after.items():
        if before.get(name) != state:
            place(table / name, folder / name)
    return Change(folder, tuple(sorted(before.keys() - after.keys())))


def perform(writer: WorkerProcess, op: Op, table: Path, first: int) -> None:
    if isinstance(op, Checkpoint):
        writer.call("checkpoint", table=str(table), part_size=op.part_size, form=op.form)
    elif isinstance(op, LogEdit):
        op.cut(table / "_delta_log")
    else:
        writer.call("sql", text=op.sql(f"delta.`{table}`", first))


def clock(log: Path) -> None:
    for file in log.glob("*.json"):
        if not file.stem.isdigit():
            continue
        time = EPOCH + HOUR * int(file.stem)
        os.utime(file, (time, time))


def files(table: Path) -> States:
    return {
        str(file.relative_to(table)): (file.stat().st_mtime_ns, file.stat().st_size)
        for file in table.rglob("*")
        if file.is_file()
    }
