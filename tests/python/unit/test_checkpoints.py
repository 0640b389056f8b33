# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checkpoints read from their files, intact and damaged."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

from deltasource import Batch, Checkpoint, CheckpointError, Offset, RemotePathError
from deltasource._checkpoint import paths
from deltasource._checkpoint.offset import BEGIN
from support.checkpoint_samples import TABLE, checkpoint, offset, put

PLANNED = datetime(2026, 11, 21, 17, 2, 36, 330_000, tzinfo=timezone.utc)


def test_batches_are_listed_oldest_first(tmp_path: Path) -> None:
    """Each batch has its number, whether it is committed, its end, and when it was planned."""
    read = Checkpoint(checkpoint(tmp_path, offset(1, 4, snapshot=True), offset(3), done=[0]))
    assert list(read.batches()) == [
        Batch(0, True, {"0": Offset(1, 4, is_initial_snapshot=True, table_id=TABLE)}, PLANNED),
        Batch(1, False, {"0": Offset(3, BEGIN, table_id=TABLE)}, PLANNED),
    ]


def test_batches_are_sorted_by_number(tmp_path: Path) -> None:
    """Batch 10 comes after batch 9, in any order of the folder."""
    read = Checkpoint(checkpoint(tmp_path, *map(offset, range(12)), done=range(12)))
    assert [batch.id for batch in read.batches()] == list(range(12))
    assert [batch.id for batch in read.batches(last=3)] == [9, 10, 11]
    assert [batch.id for batch in read.batches(last=0)] == []
    assert len(list(read.batches(last=100))) == 12


def test_the_planned_batch_is_the_latest_uncommitted_one(tmp_path: Path) -> None:
    """The batch that a restart would run again is distinguished from committed ones."""
    read = Checkpoint(checkpoint(tmp_path, offset(1), offset(2), done=[0]))
    planned, done = read.planned(), read.last_committed()
    assert planned is not None
    assert done is not None
    assert (planned.id, planned.committed, done.id, done.committed) == (1, False, 0, True)
    put(tmp_path / "commits", "1", 'v1\n{"nextBatchWatermarkMs":0}')
    done = read.last_committed()
    assert done is not None
    assert (read.planned(), done.id) == (None, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "its first line must be a version such as v1, got ''"),
        ("{}", "its first line must be a version such as v1, got '{}'"),
        ('v1\n{"nextBatch', "is truncated or not a JSON object"),
        ("v1\n7", "'7' is truncated or not a JSON object"),
        ("v1\n\n", "is truncated or not a JSON object"),
        (b"v1\n\xff".decode("latin-1"), "is truncated or not a JSON object"),
    ],
)
def test_a_damaged_commit_is_named(text: str, why: str, tmp_path: Path) -> None:
    """Spark cannot restart with it. Earlier commits are not read, by Spark neither."""
    folder = checkpoint(tmp_path, offset(1), offset(2), offset(3), done=[0, 1])
    put(tmp_path / "commits", "0", text)
    assert len(list(Checkpoint(folder).batches())) == 3
    put(tmp_path / "commits", "1", text)
    for read in (Checkpoint(folder).last_committed, Checkpoint(folder).planned):
        with pytest.raises(CheckpointError, match="commits/1: ") as error:
            read()
        assert why in str(error.value)
        assert "restore the file from a copy, or delete it: the query" in str(error.value)


@pytest.mark.parametrize("text", ["v1", "v1\n", 'v1\n{"nextBatchWatermarkMs":0}', "v2\n{}"])
def test_a_commit_of_any_version_is_accepted(text: str, tmp_path: Path) -> None:
    """Spark checks whether it knows the version."""
    folder = checkpoint(tmp_path, offset(1), done=[0])
    put(tmp_path / "commits", "0", text)
    assert [batch.committed for batch in Checkpoint(folder).batches()] == [True]


def test_a_later_commit_covers_earlier_batches(tmp_path: Path) -> None:
    """With asynchronous progress tracking not every batch is in the commit log."""
    read = Checkpoint(checkpoint(tmp_path, *map(offset, range(4)), done=[2]))
    assert [batch.committed for batch in read.batches()] == [True, True, True, False]


def test_a_new_checkpoint_has_no_batches(tmp_path: Path) -> None:
    """A query that has planned nothing yet already has a checkpoint."""
    read = Checkpoint(checkpoint(tmp_path))
    assert (list(read.batches()), read.planned(), read.last_committed()) == ([], None, None)
    assert (read.starts(), list(read.schema_log())) == ({}, [])


def test_a_batch_deleted_meanwhile_is_left_out(tmp_path: Path) -> None:
    """A running query may delete old batches between listing and reading."""
    read = Checkpoint(checkpoint(tmp_path, *map(offset, range(3)), done=range(3))).batches()
    (tmp_path / "offsets" / "0").unlink()
    assert [batch.id for batch in read] == [1, 2]


def test_a_committed_batch_without_offsets_is_damage(tmp_path: Path) -> None:
    """A commit without its offsets means that a file is missing."""
    folder = checkpoint(tmp_path, offset(1), done=[0, 1])
    with pytest.raises(CheckpointError, match=r"offsets/1 is missing, but the batch is committed"):
        Checkpoint(folder).last_committed()
    assert [batch.id for batch in Checkpoint(folder).batches()] == [0]
    (folder / "offsets" / "0").unlink()
    with pytest.raises(CheckpointError, match=r"offsets/1 is missing, but the batch is committed"):
        Checkpoint(folder).batches()


@pytest.mark.parametrize("missing", ["nowhere", "."])
def test_a_folder_that_is_no_checkpoint_is_refused(missing: str, tmp_path: Path) -> None:
    """A folder that is missing, or has no files of a query, is refused at the first call."""
    for question in (Checkpoint.batches, Checkpoint.starts, Checkpoint.schema_log):
        with pytest.raises(CheckpointError, match="is not a checkpoint"):
            question(Checkpoint(tmp_path / missing))


@pytest.mark.parametrize("path", ["nowhere://b/c", "hdfs:/c", "s3a:b", "file://host/c"])
def test_a_remote_path_is_refused(path: str) -> None:
    """A path that needs a session is refused, not looked up on the local machine."""
    with pytest.raises(RemotePathError, match="pass a session that can read it"):
        Checkpoint(path)


@pytest.mark.parametrize(
    ("given", "folder"),
    [
        ("a/b", "a/b"),
        ("/a b", "/a b"),
        ("file:/a%20b", "/a b"),
        ("file:///a", "/a"),
        ("FILE:/a", "/a"),
        (Path("s3a:/b"), "s3a:/b"),
        ("C:/a", "C:/a"),
    ],
)
def test_paths_and_file_uris_are_folders(given: str | Path, folder: str) -> None:
    """A path and a file: URI are local folders; a path object always is."""
    assert paths.local_folder(given) == Path(folder)


def test_a_batch_is_shown_on_one_line() -> None:
    """`print` shows the number, whether it is done, and what each source has read."""
    done = Batch(3, committed=True, sources={"0": Offset(7, BEGIN), "1": "5"})
    assert str(done) == (
        "batch 3, committed; source 0: Everything before version 7 has been read, and nothing of "
        "version 7 yet; source 1: '5'"
    )
    assert str(Batch(4, committed=False, sources={})) == "batch 4, planned, not committed"


def test_a_checkpoint_is_shown_by_its_path() -> None:
    """In a shell, and in a failed assertion."""
    assert repr(Checkpoint("/checkpoints/orders")) == "Checkpoint('/checkpoints/orders')"
