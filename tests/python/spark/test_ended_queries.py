# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is left of ended queries in the JVM, after Python and the JVM have collected garbage."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import deltasource

References: TypeAlias = dict[str, Any]
"""Java's weak references, by what they refer to."""

PATIENCE = 60.0


def test_nothing_is_left_of_ended_queries(spark: SparkSession, tmp_path: Path) -> None:
    """Queries that were stopped or have failed are released, with their sources and sinks."""
    source = tmp_path / "source"
    key = "delta.enableChangeDataFeed"
    spark.sql(f"CREATE TABLE delta.`{source}` (id LONG) USING delta TBLPROPERTIES ({key} = true)")
    spark.sql(f"INSERT INTO delta.`{source}` VALUES (1)")

    def rows() -> StreamingQuery:
        frame = deltasource.read_stream(spark, source)
        return deltasource.write_stream(frame, f"{tmp_path}/rows", checkpoint=f"{tmp_path}/c1")

    def changes() -> StreamingQuery:
        frame = deltasource.stream_changes(spark, source).select("id")
        return deltasource.write_stream(frame, f"{tmp_path}/changes", checkpoint=f"{tmp_path}/c2")

    def failing() -> StreamingQuery:
        writer = deltasource.read_stream(spark, source).writeStream.foreachBatch(fail)
        return writer.option("checkpointLocation", f"{tmp_path}/c3").start()

    ended = end(spark, rows) | end(spark, changes) | end(spark, failing)
    assert len(ended) == 9
    deadline = time.monotonic() + PATIENCE
    while (left := reachable(spark, ended)) and time.monotonic() < deadline:
        pass  # py4j tells the JVM in the background
    assert left == []


def fail(_frame: DataFrame, _batch: int) -> None:
    raise ValueError("fails")


def end(spark: SparkSession, start: Callable[[], StreamingQuery]) -> References:
    """Start a query, let it read everything, and stop it."""
    query: Any = start()
    with suppress(StreamingQueryException):
        query.processAllAvailable()
    query.stop()
    execution = query._jsq.streamingQuery()
    parts = {"query": execution, "source": execution.sources().head(), "sink": execution.sink()}
    weak: Any = spark._jvm
    return {
        f"{name} of {start.__name__}": weak.java.lang.ref.WeakReference(part)
        for name, part in parts.items()
    }


def reachable(spark: SparkSession, references: References) -> Sequence[str]:
    """Return what is left after garbage collections of Python and the JVM."""
    gc.collect()
    jvm: Any = spark._jvm
    jvm.java.lang.System.gc()
    return [name for name, reference in references.items() if not reference.refersTo(None)]
