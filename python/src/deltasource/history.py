# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The newest batches of one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from deltasource._options.rules import check
from deltasource.progress import Progress

KEEP_ALLOWED = "a whole number, at least 1"


def require_keep(keep: object) -> None:
    """Raise OptionsError unless that many progresses can be kept."""
    check(("keep", keep, type(keep) is int and keep >= 1, KEEP_ALLOWED))


class History(Sequence[Progress]):
    """The newest progresses of one query, oldest first, at most `keep` of them.

    It grows while its query runs, from another thread than the reader's; each question is answered
    from one state of it, also a loop. `tuple(history)` is what it holds now.

    Raises OptionsError where keep is not a whole number above 0; by default it is 500.
    """

    def __init__(self, *, keep: int = 500) -> None:
        require_keep(keep)
        self._keep = keep
        self._items: tuple[Progress, ...] = ()

    def add(self, progress: Progress) -> None:
        """Take one in at the end, and let the oldest go where there are too many."""
        self._items = (*self._items, progress)[-self._keep :]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Progress]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> Progress: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Progress]: ...
    def __getitem__(self, index: int | slice) -> Progress | Sequence[Progress]:
        return self._items[index]

    def __repr__(self) -> str:
        newest = f", newest: {self._items[-1]}" if self._items else ""
        return f"<History of {len(self._items)} batches{newest}>"
