# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a query into a table, in the worker."""

import json
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.harness.exceptions import describe
from parity.harness.query import plain
from parity.sink.script import Query


def write(spark: SparkSession, step: Query, folder: Path, table: str) -> dict[str, Any] | None:
    """Returns the failure, if the run failed."""
    for key, value in step.confs.items():
        spark.conf.set(key, value)
    try:
        reader = spark.readStream.schema("id LONG")
        reader.option("maxFilesPerTrigger", 1).json(str(folder / "rows")).createOrReplaceTempView(
            "rows"
        )
        frame = spark.sql(step.frame.format(table=f"delta.`{table}`"))
        writer = frame.writeStream.format("delta").outputMode(step.mode).options(**step.options)
        writer = writer.partitionBy(*step.partition_by) if step.partition_by else writer
        writer = writer.option("checkpointLocation", str(folder / "checkpoint"))
        writer = writer.trigger(once=True) if step.once else writer.trigger(availableNow=True)
        query = writer.start(table)
    except Exception as error:
        return describe("start", error)
    finally:
        for key in step.confs:
            spark.conf.unset(key)
    try:
        query.awaitTermination()
    except Exception:
        stream: Any = query._jsq
        return describe("run", stream.exception().get().getCause())
    return None


def rows(spark: SparkSession, table: str) -> dict[str, Any]:
    """The rows that a batch read returns."""
    frame = spark.read.format("delta").load(table)
    found = [json.dumps([plain(value) for value in row]) for row in frame.collect()]
    return {"schema": json.loads(frame.schema.json()), "rows": sorted(found)}
