# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Stream a table while it is written, with a restart; fail if a row is missing or duplicated."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from threading import Event

from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import deltasource
from demo import compare, flights, picture
from demo.follow import Batch, Follower, batches, end
from demo.report import Report
from demo.write import Writer, commit

OUT = Path("target/demo")


def session() -> SparkSession:
    """Start a small local Spark with our jar."""
    builder = SparkSession.builder.master("local[2]").appName("deltasource demo")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Spark logs the stop inside a batch as an error. Real failures are raised.
        "spark.log.level": "FATAL",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.streaming.numRecentProgressUpdates": "2000",
        "spark.databricks.delta.snapshotPartitions": "2",
    }
    for key, value in settings.items():
        builder.config(key, value)
    return deltasource.configure(builder).getOrCreate()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the demo; 0 if the copy equals the input, 1 if not."""
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--days", type=int, default=365, help="days of the year to write")
    parser.add_argument("--commit-days", type=int, default=7, help="days per commit, each one file")
    parser.add_argument("--max-files", type=int, default=2, help="files per batch of the stream")
    parser.add_argument("--out", type=Path, default=OUT, help="folder for tables and chart")
    parser.add_argument(
        "--break",
        dest="broken",
        nargs="+",
        choices=("input", "copy"),
        default=(),
        help="drop a row from the input, from the copy before it is compared, or from both",
    )
    given = parser.parse_args(arguments)
    if given.commit_days < 1 or given.days < 2 * given.commit_days + 1:
        parser.error("too few days: at least three commits are needed")
    # SQL takes a path for a table only if it is absolute.
    given.out = given.out.resolve()
    console = Console()
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    spark = session()
    try:
        return run(spark, given, console)
    finally:
        spark.stop()


def run(spark: SparkSession, given: argparse.Namespace, console: Console) -> int:
    """Write and stream, then compare."""
    archive = flights.packed()
    counted = flights.count(archive, given.days)
    dates = list(counted)
    raw = flights.read(spark, archive, given.out)
    if "input" in given.broken:
        raw = raw.where("NOT (month = 1 AND day = 1 AND flight = 1545 AND carrier = 'UA')")
    rows = raw.where(raw["date"] <= dates[-1]).cache()
    expected = compare.days(rows)
    source, target = given.out / "flights", given.out / "copy"
    follower = Follower(spark, source, target, given.out / "checkpoint", given.max_files)

    size = given.commit_days
    commits = [dates[first : first + size] for first in range(0, len(dates), size)]
    before, after = follow(console, rows, commits, follower)
    if "copy" in given.broken:
        one = spark.read.format("delta").load(str(target)).limit(1).collect()[0]
        spark.sql(
            f"DELETE FROM delta.`{target}` WHERE date = DATE'{one['date']}' "
            f"AND flight = {one['flight']} AND carrier = '{one['carrier']}'"
        )
    found = compare.days(spark.read.format("delta").load(str(target)))
    report = Report(counted, expected, found)

    png = given.out / "flights.png"
    picture.draw([*before, *after], len(before), png)
    history = spark.sql(f"DESCRIBE HISTORY delta.`{source}`").count()
    files = len(spark.read.format("delta").load(str(source)).inputFiles())
    checks = deltasource.doctor(spark).rows
    origin = next(row.found for row in checks if row.check == "DeltaSource")
    facts = {
        "versions, files": f"{history}, {files}",
        "batches": f"{len(before)} before the restart, {len(after)} after it",
        "source jar": origin,
        "chart": str(png),
    }
    report.show(console, facts)
    return 1 if report.wrong else 0


def follow(
    console: Console, rows: DataFrame, commits: Sequence[Sequence[date]], follower: Follower
) -> tuple[Sequence[Batch], Sequence[Batch]]:
    """Write all commits while the stream reads them; return the batches of its two runs.

    A third of the commits is written before the stream starts, as its initial snapshot.
    """
    head = len(commits) // 3
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        written = progress.add_task("commits", total=len(commits))
        for days in commits[:head]:
            commit(rows, days, follower.source)
            progress.advance(written)
        middle = Event()

        def done() -> None:
            progress.advance(written)
            if progress.tasks[0].completed >= len(commits) * 2 // 3:
                middle.set()

        writer = Writer(rows, commits[head:], follower.source, done=done)
        first = follower.start()
        writer.start()
        # A writer that has failed never reaches the middle; `finish` raises its error.
        while first.isActive and writer.is_alive() and not middle.wait(timeout=0.5):
            pass
        while first.isActive and not batches(first):
            first.awaitTermination(1)
        before = end(first)
        second = follower.start()
        writer.finish()
        reading = progress.add_task("stream catches up", total=None)
        second.processAllAvailable()
        after = end(second)
        progress.update(reading, total=1, completed=1)
        return before, after


if __name__ == "__main__":
    sys.exit(main())
