# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A worker process: takes its tasks as JSON and writes their results to a file."""

# pyright: reportPrivateUsage=false
# Spark has no public API for its JVM.

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from bench import changes, data, queries
from bench.mirror import mirror

CONFS = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.memory": "4g",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # The benchmark plans streaming frames without the streaming engine.
    "spark.sql.streaming.unsupportedOperationCheck": "false",
    # A whole query reports its batches at the end.
    "spark.sql.streaming.numRecentProgressUpdates": "10000",
    "spark.hadoop.fs.file.impl": "io.github.deltasource.bench.CountingFileSystem",
}
"""All other confs have Delta's defaults, as users have them."""

SINKS: Final[dict[str, queries.Sink]] = {"noop": "noop", "copy": "delta"}
"""The sink of each action that runs a whole query."""

MAX_POLL_SECONDS: Final = 20
"""Polling stops after this time."""

METERED: Final = ("list", "status", "open", "bytes", "lines", "jobs", "cpuNanos", "jitMillis")
"""What `Meter.read` counts."""


def session(jars: list[str], confs: dict[str, str]) -> SparkSession:
    """Start Spark with these jars first on the class path; the first is the meter's."""
    builder = SparkSession.builder.appName("deltasource bench")
    for key, value in {**CONFS, **confs}.items():
        builder.config(key, value)
    builder.config("spark.jars", ",".join(jars[1:]))
    # Spark creates the file system before it has loaded `spark.jars`.
    builder.config("spark.driver.extraClassPath", ":".join(jars))
    builder.config("spark.executor.extraClassPath", ":".join(jars))
    return builder.getOrCreate()


def run(spark: SparkSession, task: dict[str, Any]) -> dict[str, Any]:
    """Run one task: a scenario at one size."""
    jvm: Any = spark._jvm
    bench = jvm.io.github.deltasource.bench
    # At scale small, sizes share a process, and Delta caches the state of tables.
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    if task["action"] == "floor":
        nanos, files = bench.Floor.read(task["log"])
        return {"startNanos": nanos, "batches": [], "polls": [], "costs": {"files": files}}
    if task["action"] == "write":
        data.write(spark, task["table"], task["files"])
        return {}
    if task["action"] == "write-changes":
        changes.write(spark, task)
        return {}
    if task["action"] == "apply-floor":
        nanos = changes.floor(spark, task)
        return {"startNanos": nanos, "batches": [], "polls": [], "costs": {}}
    if task["action"] == "apply":
        return apply(spark, task)
    if task["action"] in SINKS:
        return run_query(spark, SINKS[task["action"]], task)
    if task["action"] == "add":
        return add_batches(spark, task)
    if task["action"] == "mirror":
        return run_mirror(spark, task)
    options = jvm.java.util.HashMap()
    for key, value in task["options"].items():
        options.put(key, value)
    classic: Any = spark._jsparkSession
    drive = bench.Drive(classic, options, task["checkpoint"], task["now"])
    match task["action"]:
        case "drain":
            result = drive.drain(task["batches"])
        case "idle":
            result = drive.idle(task["polls"], MAX_POLL_SECONDS)
        case "restart":
            # As after a restart: the first batch is planned already.
            end = json.loads(drive.drain(1))["end"]
            jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
            drive = bench.Drive(classic, options, task["checkpoint"], task["now"])
            result = drive.restart(end)
        case "follow":
            result = drive.follow(task["waiting"], task["log"], task["batches"])
        case other:
            raise ValueError(other)
    parsed: dict[str, Any] = json.loads(result)
    return parsed


def run_query(spark: SparkSession, sink: queries.Sink, task: dict[str, Any]) -> dict[str, Any]:
    """Run a whole query, and measure it."""
    with metered(spark) as costs:
        nanos, query = queries.run(spark, sink, task)
    queries.check(spark, query, sink, task, task["size"] * data.ROWS)
    return {"startNanos": nanos, "batches": [], "polls": [], "end": "", "costs": costs}


def add_batches(spark: SparkSession, task: dict[str, Any]) -> dict[str, Any]:
    """Write small batches, and measure each."""
    with metered(spark) as costs:
        millis = queries.add(spark, task)
    return {"startNanos": 0, "batches": [], "polls": [], "added": millis, "costs": costs}


def run_mirror(spark: SparkSession, task: dict[str, Any]) -> dict[str, Any]:
    """Copy versions as they arrive, and measure each."""
    with metered(spark) as costs:
        found = mirror(spark, task)
    return {"startNanos": 0, "batches": [], "polls": [], "costs": costs, **found}


def apply(spark: SparkSession, task: dict[str, Any]) -> dict[str, Any]:
    """Apply changes to a table, and measure each batch."""
    with metered(spark) as costs:
        found = changes.run(spark, task)
    return {"startNanos": 0, "batches": [], "polls": [], "costs": costs, **found}


@contextmanager
def metered(spark: SparkSession) -> Generator[dict[str, int], None, None]:
    """Measure the block; the counts are set when it ends."""
    jvm: Any = spark._jvm
    jsc: Any = spark.sparkContext._jsc
    meter = jvm.io.github.deltasource.bench.Meter(jsc.sc())
    before = meter.read()
    costs: dict[str, int] = {}
    yield costs
    after = meter.read()
    costs.update({name: after.apply(name) - before.apply(name) for name in METERED})
    costs["heapBytes"] = meter.peakHeap()


def main() -> None:
    """Run the tasks in the argument after a warm-up task, and write their results."""
    request = json.loads(sys.argv[1])
    spark = session(request["jars"], request["confs"])
    run(spark, request["warm"])
    results = [run(spark, task) for task in request["runs"]]
    Path(request["out"]).write_text(json.dumps(results), encoding="utf-8")
    spark.stop()


if __name__ == "__main__":
    main()
