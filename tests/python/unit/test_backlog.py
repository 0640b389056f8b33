# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The backlog between a checkpoint and the latest version of its table."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import (
    BeyondTableError,
    Checkpoint,
    CheckpointLag,
    CommitError,
    NoOffsetError,
    OptionsError,
    OtherTableError,
)
from support.checkpoint_samples import OTHER, TABLE, add, checkpoint, commit, offset, table

# The samples' commits are made at 1000, 1100, 1200 seconds after the epoch.
NOW = datetime.fromtimestamp(2000, timezone.utc)
SIZES: tuple[list[int], ...] = ([1, 2], [10], [100, 200, 400], [])


def lag(tmp_path: Path, *sources: str, source: str | None = None) -> CheckpointLag:
    """Return the lag of a checkpoint with one committed batch, against the sample table."""
    folder = checkpoint(tmp_path / "checkpoint", sources, done=[0])
    return Checkpoint(folder).backlog(tmp_path / "table", source=source, now=NOW)


def expected(versions: int, files: int | None, size: int | None, seconds: float) -> CheckpointLag:
    """Return a lag for a table with Delta's default log retention of 30 days."""
    left = (30 * 86_400 - seconds) / 3600
    return CheckpointLag(
        versions=versions,
        files=files,
        bytes=size,
        seconds=seconds,
        hours_to_data_loss=left,
        data_loss_limit="log",
    )


@pytest.mark.parametrize(
    ("read", "behind"),
    [
        (offset(0), expected(4, 6, 713, 1000.0)),
        (offset(1), expected(3, 4, 710, 900.0)),
        (offset(2), expected(2, 3, 700, 800.0)),
        (offset(2, 0), expected(2, 2, 600, 800.0)),
        (offset(2, 1), expected(2, 1, 400, 800.0)),
        (offset(2, 2), expected(1, 0, 0, 700.0)),
        (offset(2, -20), expected(2, 3, 700, 800.0)),
        (offset(2, -19), expected(2, 3, 700, 800.0)),
        (offset(3), expected(1, 0, 0, 700.0)),
        (offset(4), expected(0, 0, 0, 0.0)),
        (offset(1, 0, snapshot=True), expected(3, None, None, 900.0)),
        (offset(3, 0, snapshot=True), expected(1, None, None, 700.0)),
    ],
)
def test_the_backlog_is_counted_from_the_commits(
    read: str, behind: CheckpointLag, tmp_path: Path
) -> None:
    """It has the versions, files and bytes after the offset, and the age of the oldest."""
    table(tmp_path / "table", *SIZES)
    assert lag(tmp_path, read) == behind


def test_the_last_file_of_the_last_commit_is_the_end(tmp_path: Path) -> None:
    """The stream has caught up, as its own metrics say: nothing ages, and no log is needed."""
    table(tmp_path / "table", [1], [10, 20])
    caught_up = lag(tmp_path, offset(1, 1))
    assert caught_up == expected(0, 0, 0, 0.0)
    assert lag(tmp_path, offset(1, 0)).versions == 1
    # In the initial snapshot, the files are not those of the commit.
    assert lag(tmp_path, offset(1, 1, snapshot=True)).versions == 1


def test_files_that_change_no_data_are_not_counted(tmp_path: Path) -> None:
    """They have no index, and a stream does not read them."""
    table(tmp_path / "table", [1])
    actions = [add(5, data=False), add(7), {"remove": {"path": "p", "size": 3}}, add(9)]
    commit(tmp_path / "table", 1, *actions, seconds=1100)
    assert lag(tmp_path, offset(1)) == expected(1, 2, 16, 900.0)
    assert lag(tmp_path / ".", offset(1, 0)) == expected(1, 1, 9, 900.0)


def test_the_in_commit_timestamp_comes_first(tmp_path: Path) -> None:
    """The in-commit timestamp takes precedence over the file's modification time."""
    table(tmp_path / "table", [1])
    info = {"commitInfo": {"timestamp": 5, "inCommitTimestamp": 1_500_250}}
    commit(tmp_path / "table", 1, info, add(7))
    assert lag(tmp_path, offset(1)).seconds == 499.75


def test_a_commit_in_the_future_has_no_negative_age(tmp_path: Path) -> None:
    """Clocks differ; an age is never less than zero."""
    commit(tmp_path / "table", 0, {"metaData": {"id": TABLE}}, seconds=9_000_000_000)
    assert lag(tmp_path, offset(0)).seconds == 0.0


def test_cleaned_up_commits_are_not_guessed(tmp_path: Path) -> None:
    """If a commit is missing, files and bytes are unknown, but versions are known."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    (log / f"{3:020}.checkpoint.parquet").touch()
    for version in (0, 1):
        (log / f"{version:020}.json").unlink()
    lost = CheckpointLag(
        versions=3,
        files=None,
        bytes=None,
        seconds=None,
        hours_to_data_loss=0.0,
        data_loss_limit="log",
    )
    assert lag(tmp_path, offset(1)) == lost
    assert lag(tmp_path, offset(2)) == CheckpointLag(versions=2, files=3, bytes=700, seconds=800.0)


@pytest.mark.parametrize(
    "name", ["5.checkpoint.parquet", "5.checkpoint.0000000001.0000000002.parquet"]
)
def test_the_latest_version_is_that_of_commits_and_checkpoints(name: str, tmp_path: Path) -> None:
    """A version whose commit was cleaned up counts; other files of the log do not."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    number, dot, rest = name.partition(".")
    (log / f"{int(number):020}{dot}{rest}").touch()
    for other in ("7.crc", "8.9.compacted.json", "_last_checkpoint", ".9.json.crc"):
        number, dot, rest = other.partition(".")
        (log / f"{int(number):020}{dot}{rest}" if number.isdigit() else log / other).touch()
    assert lag(tmp_path, offset(4)).versions == 2


