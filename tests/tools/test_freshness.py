# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How the benchmark measures the freshness of a copy, without Spark."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench import data_file, freshness, report, tables, writer
from bench.actions import COLUMNS, add
from bench.arrivals import arrivals, percentile
from bench.data import ROWS
from bench.run import Run
from bench.scenarios import SCENARIOS
from pyarrow import parquet

from support.checkpoint_samples import commit, offset

FRESHNESS = next(one for one in SCENARIOS if one.name == "freshness")
NANOS = 10**9


def batch(number: int) -> dict[str, Any]:
    """The action in a target's commit that names the batch."""
    return {"txn": {"appId": "query", "version": number, "lastUpdated": 0}}


def result(
    *seconds: float, at_checkpoint: int = 0, batches: int = 1, first: float = 60
) -> dict[str, Any]:
    """The output of a run, by default after the warm-up; the first commits are at a checkpoint."""
    parts = ("triggerExecution", "latestOffset", "getBatch", "addBatch")
    engine = ("queryPlanning", "walCommit", "commitOffsets")
    counts = dict.fromkeys((*report.COUNTS, "cpuNanos", "heapBytes"), 1)
    return {
        "startNanos": 0,
        "batches": [],
        "polls": [],
        "costs": counts,
        "arrivals": [
            {"landed": first + number / 2, "seconds": one, "at_checkpoint": number < at_checkpoint}
            for number, one in enumerate(seconds)
        ],
        "durationMs": {name: [100] * batches for name in (*parts, *engine)},
    }


def run(side: str, *results: dict[str, Any]) -> Run:
    return Run(scenario="freshness", side=side, sizes=(40,) * len(results), results=results)


def test_a_commit_arrives_with_the_batch_that_reads_it(tmp_path: Path) -> None:
    """Offsets say which batch read a version, and transactions which commit wrote the batch."""
    other: dict[str, Any] = {"commitInfo": {}}
    commit(tmp_path, 0, other, seconds=1)
    commit(tmp_path, 1, batch(0), seconds=101)
    commit(tmp_path, 2, other, seconds=102)
    commit(tmp_path, 3, batch(1), seconds=104)
    commit(tmp_path, 4, batch(2), seconds=105)
    commit(tmp_path, 5, batch(3), seconds=107)
    log = tmp_path / "_delta_log"
    (log / f"{3:020}.checkpoint.parquet").touch()
    landed = {7: 100 * NANOS, 8: 101 * NANOS, 9: 102 * NANOS, 10: 103 * NANOS, 11: 104 * NANOS}
    # The end of a version is written as the beginning of the next; 11 is read to its only file.
    ends = {0: offset(8), 1: offset(10), 2: offset(11), 3: offset(11, 0)}
    found = [(one.landed, one.seconds, one.at_checkpoint) for one in arrivals(landed, ends, log)]
    assert found == [(0, 1, False), (1, 3, True), (2, 2, True), (3, 2, True), (4, 3, False)]


def test_a_commit_that_no_batch_has_read_is_an_error(tmp_path: Path) -> None:
    """A commit that is not in the copy has no latency."""
    commit(tmp_path, 0, batch(0))
    with pytest.raises(IndexError):
        arrivals({7: 1, 8: 2}, {0: offset(8)}, tmp_path / "_delta_log")


def test_percentiles_are_within_what_was_measured() -> None:
    """The median and the p99 are interpolated, never beyond the largest."""
    assert percentile(50, [1, 2, 4]) == 2
    assert percentile(99, [1.0] * 99 + [101]) == pytest.approx(1 + 0.01 * 100)
    assert percentile(99, [0, 1]) == pytest.approx(0.99)


def test_targets_are_compared_by_percentiles() -> None:
    """The benchmark's table has the p50 and p99 of each side, with limits in seconds."""
    runs = [run("stock", result(1, 2, 3)), run("ours", result(0.2, 0.4, 0.6))]
    p50, p99 = report.lines(FRESHNESS, runs)
    assert p50.seconds == {"stock": (2,), "ours": (0.4,)}
    assert p99.seconds["ours"] == pytest.approx([0.596])
    assert [report.format_target(one.measure) for one in (p50, p99)] == ["≤ 500 ms", "≤ 1 s"]


