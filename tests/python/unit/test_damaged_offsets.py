# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `offsets`: a checkpoint that can be read only in part, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource import Checkpoint
from deltasource.__main__ import main
from support.checkpoint_samples import TABLE, checkpoint, commit, offset


def test_offsets_that_can_be_read_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged file does not hide the batches after it; the exit code says that it is there."""
    folder = checkpoint(tmp_path, offset(1), offset(2), offset(3), done=[0, 1, 2])
    (folder / "offsets" / "1").write_text("v1")
    assert main(["offsets", str(folder), "--format", "csv"]) == 3
    out, err = capsys.readouterr()
    assert [line.split(",")[0] for line in out.splitlines()] == ["batch", "0", "2"]
    assert err.startswith("[DELTASOURCE_UNREADABLE_CHECKPOINT] ")
    assert f"{folder}/offsets/1" in err


def test_a_damaged_offset_and_a_missing_file_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One offset that is none of Delta's, of a source that has others, is no other source."""
    folder = checkpoint(tmp_path, offset(1), '{"a":1}', offset(3), done=[0, 1, 2, 3])
    assert main(["offsets", str(folder), "--format", "csv"]) == 3
    _, err = capsys.readouterr()
    assert f"{folder}/offsets/1 is damaged: the offset of source 0 is none of a Delta table" in err
    assert f"{folder}/offsets/3 is missing, but the batch is committed" in err


def test_an_offset_that_is_not_json_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The offsets of all sources of Spark are JSON, so that it is none of another source."""
    folder = checkpoint(tmp_path, "xx", done=[0])
    commit(tmp_path / "t", 0, {"metaData": {"id": TABLE, "configuration": {}}})
    assert main(["offsets", str(folder)]) == 3
    said = f"{folder}/offsets/0 is damaged: the offset of source 0 is not JSON: 'xx'. Restore"
    assert said in capsys.readouterr().err
    assert main(["backlog", str(folder), str(tmp_path / "t")]) == 3
    said = "has xx (source '0'). If the query reads a Delta table, the file offsets/0 is damaged"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("planned", "done", "missing"),
    [
        ([0, 2], [0, 1, 2], [1]),  # Spark cannot restart without the batch before the latest.
        ([0, 2], [0, 2], []),  # With asynchronous progress tracking, not all are recorded.
        ([0, 2, 3], [0, 1, 2, 3], []),  # Spark does not read batch 1 again.
        ([0, 2], [0, 1], [1]),
        ([1, 2], [1, 3], [3]),
    ],
)
def test_a_missing_file_that_a_restart_needs_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    planned: list[int],
    done: list[int],
    missing: list[int],
) -> None:
    """Spark reads the offsets of the latest batch and of the one before."""
    folder = checkpoint(tmp_path, *map(offset, range(4)), done=done)
    for batch in {0, 1, 2, 3} - set(planned):
        (folder / "offsets" / str(batch)).unlink()
    assert main(["offsets", str(folder), "--last", "1"]) == (3 if missing else 0)
    err = capsys.readouterr().err
    assert err.count("is missing, but the batch is committed") == len(missing)
    if max(done) in planned:
        last = Checkpoint(folder).last_committed()  # Which needs no other file.
        assert last is not None
        assert last.id == max(done)
    assert all(f"{folder}/offsets/{batch} is missing" in err for batch in missing)


def test_a_damaged_commit_does_not_hide_the_batches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are listed, and the file that Spark cannot read is named."""
    folder = checkpoint(tmp_path, offset(1), offset(2), done=[0])
    (folder / "commits" / "0").write_text("x")
    assert main(["offsets", str(folder), "--format", "csv"]) == 3
    out, err = capsys.readouterr()
    assert [line.split(",")[0] for line in out.splitlines()] == ["batch", "0", "1"]
    assert f"{folder}/commits/0: its first line must be a version" in err


def test_a_path_below_home_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Only a shell expands ~, and not between quotes."""
    with pytest.raises(SystemExit):
        main(["offsets", "~/checkpoint"])
    assert "which the shell has not expanded: leave out the quotes" in capsys.readouterr().err
