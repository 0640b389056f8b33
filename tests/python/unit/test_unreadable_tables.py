# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The backlog of what is no table, or of a table with a damaged commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource import Checkpoint, CommitError, RemotePathError, TableError
from support.checkpoint_samples import checkpoint, offset, table

SIZES: tuple[list[int], ...] = ([1, 2], [10], [100, 200, 400], [])


def lag(tmp_path: Path, source: str) -> None:
    """Compute the backlog of a checkpoint with one committed batch."""
    folder = checkpoint(tmp_path / "checkpoint", source, done=[0])
    Checkpoint(folder).backlog(tmp_path / "table")


def test_a_folder_without_a_log_is_no_table(tmp_path: Path) -> None:
    """The error says that there is no folder, or that it has no commits."""
    with pytest.raises(TableError, match="it does not exist"):
        lag(tmp_path, offset(1))
    (tmp_path / "table").mkdir()
    with pytest.raises(TableError, match="has no commits"):
        lag(tmp_path, offset(1))
    (tmp_path / "table").rmdir()
    (tmp_path / "table").touch()
    with pytest.raises(TableError, match="it is a file"):
        lag(tmp_path, offset(1))
    folder = Checkpoint(tmp_path / "checkpoint")
    with pytest.raises(RemotePathError):
        folder.backlog("nowhere://bucket/table")


@pytest.mark.parametrize(
    "line",
    [
        '{"add":{"path":"p","size":1',
        '"add"',
        '{"add":5}',
        '{"add":{"size":1}}',
        '{"add":{"dataChange":true}}',
        '{"add":{"dataChange":true,"size":"x"}}',
        '{"commitInfo":{"inCommitTimestamp":"soon"}}',
        '{"metaData":{}}',
        "{",
        "[]",
        "garbage",
        "\0" * 20,
        '{"protocol":{}}\n{"tx',
    ],
)
def test_a_damaged_commit_is_reported_with_its_version(line: str, tmp_path: Path) -> None:
    """An unreadable commit is not treated as one without files."""
    file = table(tmp_path / "table", *SIZES) / "_delta_log" / f"{2:020}.json"
    file.write_text(line)
    with pytest.raises(CommitError, match="cannot read the commit of version 2") as error:
        lag(tmp_path, offset(1))
    # What Python calls it says nothing to the reader of a table.
    assert "Error(" not in str(error.value)
    assert str(file) in str(error.value)
