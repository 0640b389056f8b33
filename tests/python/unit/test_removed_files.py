# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The time until data loss if files that a stream still has to read were removed from its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource._checkpoint.backlog import EXISTENCE_CHECKS
from support.checkpoint_samples import add, offset, remove, vacuum_start
from support.daily_table import DAY, HOUR, WEEK, Actions, Backlog


@pytest.fixture
def backlog(tmp_path: Path) -> Backlog:
    """Return a function that writes a table and computes the backlog of a stream."""
    return Backlog(tmp_path)


def test_a_removed_file_is_kept_for_a_week(backlog: Backlog) -> None:
    """The data files allow less than the log: a week after the first of them was removed."""
    appends = [add(1, path="a"), add(1, path="b")]
    lag = backlog(appends, [remove("a", 2 * DAY), remove("b", 2.5 * DAY), add(2, data=False)])
    assert (lag.hours_to_data_loss, lag.lost_file) == (WEEK - 24, None)
    assert lag.data_loss_limit == "data_files"


def test_without_a_removal_the_log_decides(backlog: Backlog) -> None:
    """A file that nothing removes is not limited, even if none was looked for."""
    lag = backlog([add(1, path="a")], [remove("x", 0), vacuum_start(0)], exist=())
    assert (lag.hours_to_data_loss, lag.lost_file) == ((30 - 2) * 24, None)
    assert lag.data_loss_limit == "log"


def test_the_smaller_time_counts(backlog: Backlog) -> None:
    """A log that is kept for a shorter time than files still decides."""
    day = {"delta.logRetentionDuration": "interval 3 days"}
    lag = backlog([add(1, path="a")], [remove("a", 2 * DAY)], properties=day)
    assert (lag.hours_to_data_loss, lag.data_loss_limit) == (24, "log")


@pytest.mark.parametrize(
    ("log", "files", "limit"),
    [
        ("interval 1 day", "interval 1 day", "log"),
        ("x", "interval 1 day", "data_files"),
        ("interval 1 day", "x", "log"),
        ("x", "interval 9 days", None),
        ("interval 9 days", "x", None),
    ],
)
def test_a_limit_is_known_if_nothing_is_left_or_both_are_known(
    log: str, files: str, limit: str | None, backlog: Backlog
) -> None:
    """If both leave nothing it is the log; an unknown time may be shorter than any other."""
    kept = {"delta.logRetentionDuration": log, "delta.deletedFileRetentionDuration": files}
    lag = backlog([add(1, path="a")], [remove("a", 2 * DAY)], properties=kept)
    assert lag.data_loss_limit == limit
    assert lag.hours_to_data_loss == (None if limit is None else 0.0)


def test_nothing_limits_a_log_that_is_kept_for_ever(backlog: Backlog) -> None:
    """If no file was removed either, the hours are infinite, and nothing limits them."""
    lag = backlog([add(1, path="a")], properties={"delta.enableExpiredLogCleanup": "false"})
    assert (lag.hours_to_data_loss, lag.data_loss_limit) == (float("inf"), None)


@pytest.mark.parametrize(
    ("duration", "hours"),
    [("interval 2 days", 24), ("interval 1 day", 0), ("interval 6 hours", 0), ("for ever", None)],
)
def test_the_table_sets_the_retention_of_files(
    duration: str, hours: float | None, backlog: Backlog
) -> None:
    """It is never below 0, and an invalid value makes the time unknown."""
    kept = {"delta.deletedFileRetentionDuration": duration}
    lag = backlog([add(1, path="a")], [remove("a", 2 * DAY)], properties=kept)
    assert (lag.hours_to_data_loss, lag.lost_file) == (hours, None)


@pytest.mark.parametrize("cleanup", ["true", "false"])
def test_a_log_that_is_kept_for_ever_does_not_keep_files(cleanup: str, backlog: Backlog) -> None:
    """VACUUM does not depend on the cleanup of the log."""
    kept = {"delta.enableExpiredLogCleanup": cleanup}
    lag = backlog([add(1, path="a")], [remove("a", 3 * DAY)], properties=kept)
    assert lag.hours_to_data_loss == WEEK


def test_a_file_that_is_gone_is_named(backlog: Backlog) -> None:
    """Nothing is left, whatever retention the table has, and also if VACUUM was not logged."""
    lag = backlog([add(1, path="a")], [remove("a", 2 * DAY)], exist=())
    assert (lag.hours_to_data_loss, lag.lost_file) == (0.0, str(backlog.table / "a"))
    assert (
        backlog([add(1, path="a")], [remove("a", 2 * DAY)], exist=(), days=90).data_loss_limit
        == "data_files"
    )
    assert (lag.versions, lag.files, lag.bytes) == (2, 1, 1)


def test_a_file_that_is_gone_counts_even_if_nothing_else_is_known(backlog: Backlog) -> None:
    """Neither an invalid retention nor a commit that was cleaned up hides the loss."""
    kept = {"delta.deletedFileRetentionDuration": "x", "delta.logRetentionDuration": "x"}
    removal = [[add(1, path="a")], [remove("a", 2 * DAY)]]
    assert backlog(*removal, exist=(), properties=kept).hours_to_data_loss == 0.0
    (backlog.table / "_delta_log" / f"{4:020}.checkpoint.parquet").touch()
    gap = backlog(*removal, exist=(), properties=kept)
    assert (gap.hours_to_data_loss, gap.files) == (0.0, None)
    assert gap.lost_file == str(backlog.table / "a")
    assert backlog(*removal, exist=("a",)).hours_to_data_loss is None


