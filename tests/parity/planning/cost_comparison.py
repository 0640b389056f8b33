# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`planning.cost` on both sides, in separate processes that count."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path

from rich.table import Table

from parity.harness.both_sides import OURS, STOCK, jars
from parity.harness.worker_process import WorkerProcess
from parity.planning.cost import CONFS, KINDS, Cost
from support.build import ROOT

METER = ROOT / "bench" / "jvm" / "target" / "deltasource-bench.jar"
VERSIONS = (1, 100, 1000)


@contextmanager
def counting(name: str, folder: Path) -> Generator[WorkerProcess]:
    # Spark loads the file system class before it adds `spark.jars`.
    confs = {**CONFS, "spark.driver.extraClassPath": str(METER)}
    # delta-spark plans 1,000 versions as 1,000 relations, which can take minutes.
    worker = WorkerProcess(name, jars(name), folder, confs, patience=900)
    try:
        worker.ready()
        yield worker
    finally:
        worker.close()


def cost(worker: WorkerProcess, kind: str, versions: int) -> Cost:
    return Cost(**worker.call("cost", kind=kind, versions=versions))


def both(folder: Path, numbers: Sequence[int] = VERSIONS) -> Table:
    """A row for each kind and number of versions, with the counts of both sides."""
    names = [field.name for field in fields(Cost)]
    shown = Table("stock / ours", "versions", *names, title="planning one batch")
    with counting(STOCK, folder / "costs") as stock, counting(OURS, folder / "costs") as ours:
        for kind in KINDS:
            for number in numbers:
                pairs = zip(
                    astuple(cost(stock, kind, number)),
                    astuple(cost(ours, kind, number)),
                    strict=True,
                )
                shown.add_row(
                    kind, f"{number:,}", *(f"{one:,} / {other:,}" for one, other in pairs)
                )
    return shown
