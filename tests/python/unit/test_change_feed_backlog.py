# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The backlog of a change feed, which reads other files than a stream of rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deltasource import Checkpoint, Lag, OptionsError
from support.checkpoint_samples import add, cdc, checkpoint, offset, remove, vacuum_start
from support.daily_table import DAY, WEEK, Actions, Backlog

MONTH = 30 * 24.0
CHANGE = "_change_data/c"
UPDATE = [remove("a", DAY, data=True), add(5, path="b"), cdc(7, path=CHANGE)]
"""What an UPDATE of the file a writes with a change feed, on the first day."""


@pytest.fixture
def backlog(tmp_path: Path) -> Backlog:
    """Return a function that writes a table and computes the backlog of a stream."""
    return Backlog(tmp_path)


def feed(backlog: Backlog, *commits: Sequence[Actions], **given: Any) -> Lag:
    """Compute the backlog of a change feed; all files exist unless it is said."""
    given.setdefault("exist", ("a", "b", "c", CHANGE))
    return backlog(*commits, change_feed=True, **given)


def test_change_files_count_from_the_time_of_their_commit(backlog: Backlog) -> None:
    """VACUUM deletes them when the retention of data files has passed, though nothing is removed.

    A stream of rows reads the file that the commit adds, and nothing removes that.
    """
    lag = feed(backlog, UPDATE)
    assert (lag.files, lag.bytes) == (1, 7)
    assert (lag.hours_to_data_loss, lag.data_loss_limit) == (WEEK - 48, "data_files")
    rows = backlog(UPDATE)
    assert (rows.files, rows.bytes) == (1, 5)
    assert (rows.hours_to_data_loss, rows.data_loss_limit) == (MONTH - 48, "log")


def test_the_in_commit_timestamp_is_the_time_of_change_files(backlog: Backlog) -> None:
    """It comes first, wherever it is in the commit."""
    at = {"commitInfo": {"inCommitTimestamp": int(2 * DAY * 1000)}}
    assert feed(backlog, [*UPDATE, at]).hours_to_data_loss == WEEK - 24
    assert feed(backlog, [at, *UPDATE]).hours_to_data_loss == WEEK - 24


def test_a_file_that_is_removed_without_change_files_is_read(backlog: Backlog) -> None:
    """Its rows are the deleted ones, so it is needed although it was not added by these commits."""
    deletion = [remove("a", 1.5 * DAY, data=True)]
    lag = feed(backlog, deletion)
    assert (lag.files, lag.hours_to_data_loss) == (1, WEEK - 36)
    assert backlog(deletion).hours_to_data_loss == MONTH - 48
    sized = {"remove": {**remove("a", DAY, data=True)["remove"], "size": 9}}
    assert feed(backlog, [sized]).bytes == 9


def test_what_a_change_feed_does_not_read_is_not_limited(backlog: Backlog) -> None:
    """It reads neither what OPTIMIZE wrote, nor the data files of a commit with change files."""
    optimize = [remove("a", DAY), add(5, path="b", data=False)]
    lag = feed(backlog, optimize, exist=())
    assert (lag.files, lag.lost_file, lag.data_loss_limit) == (0, None, "log")
    later = [remove("b", 2 * DAY, data=True), cdc(1, path="_change_data/d")]
    assert feed(backlog, UPDATE, later, exist=(CHANGE, "_change_data/d")).lost_file is None


def test_a_file_that_was_appended_is_limited_once_it_is_removed(backlog: Backlog) -> None:
    """Appended files are read like those of a stream of rows."""
    appends = [add(1, path="a")]
    assert feed(backlog, appends).data_loss_limit == "log"
    lag = feed(backlog, appends, [remove("a", 2 * DAY)])
    assert (lag.files, lag.hours_to_data_loss) == (1, WEEK - 24)


def test_a_change_file_that_is_gone_is_named(backlog: Backlog) -> None:
    """Nothing is left; a stream of rows has lost nothing."""
    lag = feed(backlog, UPDATE, exist=("a", "b"))
    assert (lag.hours_to_data_loss, lag.data_loss_limit) == (0.0, "data_files")
    assert lag.lost_file == str(backlog.table / CHANGE)
    assert backlog(UPDATE, exist=("a", "b")).lost_file is None