def test_the_first_files_that_were_removed_are_looked_for(backlog: Backlog) -> None:
    """They are at most a few, however many files were removed."""
    names = [f"f{number}" for number in range(EXISTENCE_CHECKS + 1)]
    appends = [add(1, path=name) for name in names]
    removal = [remove(name, (2 + number) * HOUR) for number, name in enumerate(names)]
    assert backlog(appends, removal, exist=tuple(names[:-1])).lost_file is None
    lost = backlog(appends, removal, exist=tuple(names[:-2])).lost_file
    assert lost == str(backlog.table / names[-2])


@pytest.mark.parametrize(
    ("started", "hours"),
    [
        ([vacuum_start(0)], 0),
        ([vacuum_start(36 * 3_600_000)], 12),
        ([vacuum_start("129600000")], 12),
        ([vacuum_start(default=36 * 3_600_000)], 12),
        ([vacuum_start(720 * 3_600_000)], WEEK - 24),
        ([vacuum_start()], WEEK - 24),
        ([vacuum_start(0, operation="VACUUM END")], WEEK - 24),
        ([vacuum_start(-5)], WEEK - 24),
        ([vacuum_start("soon", default=[])], WEEK - 24),
        ([{"commitInfo": {"operation": "VACUUM START"}}], WEEK - 24),
        ([{"commitInfo": {"operation": "VACUUM START", "operationParameters": []}}], WEEK - 24),
    ],
)
def test_a_vacuum_with_a_shorter_retention_counts(
    started: list[Actions], hours: float, backlog: Backlog
) -> None:
    """The next one probably keeps files for as long; an unreadable retention is ignored."""
    appends, removal = [add(1, path="a")], [remove("a", 2 * DAY)]
    assert backlog(appends, removal, started).hours_to_data_loss == hours
    assert backlog(appends, started, removal).hours_to_data_loss == hours


def test_the_latest_vacuum_counts(backlog: Backlog) -> None:
    """A single VACUUM with a short retention is forgotten with the next one."""
    appends, removal = [add(1, path="a")], [remove("a", 2 * DAY)]
    both = [appends, [vacuum_start(0)], [vacuum_start()], removal]
    assert backlog(*both).hours_to_data_loss == WEEK - 24
    assert backlog(*both[::2], both[1], removal).hours_to_data_loss == 0


@pytest.mark.parametrize(
    ("read", "hours"),
    [
        (offset(1), 1),
        (offset(1, 0), 2),
        (offset(1, 1), 29 * 24),
        (offset(2), 29 * 24),
    ],
)
def test_only_unread_files_count(read: str, hours: float, backlog: Backlog) -> None:
    """Files before the offset, and files that changed no data, may be removed at any time."""
    appends = [add(1, path="a"), add(1, path="c", data=False), add(1, path="b")]
    times = {"a": 1 * HOUR, "b": 2 * HOUR, "c": 0.0}
    removal = [remove(name, 3 * DAY + time - WEEK * HOUR) for name, time in times.items()]
    lag = backlog(appends, removal)
    assert lag.hours_to_data_loss == 1
    assert backlog(appends, removal, read=read).hours_to_data_loss == hours


def test_a_removal_without_a_time_is_not_kept(backlog: Backlog) -> None:
    """VACUUM deletes such a file at once."""
    lag = backlog([add(1, path="a")], [remove("a", None)], days=8)
    assert (lag.hours_to_data_loss, lag.lost_file) == (0.0, None)


def test_the_latest_removal_of_a_file_counts(backlog: Backlog) -> None:
    """The state of the table has only the latest action of a file."""
    twice = [[remove("a", 2 * DAY)], [remove("a", 2.5 * DAY)]]
    assert backlog([add(1, path="a")], *twice).hours_to_data_loss == WEEK - 12


def test_a_file_that_is_added_again_is_kept(backlog: Backlog) -> None:
    """RESTORE adds files again, and a new deletion vector or statistics replace an action."""
    appends, removal = [add(1, path="a")], [remove("a", 2 * DAY)]
    for again in ([*removal, add(1, path="a")], [*removal, add(1, path="a", data=False)]):
        assert backlog(appends, again, exist=()).hours_to_data_loss == 28 * 24
    restored = [add(1, path="a", data=False)]
    assert backlog(appends, removal, restored, exist=()).lost_file is None
    assert backlog(appends, removal, restored, removal, exist=()).lost_file is not None


SNAPSHOT = offset(1, 0, snapshot=True)


def test_a_snapshot_needs_the_files_that_later_commits_remove(backlog: Backlog) -> None:
    """Its files need not be in the log any more; the commit of its version removed other files."""
    before = [remove("b", 0)]
    lag = backlog(before, [remove("a", 2 * DAY)], read=SNAPSHOT)
    assert (lag.hours_to_data_loss, lag.lost_file) == (WEEK - 24, None)
    gone = backlog(before, [remove("a", 2 * DAY)], read=SNAPSHOT, exist=())
    assert (gone.hours_to_data_loss, gone.lost_file) == (0.0, str(backlog.table / "a"))
    assert (gone.files, gone.bytes) == (None, None)


def test_what_optimize_wrote_after_a_snapshot_is_not_needed(backlog: Backlog) -> None:
    """A file that was added without new data after it belongs to neither snapshot nor commits."""
    twice = [[], [add(1, path="x", data=False)], [remove("x", 0)]]
    assert backlog(*twice, read=SNAPSHOT).lost_file is None
    with_data = [[], [add(1, path="x")], [remove("x", 0)]]
    assert backlog(*with_data, read=SNAPSHOT).lost_file is not None
    # One with a new deletion vector is not new.
    updated = [remove("x", 0), add(1, path="x", data=False)]
    assert backlog([], updated, [remove("x", 0)], read=SNAPSHOT).lost_file is not None