def test_figures_are_medians_of_the_repeats(tmp_path: Path) -> None:
    """Commits at checkpoints are apart, without the first minute; they may be missing."""
    repeats = [result(3, 4, 1, 1, at_checkpoint=2, batches=count) for count in (2, 4, 3)]
    repeats[0]["arrivals"][1]["seconds"] = 5
    runs = [*(run("ours", one) for one in repeats), run("stock", result(9, 8, 8, first=59.5))]
    assert freshness.rows(runs)[:5] == [
        ("batches", "1", "3"),
        ("maximum", "9 s", "4 s"),
        ("p99 after the first minute", "8 s", "3.97 s"),
        ("of these, at checkpoints of the target", "-", "3.99 s"),
        ("of these, all others", "8 s", "1 s"),
    ]
    assert {name: ours for name, _, ours in freshness.rows(runs)[5:]} == {
        "a batch": "100 ms",
        "of it the source": "200 ms",
        "of it the sink": "100 ms",
        "of it Spark's planning and checkpoint": "300 ms",
    }
    freshness.draw(runs, tmp_path / "freshness.svg")
    assert (tmp_path / "freshness.svg").read_text().startswith("<?xml")


def test_the_data_file_is_as_its_statistics_say(tmp_path: Path) -> None:
    """It has about 1 MB, and the columns, rows and bounds of its statistics."""
    written = data_file.write(tmp_path / "file.parquet")
    rows = parquet.read_table(tmp_path / "file.parquet").to_pydict()
    stats = json.loads(written["stats"])
    assert written["size"] == (tmp_path / "file.parquet").stat().st_size
    assert 0.9e6 < written["size"] < 1.3e6
    assert list(rows) == list(COLUMNS)
    for name in ("order_id", "country", "amount"):
        assert len(rows[name]) == stats["numRecords"] == ROWS
        assert (min(rows[name]), max(rows[name])) == (
            stats["minValues"][name],
            stats["maxValues"][name],
        )
    least = min(rows["placed_at"]).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert stats["minValues"]["placed_at"] == least


def test_a_version_lands_with_all_that_a_writer_leaves(tmp_path: Path) -> None:
    """The data file, the commit and the checksum; every tenth time a checkpoint as well."""
    table, waiting = tmp_path / "table", tmp_path / "waiting"
    tables.growing(table, waiting, 10)
    log = table / "_delta_log"
    before = {file.name for file in log.iterdir()}
    landed = [writer.add(waiting, table, version) for version in range(1, 11)]
    assert landed == sorted(landed)
    commits = {f"{version:020}.{kind}" for version in range(1, 11) for kind in ("json", "crc")}
    added = {file.name for file in log.iterdir()} - before
    assert added == commits | {f"{10:020}.checkpoint.parquet"}
    assert json.loads((log / "_last_checkpoint").read_text())["version"] == 10
    files = {file.name for file in table.glob("*.parquet")}
    assert files == {add(tables.GROWING_FILES + number)["path"] for number in range(10)}


def test_a_late_version_does_not_delay_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Versions are due at a fixed rate since the first, however long each takes."""
    clock = [0.0]
    started: list[float] = []

    def add(_waiting: Path, _table: Path, version: int) -> int:
        started.append(clock[0])
        clock[0] += 0.7 if version == 2 else 0.1
        return version

    def sleep(seconds: float) -> None:
        clock[0] += seconds

    tables.growing(tmp_path / "table", tmp_path / "waiting", 4)
    asked = {"waiting": str(tmp_path / "waiting"), "table": "any", "interval": 0.5}
    monkeypatch.setattr(sys, "argv", ["writer", json.dumps(asked)])
    monkeypatch.setattr(writer, "add", add)
    time = SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep)
    monkeypatch.setattr(writer, "time", time)
    writer.main()
    assert started == pytest.approx([0, 0.5, 1.2, 1.5])
