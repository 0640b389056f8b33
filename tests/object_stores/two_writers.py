# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m object_stores.two_writers`: two drivers append to one table on S3 at the same time."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from object_stores import table_log
from object_stores.phases import LOG_STORE
from object_stores.store import TESTS, ObjectStore, connector, local_store
from parity.harness.both_sides import OURS, STOCK, jars
from support.class_data import JARS, java_options

CONFS = {STOCK: {}, OURS: LOG_STORE}
"""delta-spark has its default, and ours has what `deltasource.configure` sets."""


@dataclass(frozen=True)
class Outcome:
    """What is in the log after both drivers have appended their rows, one with each commit."""

    versions: int
    """With that of the empty table."""
    lost: int
    """Rows that a driver committed, and that are not there."""
    doubled: int
    failed: int
    """Rows whose commit failed."""


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="object_stores.two_writers", description=__doc__)
    parser.add_argument("--commits", type=int, default=500, help="of both drivers together")
    parser.add_argument("--side", choices=(STOCK, OURS), action="append", help="only this side")
    options = parser.parse_args(given)
    console = Console()
    table = Table("side", "commits", "versions", "lost", "doubled", "failed")
    with tempfile.TemporaryDirectory(prefix="two-writers-") as name, local_store(Path(name)) as s3:
        for side in options.side or (STOCK, OURS):
            with console.status(f"two drivers append with {side}"):
                found = run(side, s3, Path(name), commits=options.commits)
            counts = (options.commits, found.versions, found.lost, found.doubled, found.failed)
            table.add_row(side, *map(str, counts))
    console.print(table)
    return 0


def run(side: str, store: ObjectStore, folder: Path, *, commits: int) -> Outcome:
    """Start two drivers, let both append half of the rows, and count what is in the log."""
    key = f"two-writers/{side}"
    with ExitStack() as stack:
        drivers = [
            stack.enter_context(_driver(side, store, folder, key, range(first, commits, 2)))
            for first in (0, 1)
        ]
        for driver in drivers:
            _line(driver)
        # The first one creates the table; then both append.
        for driver in drivers:
            _tell(driver)
            _line(driver)
        for driver in drivers:
            _tell(driver)
        committed = [row for driver in drivers for row in json.loads(_line(driver))]
    written = Counter(table_log.rows(store, key))
    return Outcome(
        versions=sum(1 for _ in table_log.commits(store, key)),
        lost=sum(1 for row in committed if row not in written),
        doubled=sum(count - 1 for count in written.values()),
        failed=commits - len(committed),
    )


def _driver(
    side: str, store: ObjectStore, folder: Path, key: str, rows: range
) -> "subprocess.Popen[str]":
    task = {
        "uri": store.uri(key),
        "rows": list(rows),
        "jars": [str(jar) for jar in (*jars(side), *connector())],
        # Fewer tasks are quicker, and nothing is measured.
        "confs": store.confs()
        | CONFS[side]
        | {
            "spark.databricks.delta.snapshotPartitions": "2",
            "spark.driver.extraJavaOptions": java_options("-XX:TieredStopAtLevel=1", archive=JARS),
        },
    }
    return subprocess.Popen(
        [sys.executable, "-m", "object_stores.writer", json.dumps(task)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(TESTS), "SPARK_LOCAL_IP": "127.0.0.1"},
    )


def _tell(driver: "subprocess.Popen[str]") -> None:
    assert driver.stdin is not None
    driver.stdin.write("\n")
    driver.stdin.flush()


def _line(driver: "subprocess.Popen[str]") -> str:
    """The next line with JSON that the driver prints."""
    assert driver.stdout is not None
    for line in driver.stdout:
        if line.startswith("["):
            return line
    raise RuntimeError(f"a driver ended with {driver.wait()}")


if __name__ == "__main__":
    sys.exit(main())
