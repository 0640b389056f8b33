# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every allowed difference between ours and stock, with its reason. Any other one is a bug.

The names are those of differences.md. A script names the entry it needs in `allows`; an entry
that no script needs fails the run, and so does a script that no longer needs its entry.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from parity.harness.trace import Trace, batches, failure


@dataclass(frozen=True, kw_only=True)
class Difference:
    name: str
    reason: str
    explains: Callable[[Trace, Trace], bool]
    """Whether stock's trace and ours differ in this way and no other."""
    fewer: bool
    """Whether stock delivers fewer rows than it should."""
    more: bool = False
    """Whether stock delivers rows that it should not deliver."""


def good_data_first(stock: Trace, ours: Trace) -> bool:
    """Ours has the same batches and perhaps more, and ends in the same error."""
    return failure(stock) is not None and failure(stock) == failure(ours) and goes_on(stock, ours)


def ends_in(condition: str) -> Callable[[Trace, Trace], bool]:
    """Ours ends in its own error; up to the end of the shorter trace both are the same."""

    def explains(stock: Trace, ours: Trace) -> bool:
        found = failure(ours)
        same = goes_on(stock, ours) or goes_on(ours, stock)
        return found is not None and found.condition == condition and same

    return explains


def goes_on(one: Trace, other: Trace) -> bool:
    """Whether `other` has all batches, offsets and commits of `one`, and perhaps more."""
    return all(
        longer[: len(shorter)] == shorter
        for shorter, longer in (
            (batches(one), batches(other)),
            (one[-1].offsets, other[-1].offsets),
            (one[-1].commits, other[-1].commits),
        )
    )


def more_rows(stock: Trace, ours: Trace) -> bool:
    """Neither fails, and ours has all rows of stock and perhaps more, as the script expects."""
    mine = Counter(row for batch in batches(ours) for row in batch.rows)
    theirs = Counter(row for batch in batches(stock) for row in batch.rows)
    return failure(stock) is None and failure(ours) is None and not theirs - mine


def unharmed(stock: Trace, ours: Trace) -> bool:
    """Only stock fails, and both deliver the same in the end."""

    def rows(trace: Trace) -> Counter[object]:
        return Counter(row for batch in batches(trace) for row in batch.rows)

    return failure(stock) is not None and failure(ours) is None and rows(stock) == rows(ours)


def fewer_rows(stock: Trace, ours: Trace) -> bool:
    """Neither fails, and stock has all rows of ours and perhaps more; the script lists ours."""
    return more_rows(ours, stock)


DIFFERENCES = (
    Difference(
        name="The first deletion vectors of a table, made while a stream runs",
        reason="deleted rows must not be delivered",
        explains=fewer_rows,
        fewer=False,
        more=True,
    ),
    Difference(
        name="After the bound of AvailableNow",
        reason="what comes after the bound belongs to the next run",
        explains=unharmed,
        fewer=False,
    ),
    Difference(
        name="The recorded start",
        reason="rows committed while a stream is stopped before its first batch must not be lost",
        explains=more_rows,
        fewer=True,
    ),
    Difference(
        name="Good data first",
        reason="good rows should not wait until a bad commit is fixed",
        explains=good_data_first,
        fewer=True,
    ),
    Difference(
        name="The bound of AvailableNow",
        reason="start-up should not grow with the backlog: a bad commit fails when it is reached",
        explains=good_data_first,
        fewer=True,
    ),
    Difference(
        name="Empty commit file",
        reason="a writer that dies while committing leaves such a file, and its rows would be lost",
        explains=ends_in("DELTASOURCE_EMPTY_COMMIT"),
        fewer=False,
    ),
    Difference(
        name="Commit that cannot be read",
        reason="the message should name the file; data before it is good",
        explains=ends_in("DELTASOURCE_UNREADABLE_COMMIT"),
        fewer=True,
    ),
    Difference(
        name="Data file that is gone",
        reason="the message should name the version of the table, and the VACUUM",
        explains=ends_in("DELTASOURCE_FILE_VACUUMED"),
        fewer=False,
    ),
    Difference(
        name="Data file that cannot be read",
        reason="the message should name the version of the table, and say what to do",
        explains=ends_in("DELTASOURCE_UNREADABLE_DATA_FILE"),
        fewer=False,
    ),
    Difference(
        name="Offset that cannot be read",
        reason="the message should name the file",
        explains=ends_in("DELTASOURCE_MALFORMED_OFFSET"),
        fewer=False,
    ),
    Difference(
        name="Offset beyond the newest version",
        reason="a table restored from a copy should be distinguishable from a bug",
        explains=ends_in("DELTASOURCE_OFFSET_BEYOND_TABLE"),
        fewer=False,
    ),
)


def difference(name: str) -> Difference | None:
    """The difference that a script allows, if any."""
    found = {entry.name: entry for entry in DIFFERENCES}
    return found[name] if name else None
