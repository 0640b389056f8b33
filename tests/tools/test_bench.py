# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The benchmark's arithmetic and the tables it writes; `make bench` runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from bench import compiled, data, freshness, million, report, results, store_requests
from bench.run import Run, runs
from bench.run_result import RunResult
from bench.scenario import Scenario
from bench.scenarios import SCENARIOS
from rich.console import Console

BENCH = Path(report.__file__).parent
BACKLOG = next(one for one in SCENARIOS if one.name == "backlog")
IDLE = next(one for one in SCENARIOS if one.name == "idle")
NOOP = next(one for one in SCENARIOS if one.name == "noop")
COSTS = dict.fromkeys((*report.COUNTS, "cpuNanos", "heapBytes"), 1)


def told(*nanos: int, polls: tuple[int, ...] = ()) -> dict[str, Any]:
    """The output of a run whose batches took these times."""
    part = {"getBatch": 0, "planning": 0, "commit": 0}
    batches = [{"latestOffset": one, **part} for one in nanos]
    return {"startNanos": 0, "batches": batches, "polls": polls, "costs": COSTS}


def run(scenario: Scenario, side: str, **by_size: dict[str, object]) -> Run:
    sizes = tuple(int(size.removeprefix("n")) for size in by_size)
    return Run(scenario=scenario.name, side=side, sizes=sizes, results=tuple(by_size.values()))


def test_ratios_and_growth_are_of_medians() -> None:
    """The median of the repeats counts, and growth is relative to half the size."""
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
    """Tables have both sides and the target; the chart is drawn."""
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


