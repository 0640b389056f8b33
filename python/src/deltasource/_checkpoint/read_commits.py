# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commits that the batches of a checkpoint have read, and how much each batch has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deltasource._checkpoint.commit import Commit
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.table_log import TableLog

MAX_COMMITS: Final = 1000
"""How many commits are read at most, because each is a request on an object store."""


@dataclass(frozen=True, kw_only=True)
class ReadCommit:
    """What is kept of a commit.

    Args:
        seconds: Its time, in seconds since 1970.
        operation: What made it, such as "WRITE"; None if it does not say.
        removes_data: Whether it removes or rewrites rows.
        sizes: The sizes of the files that a stream reads, in bytes, in their order.
    """

    seconds: float
    operation: str | None
    removes_data: bool
    sizes: Sequence[int]

    @classmethod
    def of(cls, commit: Commit, *, change_feed: bool) -> ReadCommit:
        """Return what is kept of a commit, for a change feed or a row stream."""
        files = commit.changes if change_feed else commit.rows
        return cls(
            seconds=commit.seconds,
            operation=commit.operation,
            removes_data=commit.removes_data,
            sizes=[file.size for file in files],
        )


@dataclass(frozen=True)
class FilesRead:
    """The files between two offsets, and their size in bytes if it is known."""

    files: int
    bytes: int | None


def read_commits(log: TableLog, first: int, *, change_feed: bool) -> Mapping[int, ReadCommit]:
    """Read the commits from a version on, at most the latest 1,000; without those that are gone."""
    versions = [one for one in sorted(log.files) if one >= first][-MAX_COMMITS:]
    found = ((version, log.commit(version)) for version in versions)
    return {
        version: ReadCommit.of(commit, change_feed=change_feed)
        for version, commit in found
        if commit is not None
    }


def files_between(
    start: Offset | None, end: Offset, commits: Mapping[int, ReadCommit]
) -> FilesRead | None:
    """Return what a batch has read: everything after `start`, up to and including `end`.

    None if that is unknown: if a commit is not there, or if the batch has read an unknown part of
    the initial snapshot. `start` is None for the first batch of a query.
    """
    end = end.normalized
    if end.is_initial_snapshot:
        return _in_snapshot(start, end)
    if start is None or start.is_initial_snapshot:
        return None
    start = start.normalized
    sizes: list[int] = []
    for version in range(start.version, end.version + 1):
        last = end.index + 1 if version == end.version else None
        if last is not None and last <= 0:
            break
        commit = commits.get(version)
        if commit is None:
            return None
        first = max(0, start.index + 1) if version == start.version else 0
        sizes += commit.sizes[first:last]
    return FilesRead(len(sizes), sum(sizes))


def _in_snapshot(start: Offset | None, end: Offset) -> FilesRead | None:
    """Count the files of a batch inside the initial snapshot, which are numbered from 0."""
    if start is not None and (start.version, start.is_initial_snapshot) != (end.version, True):
        return None
    before = -1 if start is None else max(-1, start.index)
    return FilesRead(max(-1, end.index) - before, None)
