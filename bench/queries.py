# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Queries as users run them, from a table with data into a sink, until all is read."""

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


def run(spark: SparkSession, sink: Sink, asked: Mapping[str, Any]) -> tuple[int, StreamingQuery]:
    """Run a query to its end; the nanoseconds are those from its start."""
    read = spark.readStream.format("delta").options(**asked["options"]).load()
    writer = read.writeStream.format(sink).option("checkpointLocation", asked["checkpoint"])
    if sink == "delta":
        writer = writer.option("path", asked["target"])
    started = time.perf_counter_ns()
    query = writer.trigger(availableNow=asked["now"]).start()
    query.awaitTermination()
    return time.perf_counter_ns() - started, query


def check(
    spark: SparkSession, query: StreamingQuery, sink: Sink, asked: Mapping[str, Any], rows: int
) -> None:
    """Raise if a query did not hand on just so many rows; its copy is removed."""
    if sink == "delta":
        found = spark.read.format("delta").load(asked["target"]).count()
        shutil.rmtree(Path(asked["target"]))
    else:
        found = sum(progress.numInputRows for progress in query.recentProgress)
    if found != rows:
        raise RuntimeError(f"{found:,} rows of {asked['options']['path']}, not {rows:,}")


def add(spark: SparkSession, asked: Mapping[str, Any]) -> list[float]:
    """Write small batches into a table: the milliseconds that the sink took for each."""
    rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", FEW)
    read = rows.option("numPartitions", 1).load().selectExpr("value AS id")
    writer = read.selectExpr(*data.columns()).writeStream.format("delta")
    writer = writer.option("checkpointLocation", asked["checkpoint"])
    query = writer.trigger(processingTime="0 seconds").start(asked["target"])
    try:
        while query.isActive and _done(query) < asked["batches"]:
            time.sleep(0.2)
    finally:
        query.stop()
    if (failed := query.exception()) is not None:
        raise failed
    return [one.durationMs["addBatch"] for one in query.recentProgress[: asked["batches"]]]


def _done(query: StreamingQuery) -> int:
    """Answer how many batches have ended, from the last one: the others are not asked for again."""
    last = query.lastProgress
    return 0 if last is None else int(last.batchId) + 1
