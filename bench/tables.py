# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The tables of the scenarios: each is written into a folder, in some size.

Delta's own writers leave a checksum file beside each commit, and a checkpoint at each tenth. Here
the versions have them that a stream asks for; other ones would only lengthen listings.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench.logs import Log, batched

COMMIT: Final = 1000
"""Files in a commit of a table that is all snapshot."""

DELETED_FROM: Final = 20
"""Files from which a row is deleted in turns, with a deletion vector."""

FOLLOWED: Final = 500
"""Versions that arrive while a stream is followed."""

CHECKPOINTED: Final = 6
"""The version that a table has before batches are written into it: few of them reach a tenth."""


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
    """A log of so many objects, most of them older than its checkpoint, as before a clean-up."""
    log = Log.of(table)
    for version in range(objects - 4):
        log.commit(version)
    log.checkpoint(objects - 5, range(100))
    log.commit(objects - 4, [100])
    log.checksum(objects - 4, 101)


def since_checkpoint(table: Path, _: Path, commits: int) -> None:
    """A log whose writer leaves neither checkpoints nor checksum files."""
    log = Log.of(table)
    log.commit(0, range(100))
    log.checkpoint(0, range(100))
    for version in range(1, commits + 1):
        log.commit(version, [100 + version])


def deletes(table: Path, _: Path, versions: int) -> None:
    log = Log.of(table, vectors=True)
    log.commit(0, range(DELETED_FROM))
    for version in range(1, versions + 1):
        rows, number = divmod(version - 1, DELETED_FROM)
        log.delete(version, number, rows + 1)
    log.checksum(1, DELETED_FROM)
    log.checksum(versions, DELETED_FROM)


def steady(*, checksums: bool) -> Callable[[Path, Path, int], None]:
    def write(table: Path, waiting: Path, files: int) -> None:
        log = Log.of(table)
        log.commit(0)
        log.checkpoint(0, range(files))
        arriving = Log.of(waiting)
        for version in range(1, FOLLOWED + 1):
            arriving.commit(version, [files + version])
        if checksums:
            log.checksum(0, files)
            for version in range(1, FOLLOWED + 1):
                arriving.checksum(version, files + version)

    return write


def target(*, checksums: bool) -> Callable[[Path, Path, int], None]:
    """Build a table that batches are written into: the fourth of them, version 10, checkpoints."""

    def write(table: Path, _: Path, files: int) -> None:
        log = Log.of(table)
        for version in range(CHECKPOINTED):
            log.commit(version)
        log.commit(CHECKPOINTED, range(files))
        log.checkpoint(CHECKPOINTED, range(files))
        if checksums:
            log.checksum(CHECKPOINTED, files)

    return write
