# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's own arithmetic, and the logs it writes; `make bench` runs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench import report
from bench.actions import add, vector
from bench.logs import Log
from bench.run import Run
from bench.scenarios import SCENARIOS, Scenario
from bench.told import Told
from pyspark.sql import SparkSession
from rich.console import Console

BACKLOG = next(one for one in SCENARIOS if one.name == "backlog")
IDLE = next(one for one in SCENARIOS if one.name == "idle")
COSTS = dict.fromkeys((*report.COUNTS, "cpuNanos", "heapBytes"), 1)


def told(*nanos: int, polls: tuple[int, ...] = ()) -> dict[str, object]:
    """What a run tells whose batches took so long."""
    part = {"getBatch": 0, "planning": 0, "commit": 0}
    batches = [{"latestOffset": one, **part} for one in nanos]
    return {"startNanos": 0, "batches": batches, "polls": polls, "costs": COSTS}


def run(scenario: Scenario, side: str, **by_size: dict[str, object]) -> Run:
    sizes = tuple(int(size.removeprefix("n")) for size in by_size)
    return Run(scenario=scenario.name, side=side, sizes=sizes, told=tuple(by_size.values()))


def test_ratios_and_growth_are_of_medians() -> None:
    """The median of the repeats counts, and growth is from half the size."""
    floor = run(BACKLOG, "floor", n100=told(), n200=told())
    stock = [
        run(BACKLOG, "stock", n100=told(one), n200=told(4 * one)) for one in (9000, 8000, 100000)
    ]
    ours = [run(BACKLOG, "ours", n100=told(one), n200=told(one, one)) for one in (1000, 900, 9)]
    small, large = report.lines(BACKLOG, [floor, *stock, *ours])
    assert (small.size, large.size) == (100, 200)
    assert small.ratio == pytest.approx(10)
    assert large.ratio == pytest.approx(20)
    assert report.growth([small, large], small) is None
    assert report.growth([small, large], large) == pytest.approx({"stock": 4, "ours": 2})


def test_what_was_measured_is_shown(tmp_path: Path) -> None:
    """Tables have both sides and the target; the picture is drawn."""
    runs = [
        run(IDLE, side, n1000=told(polls=(time,))) for side, time in [("stock", 5), ("ours", 1)]
    ]
    found = report.lines(IDLE, runs)
    console = Console(width=200)
    with console.capture() as shown:
        for table in report.tables(found):
            console.print(table)
    report.draw(found, tmp_path / "bench.svg")
    for cell in ("idle", "1,000 objects in the log", "5e-09 (x1.00)", "5.0", "1 / 1"):
        assert cell in shown.get()
    assert (tmp_path / "bench.svg").read_text().startswith("<?xml")


def test_every_scenario_is_told_of(root: Path) -> None:
    """The page names each scenario, and each has two sizes, one of them twice the other."""
    page = (root / "bench" / "README.md").read_text()
    for scenario in SCENARIOS:
        assert f"`{scenario.name}`" in page
        for sizes in scenario.sizes.values():
            assert any(2 * one in sizes for one in sizes)


def test_a_run_is_told_in_seconds() -> None:
    """Nanoseconds become seconds, and what the source takes leaves the physical plan out."""
    batch = {"latestOffset": 1, "getBatch": 10, "planning": 100, "commit": 1000}
    read = Told.of({"startNanos": 5e8, "batches": [batch], "polls": [2e9], "costs": {"jobs": 3}})
    assert (read.start, read.polls, read.costs["jobs"]) == (0.5, (2.0,), 3)
    assert read.batches[0].source == pytest.approx(1011e-9)
    assert read.batches[0].whole == pytest.approx(1111e-9)


def size(spark: SparkSession, table: Path) -> tuple[int, int]:
    """Answer how many files a table has, and their bytes, as Delta sees it."""
    detail = spark.sql(f"DESCRIBE DETAIL delta.`{table}`").collect()[0]
    return detail["numFiles"], detail["sizeInBytes"]


def test_delta_reads_what_is_written(spark: SparkSession, tmp_path: Path) -> None:
    """Commits, a checkpoint and a checksum file are such as Delta takes; the checkpoint counts."""
    log = Log.of(tmp_path / "t")
    log.commit(0, range(100, 200))
    log.checkpoint(0, range(3))
    log.commit(1, [7])
    log.checksum(1, 4)
    assert size(spark, tmp_path / "t") == (4, sum(add(number)["size"] for number in (0, 1, 2, 7)))


def test_deletes_with_vectors_are_in_the_protocols_form(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta keeps the file, and finds just the first rows in its vector."""
    log = Log.of(tmp_path / "t", vectors=True)
    log.commit(0, range(3))
    log.delete(1, 1, rows=1)
    assert size(spark, tmp_path / "t")[0] == 3
    told = vector(5)
    jvm: Any = spark._jvm
    delta = jvm.org.apache.spark.sql.delta
    none = jvm.scala.Option.empty()
    text, length = told["pathOrInlineDv"], told["sizeInBytes"]
    descriptor = delta.actions.DeletionVectorDescriptor.apply("i", text, none, length, 5, none)
    bitmap = delta.deletionvectors.RoaringBitmapArray.readFrom(descriptor.inlineData())
    assert list(bitmap.toArray()) == [0, 1, 2, 3, 4]
