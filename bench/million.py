# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""An initial snapshot of a million files, on a cluster: a driver of 1 GiB, an executor of 4 GiB.

Planned as in the scenario `snapshot`, with deltasource only. Writes the results to a JSON file and
draws the driver's heap after garbage collections.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import pyspark
from rich.console import Console
from rich.table import Table

from bench import tables
from bench.machine import machine
from bench.report import BLUE
from bench.run import ROOT, table_of, task_of, work
from bench.run_result import RunResult
from bench.scenario import ALL
from bench.scenarios import SCENARIOS

SNAPSHOT: Final = next(one for one in SCENARIOS if one.name == "snapshot")
MEMORY: Final = {"spark.driver.memory": "1g", "spark.executor.memory": "4g"}
MIB: Final = 2**20


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write `million.json` and draw `million.svg`."""
    parser = argparse.ArgumentParser(prog="bench.million", description=__doc__)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "bench" / "million")
    given = parser.parse_args(arguments)
    console = Console()
    with console.status("writing the table") as doing, ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        for size in (SNAPSHOT.warm, given.files):
            tables.snapshot(table_of(folder, size), folder, size)
        doing.update("planning its batches")
        confs = {**MEMORY, "spark.master": stack.enter_context(cluster(folder))}
        warm = task_of(SNAPSHOT, folder, size=SNAPSHOT.warm, name="ours", batches=10)
        task = task_of(SNAPSHOT, folder, size=given.files, name="ours", batches=ALL)
        (result,) = work(
            what="million", side="ours", warm=warm, tasks=[task], folder=folder, confs=confs
        )
    given.out.mkdir(parents=True, exist_ok=True)
    content = {"machine": machine(), "files": given.files, "confs": MEMORY, "result": result}
    (given.out / "million.json").write_text(json.dumps(content), encoding="utf-8")
    console.print(summary(result))
    draw(result, given.out / "million.svg")
    console.print(f"chart: {given.out / 'million.svg'}")
    return 0


@contextmanager
def cluster(folder: Path) -> Generator[str, None, None]:
    """Start a standalone master and a worker with 4 GiB and two cores; yield the master's URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"spark://127.0.0.1:{port}"
    package = "org.apache.spark.deploy"
    home = Path(pyspark.__file__).parent
    master = [f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port)]
    worker = [
        f"{package}.worker.Worker",
        "--cores",
        "2",
        "--memory",
        MEMORY["spark.executor.memory"],
    ]
    worker += ["--work-dir", str(folder / "work"), url]
    with ExitStack() as stack:
        log = stack.enter_context((folder / "cluster.txt").open("w"))
        for command in (master, worker):
            running = stack.enter_context(
                subprocess.Popen(
                    [str(home / "bin" / "spark-class"), *command, "--webui-port", "0"],
                    env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"},
                    stdout=log,
                    stderr=log,
                )
            )
            stack.callback(running.terminate)
        yield url


def heaps(result: dict[str, Any]) -> list[int]:
    """Return the driver's heap after the last collection before each batch ended, in bytes."""
    return [batch["heapBytes"] for batch in result["batches"]]


def summary(result: dict[str, Any]) -> Table:
    """Return a table of the times, the jobs, and the heap in each tenth of the batches."""
    run = RunResult.of(result)
    rows = Table(title=f"an initial snapshot in {len(run.batches):,} batches", show_header=False)
    rows.add_row("first batch", f"{run.start + run.batches[0].whole:.1f} s")
    rows.add_row("whole drain", f"{run.start + sum(one.whole for one in run.batches):.1f} s")
    rows.add_row("Spark jobs", f"{run.costs['jobs']:,}")
    left = heaps(result)
    tenth = max(1, len(left) // 10)
    most = (max(left[first : first + tenth]) for first in range(0, len(left), tenth))
    rows.add_row("driver heap, max MiB", ", ".join(f"{one // MIB:,}" for one in most))
    return rows


def draw(result: dict[str, Any], path: Path) -> None:
    """Draw the driver's heap over time."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    run = RunResult.of(result)
    seconds = list(accumulate((one.whole for one in run.batches), initial=run.start))[1:]
    figure, axes = pyplot.subplots(figsize=(8, 3), layout="constrained")
    axes.plot(seconds, [one / MIB for one in heaps(result)], color=BLUE, linewidth=1)
    axes.set_ylim(0, 1024)
    axes.set_xlabel("seconds since the source was opened")
    axes.set_ylabel("MiB left after a collection,\nof a driver of 1 GiB")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
