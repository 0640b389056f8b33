# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs a scenario: the sides alternate, each run in a new process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.scenario import Scale, Scenario

ROOT: Final = Path(__file__).resolve().parents[1]
METER: Final = ROOT / "bench" / "jvm" / "target" / "deltasource-bench.jar"
LINE: Final = "4.2"
SIDES: Final = {
    "stock": ROOT / "jvm" / "target" / LINE / "stock",
    "ours": ROOT / "jvm" / "target" / LINE,
}
"""The folders with each side's jars, from `make jar`; "stock" is delta-spark."""
WRITING: Final = {"spark.databricks.delta.snapshotPartitions": "2"}
"""Confs for writing tables, which is not measured: fewer tasks are quicker."""

PLANNING: Final = {"spark.deltasource.log.maxIdleDelay": "0"}
"""Polls are measured one after the other, without the waits between them."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of a scenario on one side, or of its floor; `results` has one entry per size."""

    scenario: str
    side: str
    sizes: tuple[int, ...]
    results: tuple[dict[str, Any], ...]


def runs(scenario: Scenario, scale: Scale, sizes: Sequence[int], repeats: int) -> Iterator[Run]:
    """Write the tables once, measure the floor, then run both sides alternately."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        written = Path(folder)
        _write(scenario, sizes, written)
        expected: Run | None = None
        if scenario.floor:
            first, *logs = (floor_of(scenario, written, size) for size in (scenario.warm, *sizes))
            yield _run(scenario, "floor", sizes, first, logs, written)
        for repeat in range(repeats):
            for side in SIDES:
                name = f"{side}-{repeat}"
                most = scenario.batches[scale]
                few = min(most, 10)
                warm = task_of(scenario, written, size=scenario.warm, name=name, batches=few)
                tasks = [
                    task_of(scenario, written, size=size, name=name, batches=most) for size in sizes
                ]
                run = _run(scenario, side, sizes, warm, tasks, written)
                if scenario.changes is not None:
                    expected = run if expected is None else expected
                    _check_rows(run, expected)
                    _delete_targets(written, name)
                yield run


def _check_rows(run: Run, expected: Run) -> None:
    """Fail unless a run left the same rows in its tables as another."""
    rows = [[result["rows"] for result in one.results] for one in (run, expected)]
    if rows[0] != rows[1]:
        raise RuntimeError(f"{run.scenario}: {run.side} has {rows[0]}, {expected.side} {rows[1]}")


def _delete_targets(folder: Path, name: str) -> None:
    for target in folder.glob(f"{name}-target-*"):
        shutil.rmtree(target)


def _write(scenario: Scenario, sizes: Sequence[int], folder: Path) -> None:
    if scenario.write is None:
        first, *rest = (_data(scenario, folder, size) for size in (scenario.warm, *sizes))
        work(what=scenario.name, side="stock", warm=first, tasks=rest, folder=folder, confs=WRITING)
    else:
        for size in (scenario.warm, *sizes):
            scenario.write(table_of(folder, size), folder / f"waiting-{size}", size)


def table_of(folder: Path, size: int) -> Path:
    """Return the folder of the table of this size."""
    return folder / f"table-{size}"


def floor_of(scenario: Scenario, folder: Path, size: int) -> dict[str, Any]:
    """Return what a worker process has to do for the floor of a scenario, as JSON."""
    if scenario.changes is None:
        return {"action": "floor", "log": str(table_of(folder, size) / "_delta_log")}
    return {
        **_data(scenario, folder, size),
        "action": "apply-floor",
        "target": str(table_of(folder, size)),
        "checkpoint": str(folder / f"floor-{size}"),
    }


def _data(scenario: Scenario, folder: Path, size: int) -> dict[str, Any]:
    table = str(table_of(folder, size))
    if scenario.changes is None:
        return {"action": "write", "table": table, "files": size}
    return {
        "action": "write-changes",
        "table": table,
        "waiting": str(folder / f"waiting-{size}"),
        "size": size,
        "events": scenario.changes.events(size),
        "where": scenario.changes.where,
    }


def task_of(
    scenario: Scenario, folder: Path, *, size: int, name: str, batches: int
) -> dict[str, Any]:
    """Return what a worker process has to do, as JSON: one stream over one table."""
    table, waiting = table_of(folder, size), folder / f"waiting-{size}"
    target = folder / f"{name}-target-{size}"
    if scenario.changes is not None:
        shutil.copytree(table, target)
        return {
            **_data(scenario, folder, size),
            "action": "apply",
            "side": name.partition("-")[0],
            "target": str(target),
            "checkpoint": str(folder / f"{name}-checkpoint-{size}"),
        }
    if scenario.action == "mirror":
        # A copy that has kept up so far: it has as many files.
        shutil.copytree(table, target)
    if scenario.action in ("follow", "add", "mirror"):
        # The table grows, so each run needs its own copy.
        table = Path(shutil.copytree(table, folder / f"{name}-table-{size}"))
    if scenario.action in ("follow", "mirror"):
        waiting = Path(shutil.copytree(waiting, folder / f"{name}-waiting-{size}"))
    return {
        "action": scenario.action,
        "options": {"path": str(table), **scenario.options},
        "size": size,
        "checkpoint": str(folder / f"{name}-checkpoint-{size}" / "sources" / "0"),
        "now": scenario.now,
        "batches": batches,
        "polls": scenario.polls,
        "target": str(table if scenario.action == "add" else target),
        "waiting": str(waiting / "_delta_log"),
        "log": str(table / "_delta_log"),
    }


def _run(
    scenario: Scenario,
    side: str,
    sizes: Sequence[int],
    warm: dict[str, Any],
    tasks: list[dict[str, Any]],
    folder: Path,
) -> Run:
    confs = {} if scenario.action in ("mirror", "apply") else PLANNING
    results = work(
        what=scenario.name, side=side, warm=warm, tasks=tasks, folder=folder, confs=confs
    )
    return Run(scenario=scenario.name, side=side, sizes=tuple(sizes), results=tuple(results))


def work(
    *,
    what: str,
    side: str,
    warm: dict[str, Any],
    tasks: list[dict[str, Any]],
    folder: Path,
    confs: dict[str, str],
) -> list[dict[str, Any]]:
    """Run tasks in a new process, with one side's jars; return their results."""
    jars = sorted(SIDES.get(side, SIDES["ours"]).glob("*.jar"))
    out = folder / "results.json"
    paths = [str(jar) for jar in (METER, *jars)]
    request = {"jars": paths, "confs": confs, "warm": warm, "runs": tasks, "out": str(out)}
    with (folder / "log.txt").open("w+", encoding="utf-8") as log:
        ended = subprocess.run(
            [sys.executable, "-m", "bench.worker", json.dumps(request)],
            cwd=ROOT,
            env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
            stdout=log,
            stderr=log,
            check=False,
        )
        if ended.returncode != 0:
            log.seek(0)
            raise RuntimeError(f"{what} on {side} failed:\n{log.read()[-4000:]}")
    results: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))
    return results
