# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`bench.compiled`: what a stream takes again in the same process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench import compiled

COSTS = {"jobs": 0, "open": 4, "lines": 9, "bytes": 99}


def told(seconds: float, jit: float, **costs: int) -> dict[str, Any]:
    """The output of a run with one batch."""
    part = {"getBatch": 0, "planning": 0, "commit": 0}
    return {
        "startNanos": 0,
        "batches": [{"latestOffset": int(seconds * 1e9), **part}],
        "polls": [],
        "costs": {**COSTS, "jitMillis": int(jit * 1e3), **costs},
    }


def saved(tmp_path: Path) -> Path:
    """A file of results: five runs, of which the last three are of compiled code."""
    runs = [told(9, 5), told(7, 3), told(2, 0.5), told(4, 0.1), told(3, 0.2)]
    file = tmp_path / "compiled.json"
    floors = [{**told(0, 0), "startNanos": one} for one in (4e8, 3e8, 2e8, 3e8, 2e8)]
    scenarios = {"backlog": {"size": 20_000, "results": runs, "floors": floors}}
    file.write_text(json.dumps({"machine": {}, "scenarios": scenarios}))
    return file


def test_the_last_runs_show_the_time_of_compiled_code(tmp_path: Path) -> None:
    """The first run stands for a new process, the median of the last three for a long one."""
    row = compiled.page(compiled.load(saved(tmp_path))).splitlines()[-1]
    cells = ["`backlog`, all batches", "20,000 commits", "9 s", "5 s", "**3 s**", "200 ms"]
    assert row.strip("| ").split(" | ") == [*cells, "≤ 1.5 s", "200 ms"]


def test_each_run_is_drawn(tmp_path: Path) -> None:
    """The chart is an SVG."""
    compiled.draw(compiled.load(saved(tmp_path)), tmp_path / "compiled.svg")
    assert (tmp_path / "compiled.svg").read_text().startswith("<?xml")


def test_a_run_that_reads_less_is_noticed() -> None:
    """A run that finds the log in a cache says nothing about the compiler."""
    compiled.require_same_work("start", [told(9, 5), told(1, 1)])
    with pytest.raises(RuntimeError, match=r"start: the runs differ in bytes: \[98, 99\]"):
        compiled.require_same_work("start", [told(9, 5), told(1, 1, bytes=98)])


@pytest.mark.parametrize("runs", ["0", "3"])
def test_too_few_runs_are_refused(runs: str) -> None:
    """The first run must not be one of the last."""
    with pytest.raises(SystemExit):
        compiled.main(["--runs", runs])