@pytest.mark.parametrize(
    ("read", "hours", "lost"),
    [
        (offset(1), 0.0, "a"),
        (offset(1, 0), 0.0, "a"),
        (offset(1, 1), MONTH - 24, None),
        (offset(2), MONTH - 24, None),
    ],
)
def test_files_are_numbered_as_a_change_feed_numbers_them(
    read: str, hours: float, lost: str | None, backlog: Backlog
) -> None:
    """Removed and added files count in the order of the commit; what was read is not needed."""
    both = [add(1, path="b"), remove("a", DAY, data=True)]
    lag = feed(backlog, both, [add(1, path="c")], read=read, exist=("b", "c"))
    assert (lag.hours_to_data_loss, lag.data_loss_limit) == (
        hours,
        "data_files" if lost else "log",
    )
    assert lag.lost_file == (None if lost is None else str(backlog.table / lost))


def test_change_files_that_were_read_are_not_looked_for(backlog: Backlog) -> None:
    """A batch of a change feed ends at the last change file of a commit."""
    lag = feed(backlog, UPDATE, read=offset(1, 0), exist=())
    assert (lag.files, lag.lost_file, lag.data_loss_limit) == (0, None, "log")


def test_a_feed_that_has_read_the_last_change_file_has_caught_up(backlog: Backlog) -> None:
    """A quiet table sets off no alarm, as `versions>0` and `seconds>60` would."""
    lag = feed(backlog, UPDATE, read=offset(1, 0))
    assert (lag.versions, lag.files, lag.seconds, lag.hours_to_data_loss) == (0, 0, 0.0, MONTH)
    both = [remove("a", DAY, data=True), add(5, path="b")]
    assert feed(backlog, both, read=offset(1, 0)).versions == 1
    assert feed(backlog, both, read=offset(1, 1)).versions == 0
    # One more than the rows have: the checkpoint is that of a feed, although nobody said so.
    three = [*UPDATE, cdc(7, path=f"{CHANGE}2"), cdc(7, path=f"{CHANGE}3")]
    assert backlog(three, read=offset(1, 1)).versions == 1
    assert backlog(three, read=offset(1, 2)).versions == 0


def test_a_changed_deletion_vector_leaves_its_data_file(backlog: Backlog) -> None:
    """The file is there after the commit; the file of the old vector is not needed by the table."""
    old = {"storageType": "p", "pathOrInlineDv": "old.bin", "sizeInBytes": 1}
    new = {"storageType": "p", "pathOrInlineDv": "new.bin", "sizeInBytes": 1}
    changed = [remove("a", DAY, data=True, vector=old), add(1, path="a", vector=new)]
    lag = feed(backlog, changed, exist=("old.bin",))
    assert (lag.files, lag.lost_file, lag.hours_to_data_loss) == (2, None, WEEK - 48)
    assert feed(backlog, changed, exist=("a", "new.bin")).lost_file == str(
        backlog.table / "old.bin"
    )


def test_after_a_snapshot_all_changes_count(backlog: Backlog) -> None:
    """The files of the snapshot that later commits remove are needed as well."""
    snapshot = offset(0, 0, snapshot=True)
    lag = feed(backlog, UPDATE, read=snapshot)
    assert (lag.files, lag.hours_to_data_loss) == (None, WEEK - 48)
    assert feed(backlog, UPDATE, read=snapshot, exist=(CHANGE,)).lost_file is not None


def test_the_retention_of_a_vacuum_counts_for_change_files(backlog: Backlog) -> None:
    """The next one probably deletes them after the same time."""
    lag = feed(backlog, UPDATE, [vacuum_start(72 * 3_600_000)])
    assert lag.hours_to_data_loss == 24


@pytest.mark.parametrize("value", [None, 1, "yes"])
def test_a_change_feed_is_true_or_false(value: Any, tmp_path: Path) -> None:
    """Anything else is refused, together with other wrong arguments."""
    folder = checkpoint(tmp_path / "c", offset(0), done=[0])
    with pytest.raises(OptionsError, match="change_feed must be True or False") as error:
        Checkpoint(folder).backlog(tmp_path, now=5, change_feed=value)  # type: ignore[arg-type]
    assert [problem.option for problem in error.value.problems] == ["now", "change_feed"]
