# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How many files a batch has read, from its offsets and the commits of the table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from deltasource import Offset
from deltasource._checkpoint import read_commits as commits_module
from deltasource._checkpoint.offset import BEGIN, END, SCHEMA_CHANGE
from deltasource._checkpoint.read_commits import FilesRead, ReadCommit, files_between, read_commits
from deltasource._checkpoint.table_log import TableLog
from support.checkpoint_samples import add, cdc, commit, remove, table


def of_sizes(*sizes: int) -> ReadCommit:
    return ReadCommit(seconds=0, operation="WRITE", removes_data=False, sizes=sizes)


COMMITS: Mapping[int, ReadCommit] = {5: of_sizes(1, 2, 4), 6: of_sizes(), 7: of_sizes(8, 16)}


@pytest.mark.parametrize(
    ("start", "end", "read"),
    [
        (Offset(5, BEGIN), Offset(6, BEGIN), FilesRead(3, 7)),
        (Offset(5, BEGIN), Offset(5, 1), FilesRead(2, 3)),
        (Offset(5, 0), Offset(5, 1), FilesRead(1, 2)),
        (Offset(5, 1), Offset(7, 0), FilesRead(2, 12)),
        (Offset(5, 1), Offset(7, END), FilesRead(3, 28)),
        (Offset(6, BEGIN), Offset(7, SCHEMA_CHANGE), FilesRead(0, 0)),
        (Offset(7, SCHEMA_CHANGE), Offset(8, BEGIN), FilesRead(2, 24)),
        (Offset(8, BEGIN), Offset(8, BEGIN), FilesRead(0, 0)),
    ],
)
def test_a_batch_has_read_what_is_between_its_offsets(
    start: Offset, end: Offset, read: FilesRead
) -> None:
    """Files after the start and up to the end count, the end included."""
    assert files_between(start, end, COMMITS) == read


def test_a_batch_of_commits_that_are_gone_is_unknown() -> None:
    """A wrong number would be worse than none."""
    assert files_between(Offset(4, BEGIN), Offset(6, BEGIN), COMMITS) is None
    assert files_between(Offset(7, BEGIN), Offset(9, BEGIN), COMMITS) is None
    assert files_between(None, Offset(6, BEGIN), COMMITS) is None


def snapshot(index: int, version: int = 3) -> Offset:
    return Offset(version, index, is_initial_snapshot=True)


def test_files_of_the_initial_snapshot_are_numbered() -> None:
    """Their number is known without the log, their size is not."""
    assert files_between(None, snapshot(9), {}) == FilesRead(10, None)
    assert files_between(snapshot(9), snapshot(11), {}) == FilesRead(2, None)
    assert files_between(snapshot(BEGIN), snapshot(0), {}) == FilesRead(1, None)
    assert files_between(snapshot(BEGIN), snapshot(BEGIN), {}) == FilesRead(0, None)


def test_the_end_of_the_initial_snapshot_is_unknown() -> None:
    """How many files the snapshot had left is not in the checkpoint."""
    assert files_between(snapshot(9), Offset(6, BEGIN), COMMITS) is None
    assert files_between(Offset(2, BEGIN), snapshot(9), COMMITS) is None


def test_commits_are_read_from_a_version_on(tmp_path: Path) -> None:
    """Their sizes are those of a stream of rows, or of a change feed."""
    folder = table(tmp_path, [1], [2], [3])
    info = {"commitInfo": {"operation": "UPDATE"}}
    commit(folder, 3, info, add(4), remove("p", 5.0, data=True), cdc(7, path="c"), seconds=9)
    log = TableLog.of(folder)
    assert list(read_commits(log, 1, change_feed=False)) == [1, 2, 3]
    rows = read_commits(log, 3, change_feed=False)[3]
    assert rows == ReadCommit(seconds=9, operation="UPDATE", removes_data=True, sizes=[4])
    assert read_commits(log, 3, change_feed=True)[3].sizes == [7]


def test_files_that_move_without_a_change_remove_no_data(tmp_path: Path) -> None:
    """OPTIMIZE rewrites files, not rows."""
    folder = table(tmp_path, [1])
    commit(folder, 1, {"commitInfo": {"operation": 7}}, add(4, data=False), remove("p", 5.0))
    found = read_commits(TableLog.of(folder), 1, change_feed=False)[1]
    assert (found.removes_data, found.operation, found.sizes) == (False, None, [])


def test_only_the_latest_commits_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a request on an object store."""
    monkeypatch.setattr(commits_module, "MAX_COMMITS", 2)
    log = TableLog.of(table(tmp_path, [1], [2], [3]))
    assert list(read_commits(log, 0, change_feed=False)) == [1, 2]
