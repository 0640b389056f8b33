# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the sink commits of tasks that ran more than once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def test_only_the_attempt_that_succeeded_is_committed(
    run_script: Callable[..., Mapping[str, Any]], tmp_path: Path
) -> None:
    """A task that failed late has written a file: its rows are in the table once, by the other."""
    table, failed = tmp_path / "table", tmp_path / "failed"
    said = run_script("retried", str(table), str(tmp_path / "checkpoint"), str(failed))
    assert said["failed"]
    assert (said["rows"], said["different"], said["files"]) == (10_000, 10_000, 3)
    assert said["told"] == {
        "batchSkipped": "false",
        "version": "0",
        "numAddedFiles": "3",
        "numRemovedFiles": "0",
        "numOutputRows": "10000",
        "numOutputBytes": said["told"]["numOutputBytes"],
    }
