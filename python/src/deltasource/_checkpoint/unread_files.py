# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files that a stream still has to read, and which of them later commits remove.

VACUUM may delete a removed file once the table's retention has passed; it keeps all others. A file
that is added again, such as one with a new deletion vector or after RESTORE, is not removed any
more. A change feed also reads files that are not part of the table: the files that a commit
removes, and change files, which VACUUM deletes like files that their commit has removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from deltasource._checkpoint.commit import Commit, ReadFile
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.stored_files import is_in_table


@dataclass(frozen=True)
class UnreadFiles:
    """What the commits after an offset say about the files that were not read.

    Args:
        sizes: The sizes of the files that the stream still has to read of these commits, in bytes.
        removed: The stored files that are needed and that the table does not need any more, and
            since when, in seconds since 1970.
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
        cls,
        offset: Offset,
        oldest: Commit | None,
        later: Iterable[Commit | None],
        *,
        change_feed: bool,
    ) -> UnreadFiles:
        """Read the commits after an offset: that of its version, then the later ones, once."""
        sizes: list[int] = []
        needed = _Needed(offset.is_initial_snapshot)
        vacuum: float | None = None
        for commit, first in _unread(offset, oldest, later):
            if commit is None:
                return cls(sizes, needed.removed, vacuum, complete=False)
            files = commit.read_by(change_feed=change_feed)[first:]
            sizes += [file.size for file in files]
            needed.follow(commit, files)
            vacuum = vacuum if commit.vacuum_retention is None else commit.vacuum_retention
        return cls(sizes, needed.removed, vacuum, complete=True)

    def oldest_removed(self, count: int) -> Sequence[str]:
        """Return the files of the table that were removed first, at most `count`."""
        here = ((seconds, name) for name, seconds in self.removed.items() if is_in_table(name))
        return [name for _, name in nsmallest(count, here)]


def _unread(
    offset: Offset, oldest: Commit | None, later: Iterable[Commit | None]
) -> Iterator[tuple[Commit | None, int]]:
    """Return each commit after an offset with the number of the first file that was not read."""
    if not offset.is_initial_snapshot:
        yield oldest, max(0, offset.index + 1)
    for commit in later:
        yield commit, 0


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

    def follow(self, commit: Commit, files: Sequence[ReadFile]) -> None:
        """Apply a commit, of which these files are needed.

        What it both removes and adds is there after it.
        """
        for name, seconds in commit.removed.items():
            if name in self._needed or (self._in_snapshot and name not in self._others):
                self._needed.add(name)
                self.removed[name] = seconds
        present = {name for file in commit.added for name in file.stored}
        for name in present:
            self.removed.pop(name, None)
        self._others |= present
        for file in files:
            self._needed.update(file.stored)
            if file.unneeded_since is not None:
                absent = (name for name in file.stored if name not in present)
                self.removed.update(dict.fromkeys(absent, file.unneeded_since))
