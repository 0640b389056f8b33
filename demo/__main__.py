# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Write, follow, stop, restart, compare, draw: fails if one row is missing or double."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from threading import Event

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import deltasource
from demo import compare, flights, picture
from demo.follow import Batch, Follower, batches
from demo.write import Writer, commit

OUT = Path("target/demo")


def session() -> SparkSession:
    """Start Spark on this machine, small, with our jar in front."""
    builder = SparkSession.builder.master("local[2]").appName("deltasource demo")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
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
    parser.add_argument("--days", type=int, default=365, help="how many days of the year")
    parser.add_argument("--max-files", type=int, default=8, help="files in a batch of the stream")
    parser.add_argument("--out", type=Path, default=OUT, help="where tables and picture go")
    parser.add_argument(
        "--break", dest="broken", action="store_true", help="remove one row from the copy first"
    )
    given = parser.parse_args(arguments)
    console = Console()
    shutil.rmtree(given.out, ignore_errors=True)
    given.out.mkdir(parents=True)
    spark = session()
    try:
        return run(spark, given, console)
    finally:
        spark.stop()


def run(spark: SparkSession, given: argparse.Namespace, console: Console) -> int:
    """Write and follow, then compare."""
    raw = flights.read(spark, given.out).cache()
    dates = [row["date"] for row in raw.select("date").distinct().orderBy("date").collect()]
    dates = dates[: given.days]
    rows = raw.where(raw["date"] <= dates[-1])
    expected = compare.days(rows)
    source, target = given.out / "flights", given.out / "copy"
    follower = Follower(spark, source, target, given.out / "checkpoint", given.max_files)

    runs = follow(console, rows, dates, follower)
    if given.broken:
        one = spark.read.format("delta").load(str(target)).limit(1).collect()[0]
        spark.sql(
            f"DELETE FROM delta.`{target}` WHERE date = DATE'{one['date']}' "
            f"AND flight = {one['flight']} AND carrier = '{one['carrier']}'"
        )
    found = compare.days(spark.read.format("delta").load(str(target)))
    wrong = compare.differences(expected, found)

    png = given.out / "flights.png"
    picture.draw([*runs[0], *runs[1]], len(runs[0]), png)
    history = spark.sql(f"DESCRIBE HISTORY delta.`{source}`").count()
    files = len(spark.read.format("delta").load(str(source)).inputFiles())
    report = deltasource.doctor(spark)
    origin = next(row.found for row in report.rows if row.check == "DeltaSource")
    totals = Table("", "days", "rows", "checksum", box=None)
    for name, side in (("input", expected), ("copy", found)):
        counted = sum(day.rows for day in side.values())
        totals.add_row(
            name, str(len(side)), f"{counted:,}", str(sum(day.checksum for day in side.values()))
        )
    console.print(totals)
    console.print(f"days equal        {len(expected) - len(wrong)} of {len(expected)}")
    console.print(f"versions, files   {history}, {files}")
    console.print(f"batches           {len(runs[0])} before the restart, {len(runs[1])} after it")
    console.print(f"read by           DeltaSource of {origin}", soft_wrap=True)
    console.print(f"picture           {png}", soft_wrap=True)
    for difference in wrong:
        console.print(f"[red]{difference}[/red]")
    console.print("[red]NOT EQUAL[/red]" if wrong else "[green]every row once[/green]")
    return 1 if wrong else 0


def follow(
    console: Console, rows: DataFrame, dates: Sequence[date], follower: Follower
) -> tuple[Sequence[Batch], Sequence[Batch]]:
    """Write all days while the stream follows; answer the batches of its two runs.

    A third of the days is there before the stream starts: it begins with a snapshot, then tails.
    """
    head = len(dates) // 3
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        written = progress.add_task("days committed", total=len(dates))
        for day in dates[:head]:
            commit(rows, day, follower.source)
            progress.advance(written)
        middle = Event()

        def done() -> None:
            progress.advance(written)
            if progress.tasks[0].completed >= len(dates) * 2 // 3:
                middle.set()

        writer = Writer(rows, dates[head:], follower.source, done=done)
        first = follower.start()
        writer.start()
        while first.isActive and not (middle.wait(timeout=0.5) and batches(first)):
            pass
        before = batches(first)
        end(first)
        second = follower.start()
        writer.finish()
        reading = progress.add_task("stream catches up", total=None)
        second.processAllAvailable()
        after = batches(second)
        end(second)
        progress.update(reading, total=1, completed=1)
        return before, after


def end(query: StreamingQuery) -> None:
    """Stop a stream, or tell why it ended by itself."""
    query.stop()
    query.awaitTermination()


if __name__ == "__main__":
    sys.exit(main())
