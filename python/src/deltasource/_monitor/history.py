# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The latest progress of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from deltasource._monitor.events import QueryFailed
from deltasource._monitor.history_html import history_html
from deltasource._monitor.progress import Progress
from deltasource._options.validation import Rule, validate

KEEP_ALLOWED = "must be an integer of at least 1"


def keep_rule(keep: object) -> Rule:
    """Return the rule for the number of progress reports to keep."""
    return "keep", keep, type(keep) is int and keep >= 1, KEEP_ALLOWED


class History(Sequence[Progress]):
    """The latest progress of one query, as a sequence, oldest first.

    It grows in another thread while its query runs. Each call, and each loop, sees one consistent
    state. `tuple(history)` is a copy of the current state.

    The attribute `failure` is the `QueryFailed` that ended the latest run; None if that has not
    failed. A query that failed before the end of its first batch has a history without batches.

    Args:
        keep: How many progress reports to keep, 500 by default.

    Raises:
        OptionsError: `keep` is not an integer of at least 1.

    Example:
        >>> from deltasource import History
        >>> len(History(keep=100))
        0
    """

    def __init__(self, *, keep: int = 500) -> None:
        validate(keep_rule(keep))
        self.failure: QueryFailed | None = None
        self._keep = keep
        self._items: tuple[Progress, ...] = ()

    def add(self, progress: Progress) -> None:
        """Append a progress report, and drop the oldest if there are more than `keep`.

        Args:
            progress: The report of a batch that is newer than all others.

        Example:
            >>> from deltasource import History
            >>> history = History()
            >>> history.add(progress)  # doctest: +SKIP
        """
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
        latest = f", latest: {self._items[-1]}" if self._items else ""
        failed = f", failed: {self.failure}" if self.failure is not None else ""
        return f"<History of {len(self._items)} batches{latest}{failed}>"

    def _repr_html_(self) -> str:
        """Return a chart of the batches and a table of the latest, for notebooks."""
        return history_html(self._items)


class _UnknownQueryError(KeyError):
    """A query that has no history; as text it is its message, without the quotes of KeyError."""

    def __str__(self) -> str:
        return str(self.args[0])


class Histories(Mapping[str, History]):
    """The histories of queries, by name or id; queries are added while others read it."""

    def __init__(self) -> None:
        self._histories: dict[str, History] = {}

    def added(self, query: str, history: History) -> History:
        """Add the history of a query, and return it."""
        # Changing a dictionary breaks loops over it; replacing it does not.
        self._histories = {**self._histories, query: history}
        return history

    def __getitem__(self, query: str) -> History:
        histories = self._histories
        if query not in histories:
            known = ", ".join(map(repr, histories)) or "none yet"
            raise _UnknownQueryError(
                f"no query {query!r} has ended a batch or failed while it was monitored, only "
                f"these: {known}. A query without a name has its id as key"
            )
        return histories[query]

    def __iter__(self) -> Iterator[str]:
        return iter(self._histories)

    def __len__(self) -> int:
        return len(self._histories)

    def __repr__(self) -> str:
        return repr(self._histories)
