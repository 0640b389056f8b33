# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A log that lacks a commit in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource import Checkpoint, Lag, MissingCommitError
from support.checkpoint_samples import checkpoint, offset, table

SIZES: tuple[list[int], ...] = ([1, 2], [10], [100, 200, 400], [])


def lag(folder: Path, read: str) -> Lag:
    """Compute the lag of a checkpoint that has read this far."""
    return Checkpoint(checkpoint(folder / "c", read, done=[0])).backlog(folder / "table")


@pytest.mark.parametrize("read", [offset(0), offset(1), offset(2), offset(0, 9, snapshot=True)])
def test_a_commit_that_is_missing_in_the_middle_is_damage(read: str, tmp_path: Path) -> None:
    """Cleaning up deletes the oldest commits; the condition is that of the stream."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    (log / f"{2:020}.json").unlink()
    with pytest.raises(MissingCommitError) as error:
        lag(tmp_path, read)
    assert str(error.value).startswith(
        "[DELTA_MISSING_FILES_UNEXPECTED_VERSION] the commit of version 2 is missing, but "
        f"versions 1 and 3 are there: the log {log} is damaged"
    )
    advice = f"Restore {2:020}.json from a copy"
    assert error.value.args[0].endswith(advice)


def test_a_gap_that_was_read_already_does_not_matter(tmp_path: Path) -> None:
    """The stream goes on behind it."""
    log = table(tmp_path / "table", *SIZES) / "_delta_log"
    (log / f"{1:020}.json").unlink()
    assert lag(tmp_path, offset(2)).versions == 2
    (log / f"{2:020}.json").unlink()
    assert lag(tmp_path, offset(3)).versions == 1
    with pytest.raises(MissingCommitError, match="commits of versions 1 to 2 are missing, but"):
        lag(tmp_path, offset(2))