@pytest.mark.parametrize("read", [offset(5), offset(4, 0), offset(4, snapshot=True)])
def test_an_offset_beyond_the_table_is_refused(read: str, tmp_path: Path) -> None:
    """A table restored to an older version does not count as a table without backlog."""
    table(tmp_path / "table", *SIZES)
    with pytest.raises(BeyondTableError, match="the latest version is 3"):
        lag(tmp_path, read)


def test_another_table_is_refused_with_both_ids(tmp_path: Path) -> None:
    """An offset of another table has no backlog here."""
    table(tmp_path / "table", *SIZES, table_id=OTHER)
    with pytest.raises(OtherTableError, match=f"is table {OTHER}, but .* {TABLE}"):
        lag(tmp_path, offset(1))


def test_the_checksum_file_names_the_table(tmp_path: Path) -> None:
    """If no commit has the metadata any more, the latest checksum file has it."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    (log / f"{0:020}.json").unlink()
    assert lag(tmp_path, offset(4)).versions == 0
    checksum = log / f"{3:020}.crc"
    checksum.write_text('{"numFiles":1}')
    assert lag(tmp_path, offset(4)).versions == 0
    checksum.write_text(f'{{"metadata":{{"id":"{OTHER}"}}}}')
    with pytest.raises(OtherTableError):
        lag(tmp_path, offset(4))
    checksum.write_text("{")
    with pytest.raises(CommitError, match=r"000\.crc|003\.crc"):
        lag(tmp_path, offset(4))


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_commit_is_damage(tmp_path: Path, text: str) -> None:
    """A writer can die between creating the file and writing it: its files are not 0 files."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    (log / f"{2:020}.json").write_text(text)
    with pytest.raises(CommitError, match=r"of version 2 is empty.* Restore .*002\.json"):
        lag(tmp_path, offset(1))


def test_the_source_that_reads_the_table_is_found(tmp_path: Path) -> None:
    """Among several sources the one of this table is used; if two read it, one must be named."""
    table(tmp_path / "table", *SIZES)
    one, two = offset(1), offset(2)
    assert lag(tmp_path, "5", offset(9, table=OTHER), one).versions == 3
    with pytest.raises(NoOffsetError, match=r"one of table .*'0'.*, table .*'1'"):
        lag(tmp_path, one, two)
    assert lag(tmp_path, one, two, source="1").versions == 2
    with pytest.raises(NoOffsetError, match="no offset of a Delta source '7'"):
        lag(tmp_path, one, source="7")
    with pytest.raises(OtherTableError):
        lag(tmp_path, one, offset(1, table=OTHER), source="1")


@pytest.mark.parametrize(
    ("source", "has"),
    [("5", r"but has 5 \(source '0'\)"), ("-", "the query has not read anything yet")],
)
def test_a_checkpoint_of_other_sources_has_no_backlog(
    source: str, has: str, tmp_path: Path
) -> None:
    """A checkpoint without an offset of a Delta source is refused, and its offsets are shown."""
    table(tmp_path / "table", *SIZES)
    with pytest.raises(NoOffsetError, match=has):
        lag(tmp_path, source)


def test_before_the_first_commit_nothing_is_known(tmp_path: Path) -> None:
    """A planned batch has the end of the batch, not what was read."""
    folder = checkpoint(tmp_path / "checkpoint", offset(1))
    with pytest.raises(NoOffsetError, match="no batch of the checkpoint is committed yet"):
        Checkpoint(folder).backlog(table(tmp_path / "table", *SIZES))


def test_now_must_have_a_time_zone(tmp_path: Path) -> None:
    """A time without a zone is refused; the default is the current time."""
    folder = table(tmp_path / "table", *SIZES)
    read = Checkpoint(checkpoint(tmp_path / "checkpoint", offset(1), done=[0]))
    with pytest.raises(OptionsError, match="now must be"):
        read.backlog(folder, now=datetime(2026, 1, 1))
    assert (read.backlog(folder).seconds or 0) > 1_000_000_000


TABLES = st.lists(st.lists(st.integers(0, 9), max_size=4), min_size=1, max_size=6)


@given(TABLES, st.data())
def test_the_backlog_shrinks_as_the_stream_reads(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[list[int]], data: st.DataObject
) -> None:
    """Reading one more file reduces the backlog by that file and its bytes."""
    folder = tmp_path_factory.mktemp("law")
    table(folder / "table", *sizes)
    version = data.draw(st.integers(0, len(sizes) - 1))
    index = data.draw(st.integers(-1, len(sizes[version]) - 1))
    behind = lag(folder, offset(version, index))
    left = sum(sizes[version + 1 :], sizes[version][index + 1 :])
    ended = 0 <= index == len(sizes[version]) - 1
    assert (behind.versions, behind.files, behind.bytes) == (
        len(sizes) - version - ended,
        len(left),
        sum(left),
    )
