# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Three streams to watch: one in its backfill, one that has caught up, and one that fails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import deltasource
from deltasource import History

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILES: Final = 40
BATCHES: Final = 12
FAILING: Final = 4


def write_tables(spark: SparkSession, folder: Path) -> None:
    """Write a table of many files, and one of a few rows."""
    spark.range(0, 60_000, 1, FILES).write.format("delta").save(str(folder / "history"))
    spark.range(0, 40).write.format("delta").save(str(folder / "orders"))


def start(spark: SparkSession, folder: Path) -> None:
    """Start the streams."""

    def each(_: DataFrame, batch: int) -> None:
        if batch == FAILING:
            raise ValueError(f"no amount in batch {batch}")

    for name, table in (("backfill", "history"), ("orders", "orders"), ("payments", "history")):
        rows = deltasource.read_stream(spark, folder / table, max_files=1)
        writer = rows.writeStream.queryName(name).trigger(processingTime="1 second")
        writer = writer.option("checkpointLocation", str(folder / f"checkpoint of {name}"))
        if name == "payments":
            writer.foreachBatch(each).start()
        else:
            writer.format("delta").start(str(folder / f"copy by {name}"))


def feed(spark: SparkSession, folder: Path, seen: Mapping[str, History]) -> None:
    """Append to the small table until the backfill has done some batches."""
    number = 40
    while "backfill" not in seen or len(seen["backfill"]) < BATCHES:
        rows = spark.range(number, number + 20 + number % 37)
        rows.write.format("delta").mode("append").save(str(folder / "orders"))
        number += 57


def stop(spark: SparkSession) -> None:
    """Stop the streams and the session."""
    for query in spark.streams.active:
        query.stop()
    spark.stop()
