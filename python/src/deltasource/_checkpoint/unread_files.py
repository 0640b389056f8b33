# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files that a stream still has to read, and which of them later commits remove.

VACUUM may delete a removed file once the table's retention has passed; it keeps all others. A file
that is added again, such as one with a new deletion vector or after RESTORE, is not removed any
more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from deltasource._checkpoint.commit import AddedFile, Commit
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.stored_files import is_in_table


@dataclass(frozen=True)
class UnreadFiles:
    """What the commits after an offset say about the files that were not read.

    Args:
        sizes: The sizes of the data files that these commits add, in bytes.
        removed: The stored files that are needed and were removed, and when, in seconds since 1970.
        vacuum_retention: How long the latest VACUUM keeps removed files, in seconds; None if
            these commits have none.
        complete: Whether all of these commits could be read.
    """

    sizes: Sequence[int]
    removed: Mapping[str, float]
    vacuum_retention: float | None
    complete: bool

    @classmethod
    def after(
        cls, offset: Offset, oldest: Commit | None, later: Iterable[Commit | None]
    ) -> UnreadFiles:
        """Read the commits after an offset: that of its version, then the later ones, once."""
        sizes: list[int] = []
        needed = _Needed(offset.is_initial_snapshot)
        vacuum: float | None = None
        for commit, added in _unread(offset, oldest, later):
            if commit is None:
                return cls(sizes, needed.removed, vacuum, complete=False)
            sizes += [file.size for file in added if file.data_change]
            needed.follow(commit.removed, added)
            vacuum = vacuum if commit.vacuum_retention is None else commit.vacuum_retention
        return cls(sizes, needed.removed, vacuum, complete=True)

    def oldest_removed(self, count: int) -> Sequence[str]:
        """Return the files of the table that were removed first, at most `count`."""
        here = ((seconds, name) for name, seconds in self.removed.items() if is_in_table(name))
        return [name for _, name in nsmallest(count, here)]


def _unread(
    offset: Offset, oldest: Commit | None, later: Iterable[Commit | None]
) -> Iterator[tuple[Commit | None, Sequence[AddedFile]]]:
    """Return each commit after an offset with the files that it adds and that were not read."""
    if not offset.is_initial_snapshot:
        files = [] if oldest is None else [file for file in oldest.added if file.data_change]
        yield oldest, files[max(0, offset.index + 1) :]
    for commit in later:
        yield commit, () if commit is None else commit.added


class _Needed:
    """The stored files that are needed, while commits are followed in their order.

    The commits after an initial snapshot do not list its files. A file that they remove without
    having added it is one of them.
    """

    def __init__(self, in_snapshot: bool) -> None:
        self.removed: dict[str, float] = {}
        self._in_snapshot = in_snapshot
        self._needed: set[str] = set()
        self._others: set[str] = set()

    def follow(self, removed: Mapping[str, float], added: Sequence[AddedFile]) -> None:
        """Apply a commit. What it both removes and adds is there after it."""
        for name, seconds in removed.items():
            if name in self._needed or (self._in_snapshot and name not in self._others):
                self._needed.add(name)
                self.removed[name] = seconds
        for file in added:
            for name in file.stored:
                self.removed.pop(name, None)
                if file.data_change:
                    self._needed.add(name)
                else:
                    self._others.add(name)
