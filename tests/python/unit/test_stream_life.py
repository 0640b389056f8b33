# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a report knows about a stream, and what it says is missing."""

from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from deltasource import CheckpointError
from deltasource._report import table_story
from support.checkpoint_samples import add, commit, offset, put, remove, table
from support.report_samples import (
    QUERY,
    Files,
    done,
    life,
    noted,
    stored,
    stream,
    texts,
    written,
)
from support.view_samples import START, started


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


def test_a_batch_has_what_its_event_and_the_checkpoint_say(files: Files) -> None:
    """Rows and times are those of the event, offsets those of the checkpoint."""
    found = life(files, events=files.events)
    first, second, planned = found.batches
    assert (first.rows, first.seconds, first.planning_seconds) == (10, 1.0, 0.012)
    assert (second.files_read, second.bytes_read) == (2, 70)
    assert (second.files_written, second.bytes_written) == (2, 1497)
    assert (second.end, second.version) == ("version 2, start", 1)
    assert second.started == START + timedelta(seconds=11)
    assert (planned.committed, planned.from_files, planned.rows) == (False, True, None)
    assert noted(found, "Batches without an event: 1.")
    assert (found.batch_count, found.rows, found.run_count) == (3, 20, 2)


def test_without_events_the_times_are_those_of_the_checkpoint(files: Files) -> None:
    """A batch begins when it was planned, and ends when its file in `commits` was written."""
    found = life(files)
    first, _, planned = found.batches
    assert (first.started, first.seconds, first.from_files) == (START, 2.0, True)
    assert (planned.started, planned.seconds) == (START + timedelta(seconds=20), None)
    assert (found.rows, found.failure_count, found.run_count) == (None, None, None)
    assert (found.name, found.summary) == (QUERY, None)
    assert noted(found, "No events were given")


def test_a_commit_file_older_than_its_batch_gives_no_duration(files: Files) -> None:
    """A copy of a checkpoint may have any times."""
    os.utime(files.checkpoint / "commits" / "0", (1, 1))
    assert life(files).batches[0].seconds is None


def test_what_happened_is_in_order(files: Files) -> None:
    """Starts, failures, schemas and the planned batch are moments."""
    at = START.timestamp() + 6
    for number in (0, 1):
        os.utime(files.checkpoint / "_schema_log_x" / str(number), (at, at))
    found = life(files, events=files.events)
    assert [(one.kind, one.text) for one in found.moments] == [
        ("start", "started"),
        ("failure", "failed: [DELTA_SOURCE_TABLE_IGNORE_CHANGES] Detected a data update"),
        ("schema", "schema tracking began at version 0, with the columns id"),
        ("schema", "schema of version 2: added: note (string)"),
        ("start", "restarted"),
        ("decision", "batch 2 is planned and not committed: a restart runs it again"),
    ]
    assert [one.condition for one in found.failures] == ["DELTA_SOURCE_TABLE_IGNORE_CHANGES"]


def test_a_damaged_file_hides_no_other_batch(files: Files) -> None:
    """The page has a note with the file."""
    (files.checkpoint / "offsets" / "1").write_text("v1\n{")
    found = life(files, events=files.events)
    assert [one.id for one in found.batches] == [0, 1, 2]
    assert noted(found, f"cannot read {files.checkpoint / 'offsets' / '1'}")
    assert noted(found, "The checkpoint has no offsets of these batches: 1.")
    # Its event has a number of rows, and nobody knows what batch 2 began with.
    assert [one.files_read for one in found.batches] == [None, None, None]


def test_batches_that_spark_has_deleted_are_noted(files: Files) -> None:
    """Their events are shown, and the first that is left has an unknown beginning."""
    (files.checkpoint / "offsets" / "0").unlink()
    found = life(files, events=files.events)
    assert noted(found, "The checkpoint begins with batch 1")
    assert [one.files_read for one in found.batches] == [None, None, 2]
    for number in (1, 2):
        (files.checkpoint / "offsets" / str(number)).unlink()
    found = life(files, events=files.events)
    assert noted(found, "The checkpoint contains no batch")
    assert [one.id for one in found.batches] == [0, 1]


def test_a_checkpoint_that_is_gone_leaves_the_events(files: Files) -> None:
    """Without events there is nothing to show, which is an error."""
    shutil.rmtree(files.checkpoint)
    found = life(files, events=files.events)
    assert (found.name, found.rows, found.lag) == ("orders", 20, None)
    assert noted(found, f"The checkpoint cannot be read: {files.checkpoint} is not a checkpoint")
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        life(files)


def test_the_lag_is_that_of_the_last_committed_batch(files: Files) -> None:
    """As the command `backlog` computes it."""
    found = life(files)
    assert found.lag is not None
    assert (found.lag.versions, found.lag.files) == (2, 3)
    assert [version for version, _ in found.table_versions] == [1, 2, 3]


def test_without_a_table_the_page_says_so(files: Files) -> None:
    """The checkpoint does not say where its table is."""
    found = life(files, table=None)
    assert (found.lag, found.table, found.batches[1].files_read) == (None, None, None)
    assert noted(found, "No table was given")


