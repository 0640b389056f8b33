# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The process that is measured: streams over a table in an object store, in phases.

Its argument is a task as JSON; the server records the requests of each phase.
"""

import json
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from object_stores.source import Commits, SourceTable
from object_stores.store import ObjectStore
from parity.harness.both_sides import OURS

CONFS = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
"""All other confs have Delta's defaults, as users have them."""

MANAGER = "io.github.deltasource.S3CheckpointFileManager"
"""Our manager of checkpoint files on S3, which users turn on by a conf."""

LOG_STORE = {"spark.delta.logStore.s3a.impl": "io.github.deltasource.S3LogStore"}
"""Our log store for S3, which `deltasource.configure` sets."""


class Phases:
    """Measures phases of streams over one source."""

    def __init__(
        self, spark: SparkSession, store: ObjectStore, source: SourceTable, key: str
    ) -> None:
        self._spark = spark
        self._store = store
        self._source = source
        self._key = key
        self.found: list[dict[str, Any]] = []

    @contextmanager
    def phase(self, name: str) -> Generator[None]:
        """Measure the block."""
        started = time.monotonic()
        with self._store.recorded() as requests:
            yield
            seconds = time.monotonic() - started
        print(f"{name}: {len(requests)} requests, {seconds:.1f} s", flush=True)
        rows = [astuple(request) for request in requests]
        self.found.append({"phase": name, "seconds": seconds, "requests": rows})

    def start(self, sink: str) -> StreamingQuery:
        """Start a stream with the default trigger, and read all there is."""
        read = self._spark.readStream.format("delta").load(self._store.uri(f"{self._key}/source"))
        writer = read.writeStream.format(sink)
        writer = writer.option(
            "checkpointLocation", self._store.uri(f"{self._key}/{sink}-checkpoint")
        )
        if sink == "delta":
            writer = writer.option("path", self._store.uri(f"{self._key}/target"))
        query = writer.start()
        query.processAllAvailable()
        return query

    def follow(self, query: StreamingQuery, batches: int) -> None:
        """Append this number of commits, each read by one batch."""
        first = self._batch(query)
        for number in range(batches):
            self._source.append()
            query.processAllAvailable()
            if self._batch(query) != first + number + 1:
                raise RuntimeError(f"batch {self._batch(query)}, not {first + number + 1}")

    def _batch(self, query: StreamingQuery) -> int:
        """The last batch with data."""
        return max(one.batchId for one in query.recentProgress if one.numInputRows > 0)

    def check(self) -> None:
        """Raise unless the target has each row of the source once."""
        target = self._spark.read.format("delta").load(self._store.uri(f"{self._key}/target"))
        found = sorted(row["id"] for row in target.collect())
        if found != list(range(self._source.rows)):
            raise RuntimeError(f"{len(found)} rows, not {self._source.rows}")


def run(spark: SparkSession, task: dict[str, Any], store: ObjectStore) -> list[dict[str, Any]]:
    key = task["side"]
    # Writing is not measured: fewer tasks are quicker.
    spark.conf.set("spark.databricks.delta.snapshotPartitions", "2")
    commits = Commits(spark, Path(task["folder"]) / f"{key}-source", 55)
    spark.conf.unset("spark.databricks.delta.snapshotPartitions")
    source = commits.table(store, f"{key}/source")
    source.append(10)
    phases = Phases(spark, store, source, key)
    with phases.phase("start, 10 commits into noop"):
        query = phases.start("noop")
    with phases.phase(f"idle at the head for {task['idle']} s"):
        time.sleep(task["idle"])
    with phases.phase("10 appends, 10 batches into noop"):
        phases.follow(query, 10)
    query.stop()
    source.append(5)
    with phases.phase("start, 25 commits into a Delta table"):
        query = phases.start("delta")
    with phases.phase("10 appends, 10 batches into a Delta table"):
        phases.follow(query, 10)
        query.stop()
    source.append(20)
    with phases.phase("restart, 20 commits into a Delta table"):
        phases.start("delta").stop()
    phases.check()
    return phases.found


def session(jars: Sequence[str], confs: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.appName("object stores")
    for name, value in {**CONFS, **confs, "spark.jars": ",".join(jars)}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def main() -> None:
    task = json.loads(sys.argv[1])
    store = ObjectStore(task["endpoint"])
    ours = {"spark.sql.streaming.checkpointFileManagerClass": MANAGER, **LOG_STORE}
    spark = session(task["jars"], store.confs() | (ours if task["side"] == OURS else {}))
    Path(task["answer"]).write_text(json.dumps(run(spark, task, store)), encoding="utf-8")
    spark.stop()


if __name__ == "__main__":
    main()
