# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes the tables of the scenarios, in a given size.

Delta's writers leave a checksum file for each commit, and a checkpoint every ten commits. These
tables have only those that a stream reads; others would only make listings longer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench import data_file
from bench.logs import CHECKPOINT_INTERVAL, LAST_CHECKPOINT, Log, batched
from bench.writer import DATA_FILE

COMMIT: Final = 1000
"""Files per commit of a table that is read as an initial snapshot."""

DELETE_FILES: Final = 20
"""Number of files; each version deletes one more row of one of them, in turn."""

ARRIVING: Final = 500
"""Versions that arrive during a `follow` run."""

GROWING_FILES: Final = 1_000
"""Files in a table before versions with data arrive."""

TARGET_VERSION: Final = 6
"""The version of a table before batches are written into it; few batches are due a checkpoint."""


def snapshot(table: Path, _: Path, files: int) -> None:
    log = Log.of(table)
    commits = list(batched(files, COMMIT))
    for version, numbers in enumerate(commits):
        log.commit(version, numbers)
    log.checksum(len(commits) - 1, files)


def one_commit(table: Path, _: Path, files: int) -> None:
    log = Log.of(table)
    log.commit(0)
    log.commit(1, range(files))
    log.checksum(1, files)


def backlog(table: Path, _: Path, commits: int) -> None:
    log = Log.of(table)
    for version in range(commits):
        log.commit(version, [version])
    log.checkpoint(commits - 1, range(commits))
    log.checksum(0, 1)
    log.checksum(commits - 1, commits)


def long_log(table: Path, _: Path, objects: int) -> None:
    """Write a log with many objects, most of them older than its checkpoint."""
    log = Log.of(table)
    for version in range(objects - 4):
        log.commit(version)
    log.checkpoint(objects - 5, range(100))
    log.commit(objects - 4, [100])
    log.checksum(objects - 4, 101)


def since_checkpoint(table: Path, _: Path, commits: int) -> None:
    """Write a log with many commits after its last checkpoint, and without checksum files."""
    log = Log.of(table)
    log.commit(0, range(100))
    log.checkpoint(0, range(100))
    for version in range(1, commits + 1):
        log.commit(version, [100 + version])


def deletes(table: Path, _: Path, versions: int) -> None:
    log = Log.of(table, vectors=True)
    log.commit(0, range(DELETE_FILES))
    for version in range(1, versions + 1):
        rows, number = divmod(version - 1, DELETE_FILES)
        log.delete(version, number, rows + 1)
    log.checksum(1, DELETE_FILES)
    log.checksum(versions, DELETE_FILES)


def steady(*, checksums: bool) -> Callable[[Path, Path, int], None]:
    def write(table: Path, waiting: Path, files: int) -> None:
        log = Log.of(table)
        log.commit(0)
        log.checkpoint(0, range(files))
        arriving = Log.of(waiting)
        for version in range(1, ARRIVING + 1):
            arriving.commit(version, [files + version])
        if checksums:
            log.checksum(0, files)
            for version in range(1, ARRIVING + 1):
                arriving.checksum(version, files + version)

    return write


def growing(table: Path, waiting: Path, commits: int) -> None:
    """Write a table, and versions with a file of 1 MB each for `bench.writer` to add.

    The first files are in the log only: a stream that starts at the latest version reads none.
    """
    waiting.mkdir()
    data = data_file.write(waiting / DATA_FILE)
    log = Log.of(table, data=data)
    log.commit(0, range(GROWING_FILES))
    log.checkpoint(0, range(GROWING_FILES))
    log.checksum(0, GROWING_FILES)
    arriving = Log.of(waiting, data=data)
    for version in range(1, commits + 1):
        files = GROWING_FILES + version
        arriving.commit(version, [files - 1])
        arriving.checksum(version, files)
        if version % CHECKPOINT_INTERVAL == 0:
            arriving.checkpoint(version, range(files))
            pointer = arriving.folder / LAST_CHECKPOINT
            pointer.rename(arriving.folder / f"{version:020}{LAST_CHECKPOINT}")


def target(*, checksums: bool) -> Callable[[Path, Path, int], None]:
    """Build a table to write batches into; the fourth batch, version 10, is due a checkpoint."""

    def write(table: Path, _: Path, files: int) -> None:
        log = Log.of(table)
        for version in range(TARGET_VERSION):
            log.commit(version)
        log.commit(TARGET_VERSION, range(files))
        log.checkpoint(TARGET_VERSION, range(files))
        if checksums:
            log.checksum(TARGET_VERSION, files)

    return write
