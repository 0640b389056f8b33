# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One run in a process of its own: what it is asked comes as JSON, what it tells goes to a file."""

# pyright: reportPrivateUsage=false
# Spark offers no public way to its JVM.

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from bench import data, queries

CONFS = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
    "spark.driver.memory": "4g",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # Frames of streams are planned outside their engine here.
    "spark.sql.streaming.unsupportedOperationCheck": "false",
    "spark.hadoop.fs.file.impl": "io.github.deltasource.bench.CountingFileSystem",
}
"""Delta's own defaults everywhere else: that is what users have."""

SINKS: Final[dict[str, queries.Sink]] = {"noop": "noop", "copy": "delta"}
"""Where a query writes to, by the action that runs one."""

POLLING: Final = 20
"""Seconds in which looks for something new end."""

METERED: Final = ("list", "status", "open", "bytes", "lines", "jobs", "cpuNanos")
"""What `Meter.read` counts."""


def session(jars: list[str], confs: dict[str, str]) -> SparkSession:
    """Start Spark with these jars in front, the meter's among them."""
    builder = SparkSession.builder.appName("deltasource bench")
    for key, value in {**CONFS, **confs}.items():
        builder.config(key, value)
    builder.config("spark.jars", ",".join(jars[1:]))
    # Spark asks for the file system before it has loaded `spark.jars`.
    builder.config("spark.driver.extraClassPath", ":".join(jars))
    builder.config("spark.executor.extraClassPath", ":".join(jars))
    return builder.getOrCreate()


def run(spark: SparkSession, asked: dict[str, Any]) -> dict[str, Any]:
    """Do one scenario at one size."""
    jvm: Any = spark._jvm
    bench = jvm.io.github.deltasource.bench
    # Sizes share a process in a small run, and delta-spark keeps what it knows of tables.
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    if asked["action"] == "floor":
        nanos, files = bench.Floor.read(asked["log"])
        return {"startNanos": nanos, "batches": [], "polls": [], "costs": {"files": files}}
    if asked["action"] == "write":
        data.write(spark, asked["table"], asked["files"])
        return {}
    if asked["action"] in SINKS:
        return queried(spark, SINKS[asked["action"]], asked)
    if asked["action"] == "add":
        return added(spark, asked)
    options = jvm.java.util.HashMap()
    for key, value in asked["options"].items():
        options.put(key, value)
    classic: Any = spark._jsparkSession
    drive = bench.Drive(classic, options, asked["checkpoint"], asked["now"])
    match asked["action"]:
        case "drain":
            told = drive.drain(asked["batches"])
        case "idle":
            told = drive.idle(asked["polls"], POLLING)
        case "restart":
            # As in a new process, whose first batch was planned before the old one ended.
            end = json.loads(drive.drain(1))["end"]
            jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
            drive = bench.Drive(classic, options, asked["checkpoint"], asked["now"])
            told = drive.restart(end)
        case "follow":
            told = drive.follow(asked["waiting"], asked["log"], asked["batches"])
        case other:
            raise ValueError(other)
    answer: dict[str, Any] = json.loads(told)
    return answer


def queried(spark: SparkSession, sink: queries.Sink, asked: dict[str, Any]) -> dict[str, Any]:
    """Run a query to its end, measured as a whole."""
    with metered(spark) as costs:
        nanos, query = queries.run(spark, sink, asked)
    queries.check(spark, query, sink, asked, asked["size"] * data.ROWS)
    return {"startNanos": nanos, "batches": [], "polls": [], "end": "", "costs": costs}


def added(spark: SparkSession, asked: dict[str, Any]) -> dict[str, Any]:
    """Write small batches, each measured by itself."""
    with metered(spark) as costs:
        millis = queries.add(spark, asked)
    return {"startNanos": 0, "batches": [], "polls": [], "added": millis, "costs": costs}


@contextmanager
def metered(spark: SparkSession) -> Generator[dict[str, int], None, None]:
    """Count what goes on inside; the counts are there at its end."""
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
    """Run what the one argument asks, behind a small run to warm up, and write what was told."""
    task = json.loads(sys.argv[1])
    spark = session(task["jars"], task["confs"])
    run(spark, task["warm"])
    told = [run(spark, asked) for asked in task["runs"]]
    Path(task["out"]).write_text(json.dumps(told), encoding="utf-8")
    spark.stop()


if __name__ == "__main__":
    main()
