# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`planning.cost` on both sides, in processes of their own that count."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path

from rich.table import Table

from parity.planning.cost import CONFS, KINDS, Cost
from parity.side import Side
from parity.stage import OURS, ROOT, STOCK, jars

METER = ROOT / "bench" / "jvm" / "target" / "deltasource-bench.jar"
VERSIONS = (1, 100, 1000)


@contextmanager
def counting(name: str, folder: Path) -> Generator[Side]:
    # Spark asks for the file system before it has loaded `spark.jars`.
    confs = {**CONFS, "spark.driver.extraClassPath": str(METER)}
    side = Side(name, jars(name), folder, confs)
    try:
        side.ready()
        yield side
    finally:
        side.close()


def cost(side: Side, kind: str, versions: int) -> Cost:
    return Cost(**side.call("cost", kind=kind, versions=versions))


def both(folder: Path, numbers: Sequence[int] = VERSIONS) -> Table:
    """A row for each kind and number of versions, stock's counts beside ours."""
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
