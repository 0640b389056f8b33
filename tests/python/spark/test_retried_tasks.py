# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the sink commits from tasks that ran more than once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def test_only_the_attempt_that_succeeded_is_committed(
    run_script: Callable[..., Mapping[str, Any]], tmp_path: Path
) -> None:
    """A failed attempt that wrote a file leaves no rows: those of its retry are there once."""
    table, failed = tmp_path / "table", tmp_path / "failed"
    result = run_script("retried", str(table), str(tmp_path / "checkpoint"), str(failed))
    assert result["failed"]
    assert (result["rows"], result["different"], result["files"]) == (10_000, 10_000, 3)
    assert result["metrics"] == {
        "batchSkipped": "false",
        "version": "0",
        "numAddedFiles": "3",
        "numRemovedFiles": "0",
        "numOutputRows": "10000",
        "numOutputBytes": result["metrics"]["numOutputBytes"],
    }
