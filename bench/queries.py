# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Queries as users run them, from a table with data into a sink, until all is read."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

Sink: TypeAlias = Literal["noop", "delta"]


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