def test_the_pages_have_the_stored_figures() -> None:
    """The tables of bench/README.md are made from the stored JSON; README has its figures."""
    full = BENCH / "results" / "full"
    lines = results.load(full)
    tables = {
        "results": results.page(lines),
        "freshness": freshness.page(results.runs(full, "freshness")),
        "requests": store_requests.page(store_requests.load(full)),
        "compiled": compiled.page(compiled.load(full.parent / "compiled.json")),
    }
    page = BENCH / "README.md"
    made = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        old = re.search(rf"(?<=<!-- {name} -->\n)(\|.*\n)*", made)
        assert old is not None
        made = made[: old.start()] + table + made[old.end() :]
    if os.environ.get("UPDATE"):
        page.write_text(made, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == made
    readme = (BENCH.parent / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("## How fast")[2].partition("## Supported versions")[0]
    told = {
        tuple(f"{median(line.seconds[side]):.2g}" for side in ("stock", "ours")) for line in lines
    }
    rows = [row.strip("| ").split(" | ") for row in shown.splitlines() if row.startswith("| ")]
    figures = [(row[-2], row[-1]) for row in rows if row[-1][0].isdigit()]
    assert len(figures) >= 5
    assert [
        pair for pair in figures if tuple(f"{float(one):.2g}" for one in pair) not in told
    ] == []


def test_the_floor_of_a_batch_is_not_that_of_reading() -> None:
    """`apply-random` compares only batches with its floor; a target of 1.5 is not rounded."""
    lines = results.load(BENCH / "results" / "full")
    found = [line for line in lines if line.scenario.name == "apply-random"]
    assert {line.measure.name for line in found if line.floor is not None} == {
        "sink time per batch"
    }
    assert {report.format_target(line.measure) for line in found} == {"1.5", "-"}


def test_growth_of_the_driver_is_shown(tmp_path: Path) -> None:
    """The table of the million-commit run has the heap after each tenth; the chart is drawn."""
    run = told(*[10**9] * 20)
    for number, batch in enumerate(run["batches"]):
        batch["heapBytes"] = number * million.MIB
    console = Console(width=120)
    with console.capture() as shown:
        console.print(million.summary(run))
    million.draw(run, tmp_path / "million.svg")
    for cell in ("20 batches", "1.0 s", "20.0 s", "1, 3, 5, 7, 9, 11, 13, 15, 17, 19"):
        assert cell in shown.get()
    assert (tmp_path / "million.svg").read_text().startswith("<?xml")


def test_every_scenario_is_documented(root: Path) -> None:
    """The page names each scenario, and each that may grow has two sizes for measuring it."""
    page = (root / "bench" / "README.md").read_text()
    for scenario in SCENARIOS:
        assert f"`{scenario.name}`" in page
        for sizes in scenario.sizes.values():
            # Its table and its checkpoint are named by size.
            assert scenario.warm not in sizes
            for measure in scenario.measures:
                if measure.growth is None:
                    assert len(sizes) == 1
                elif measure.since is None:
                    assert any(2 * one in sizes for one in sizes)
                else:
                    assert measure.since in sizes[:-1]


def test_a_run_is_reported_in_seconds() -> None:
    """Nanoseconds become seconds, and the source's time excludes physical planning."""
    batch = {"latestOffset": 1, "getBatch": 10, "planning": 100, "commit": 1000}
    read = RunResult.of(
        {"startNanos": 5e8, "batches": [batch], "polls": [2e9], "costs": {"jobs": 3}}
    )
    assert (read.start, read.polls, read.costs["jobs"]) == (0.5, (2.0,), 3)
    assert read.batches[0].source == pytest.approx(1011e-9)
    assert read.batches[0].whole == pytest.approx(1111e-9)


def test_a_table_with_data_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process writes the tables, then each run reads them with its own checkpoint."""
    tasks: list[dict[str, Any]] = []

    def answer(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        task = json.loads(command[-1])
        tasks.append(task)
        Path(task["out"]).write_text(json.dumps([told(1) for _ in task["runs"]]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", answer)
    found = list(runs(NOOP, "small", (40, 80), repeats=2))
    assert [one.side for one in found] == ["stock", "ours", "stock", "ours"]
    assert [one.sizes for one in found] == [(40, 80)] * 4
    write, *reads = [[task["warm"], *task["runs"]] for task in tasks]
    assert [(one["action"], one["files"]) for one in write] == [
        ("write", 10),
        ("write", 40),
        ("write", 80),
    ]
    for read in reads:
        assert [(one["action"], one["size"]) for one in read] == [
            ("noop", 10),
            ("noop", 40),
            ("noop", 80),
        ]
        assert [one["options"]["path"] for one in read] == [one["table"] for one in write]
    assert len({one["checkpoint"] for read in reads for one in read}) == 12


def test_tables_with_data_have_commits_of_equal_size() -> None:
    """Every size that Spark writes can be split into commits of equal size."""
    sizes = [
        size
        for scenario in SCENARIOS
        if scenario.write is None
        for size in (scenario.warm, *scenario.sizes["small"], *scenario.sizes["full"])
    ]
    assert sizes
    assert all(size % data.COMMITS == 0 for size in sizes)


def test_sides_that_end_with_other_rows_are_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each side changes its own copy of the table, which is deleted; other rows end the run."""
    rows = {"stock": "1 rows, hash 1", "ours": "1 rows, hash 2"}

    def answer(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        task = json.loads(command[-1])
        for one in (task["warm"], *task["runs"]):
            Path(one["table"]).mkdir(exist_ok=True)
        side = task["warm"].get("side")
        done = [{**told(1), "rows": rows.get(side)} for _ in task["runs"]]
        Path(task["out"]).write_text(json.dumps(done))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", answer)
    scenario = next(one for one in SCENARIOS if one.name == "apply-recent")
    with pytest.raises(RuntimeError, match=r"apply-recent: ours has .*hash 2.*, stock .*hash 1"):
        list(runs(scenario, "small", (2_000_000,), repeats=1))
    rows["ours"] = rows["stock"]
    found = list(runs(scenario, "small", (2_000_000,), repeats=2))
    assert [one.side for one in found] == ["floor", "stock", "ours", "stock", "ours"]