def test_a_table_that_cannot_be_read_is_noted(files: Files, tmp_path: Path) -> None:
    """The batches are shown without it. A misspelled path would be seen only on the page."""
    found = life(files, table=tmp_path / "none")
    (warning,) = found.warnings
    assert (len(found.batches), found.lacks_table) == (3, True)
    assert warning.startswith(
        f"the report lacks the table: {tmp_path}/none is not a Delta table: it does not exist"
    )
    assert noted(found, "What the batches have read of the table is unknown: ")
    assert noted(found, "The lag behind the table is unknown: ")


def test_a_table_that_does_not_exist_is_noted_before_the_first_batch(
    files: Files, tmp_path: Path
) -> None:
    """There is nothing to read of it yet, and its path may be misspelled all the same."""
    for number in range(3):
        (files.checkpoint / "offsets" / str(number)).unlink()
    assert (life(files).lacks_table, life(files).warnings) == (False, [])
    found = life(files, table=tmp_path / "none")
    assert (found.lacks_table, len(found.warnings)) == (True, 1)


def test_a_log_that_lacks_a_commit_in_the_middle_is_damaged(files: Files) -> None:
    """That is not what cleaning up does."""
    for version in (2, 3):
        (files.table / "_delta_log" / f"{version:020}.json").unlink()
    commit(files.table, 4, add(80))
    damage = "the commits of versions 2 to 3 are missing, but versions 1 and 4 are there"
    found = life(files)
    assert noted(found, f"The log of the table is damaged: {damage}.")
    assert noted(found, f"The lag behind the table is unknown: {damage}")


def test_commits_that_were_cleaned_up_are_noted(files: Files) -> None:
    """What was read of them is unknown, not nothing."""
    for version in (0, 1):
        (files.table / "_delta_log" / f"{version:020}.json").unlink()
    found = life(files)
    assert [one.files_read for one in found.batches] == [None, None, 2]
    assert noted(found, "not in the log of the table any more: 1 of 3, from version 1 on.")


def test_a_long_log_is_read_in_part(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says how many commits were read."""
    monkeypatch.setattr(table_story, "MAX_COMMITS", 2)
    monkeypatch.setattr("deltasource._checkpoint.read_commits.MAX_COMMITS", 2)
    assert noted(life(files), "Only the latest 2 commits of the table were read.")


def deleting(folder: Path) -> Files:
    """Return a stream that has passed a DELETE and an OPTIMIZE."""
    where = table(folder / "orders", [10], [20])
    delete, optimize = ({"commitInfo": {"operation": one}} for one in ("DELETE", "OPTIMIZE"))
    commit(where, 2, delete, remove("p", 5.0, data=True))
    commit(where, 3, optimize, remove("q", 5.0), add(5, data=False))
    commit(where, 4, add(6))
    path = stored(folder / "checkpoint", [offset(1), offset(2), offset(5)], done=[0, 1, 2])
    return Files(path, where, folder / "none")


def test_a_commit_that_removes_rows_is_a_decision(tmp_path: Path) -> None:
    """The stream has passed it, so its options allow it. OPTIMIZE is only counted."""
    found = life(deleting(tmp_path))
    (passed,) = texts(found.moments)
    assert passed.startswith("batch 2 passed version 2 (DELETE), which removes or rewrites rows")
    assert found.operations == {"unknown": 2, "DELETE": 1, "OPTIMIZE": 1}


def test_a_change_feed_reads_what_is_removed(tmp_path: Path) -> None:
    """So there is nothing to decide."""
    assert life(deleting(tmp_path), change_feed=True).moments == []


def test_a_file_that_is_lost_is_a_failure(files: Files) -> None:
    """The stream will fail at it, whatever its state is now."""
    commit(files.table, 4, remove("p", 5.0, data=True))
    found = life(files)
    assert (found.moments[-1].kind, found.moments[-1].at) == ("failure", None)
    assert str(files.table / "p") in found.moments[-1].text


def test_schemas_that_cannot_be_read_are_noted(files: Files) -> None:
    """The rest of the page is not affected."""
    put(files.checkpoint / "_schema_log_x", "1", "v1\n{")
    assert noted(life(files), "Schema changes are unknown: cannot read ")


def test_a_batch_that_ran_twice_is_shown_twice(files: Files, tmp_path: Path) -> None:
    """The checkpoint has the offsets of the latest."""
    twice = written(tmp_path / "twice.jsonl", started(), done(1, 3), done(1, 9))
    first, second = (one for one in life(files, events=twice).batches if one.id == 1)
    assert (first.end, second.end) == (None, "version 2, start")


def test_a_source_of_another_kind_has_its_own_text(tmp_path: Path) -> None:
    """Its offset is shown as it is."""
    path = stored(tmp_path / "c", ['{"topic":{"0":7}}'], done=[0])
    (one,) = life(Files(path, tmp_path, tmp_path), table=None).batches
    assert (one.end, one.version) == ('{"topic":{"0":7}}', None)
