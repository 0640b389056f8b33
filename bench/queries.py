# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs whole queries, from a table with data into a sink, until all data is read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from bench import data

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

Sink: TypeAlias = Literal["noop", "delta"]

FEW: Final = 10
"""Rows in a small batch."""


def run(spark: SparkSession, sink: Sink, task: Mapping[str, Any]) -> tuple[int, StreamingQuery]:
    """Run a query to its end; return its duration in nanoseconds, and the query."""
    read = spark.readStream.format("delta").options(**task["options"]).load()
    writer = read.writeStream.format(sink).option("checkpointLocation", task["checkpoint"])
    if sink == "delta":
        writer = writer.option("path", task["target"])
    started = time.perf_counter_ns()
    query = writer.trigger(availableNow=task["now"]).start()
    query.awaitTermination()
    return time.perf_counter_ns() - started, query


def check(
    spark: SparkSession, query: StreamingQuery, sink: Sink, task: Mapping[str, Any], rows: int
) -> None:
    """Raise unless a query has written this number of rows; delete its copy."""
    if sink == "delta":
        found = spark.read.format("delta").load(task["target"]).count()
        shutil.rmtree(Path(task["target"]))
    else:
        found = sum(progress.numInputRows for progress in query.recentProgress)
    if found != rows:
        raise RuntimeError(f"{found:,} rows of {task['options']['path']}, not {rows:,}")


def add(spark: SparkSession, task: Mapping[str, Any]) -> list[float]:
    """Write small batches into a table; return the milliseconds the sink took for each."""
    rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", FEW)
    read = rows.option("numPartitions", 1).load().selectExpr("value AS id")
    writer = read.selectExpr(*data.columns()).writeStream.format("delta")
    writer = writer.option("checkpointLocation", task["checkpoint"])
    query = writer.trigger(processingTime="0 seconds").start(task["target"])
    try:
        while query.isActive and _done(query) < task["batches"]:
            time.sleep(0.2)
    finally:
        query.stop()
    if (failed := query.exception()) is not None:
        raise failed
    return [one.durationMs["addBatch"] for one in query.recentProgress[: task["batches"]]]


def _done(query: StreamingQuery) -> int:
    """Return how many batches have ended, from the last progress alone."""
    last = query.lastProgress
    return 0 if last is None else int(last.batchId) + 1
