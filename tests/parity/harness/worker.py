# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One side of the comparison: a process with Spark and the given jars.

It reads one JSON object per line from standard input and answers each with one on standard output.
"""

import itertools
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.batch.load import load
from parity.batch.save import save
from parity.harness import codec
from parity.harness.query import Query
from parity.harness.spark_classes import checkpoint_files
from parity.planning.cost import cost
from parity.planning.source_driver import run_scripts
from parity.sink.write import rows, write
from support.class_data import JARS, java_options
from support.java_names import look_up_once
from support.json_calls import serve
from support.session_confs import INTERPRETED

JAVA = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    # With one compiler the default is 48 MB, which a long run fills.
    "-XX:ReservedCodeCacheSize=240m",
    "-Duser.timezone=UTC",
    # By default Delta caches 10,000 tables; a worker needs a table for one script only.
    "-Ddelta.log.cacheSize=16",
)
CONFS = {
    "spark.driver.extraJavaOptions": java_options(*JAVA, archive=JARS),
    "spark.driver.memory": "3g",
    "spark.sql.ui.retainedExecutions": "1",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    # Each batch has a few rows: optimizations for big queries would take most of the time.
    "spark.sql.adaptive.enabled": "false",
    **INTERPRETED,
    "spark.sql.streaming.checkpointFileManagerClass": checkpoint_files(),
    "spark.databricks.delta.snapshotPartitions": "1",
    # The tasks of a VACUUM: 10,000 by default, which take a minute.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "1",
    # Ours lists the log as often as stock, so that both see the same commits.
    "spark.deltasource.log.listInterval": "0",
    # Commits get past timestamps: checkpoints must not clean up the log, and RESTORE must work.
    "spark.databricks.delta.properties.defaults.enableExpiredLogCleanup": "false",
    "spark.databricks.delta.vacuum.enforceTimeTravelWithinDeletedFileRetentionDuration": "false",
}


class Worker:
    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder
        self._count = itertools.count()
        self._query: Query | None = None
        self._confs: dict[str, str] = {}

    def sql(self, *, text: str) -> None:
        self._spark.sql(text)

    def checkpoint(self, *, table: str, part_size: int | None, form: str | None) -> None:
        settings = {"checkpoint.partSize": part_size, "checkpointV2.topLevelFileFormat": form}
        confs = {f"spark.databricks.delta.{key}": value for key, value in settings.items() if value}
        for key, value in confs.items():
            self._spark.conf.set(key, value)
        self._log().forTable(self._spark._jsparkSession, table).checkpoint()
        for key in confs:
            self._spark.conf.unset(key)

    def start(
        self,
        *,
        table: str,
        checkpoint: str,
        options: dict[str, str],
        confs: dict[str, str],
        trigger: str,
        again: bool,
        twice: bool,
    ) -> Any:
        # A new process would have no cached snapshot.
        self._log().clearCache()
        self._confs = confs
        for key, value in confs.items():
            self._spark.conf.set(key, value)
        frame = self._running().frame if again else None
        if self._query is not None:
            self._query.forget()
        self._query = Query(self._spark, trigger, frame)
        return self._query.start(table, checkpoint, options, twice=twice)

    def settle(self, *, count: int | None) -> Any:
        return self._running().settle(count)

    def stop(self) -> Any:
        for key in self._confs:
            self._spark.conf.unset(key)
        return self._running().stop()

    def plans(self, *, scripts: list[Any]) -> Any:
        """Runs planning scripts, each with its own log."""
        found = [codec.value(script) for script in scripts]
        return run_scripts(self._spark, found, self._folder, self._count.__next__)

    def write(self, *, step: Any, folder: str, table: str) -> Any:
        """Runs a query into a table."""
        self._log().clearCache()
        return write(self._spark, codec.value(step), Path(folder), table)

    def save(self, *, step: Any, table: str) -> Any:
        """Runs a batch write; returns the failure, if it failed."""
        return save(self._spark, codec.value(step), table)

    def load(self, *, step: Any, table: str) -> Any:
        """Runs a batch read."""
        return load(self._spark, codec.value(step), table)

    def rows(self, *, table: str) -> Any:
        return rows(self._spark, table)

    def cost(self, *, kind: str, versions: int) -> Any:
        """The cost of planning one batch of `versions` versions, on a counting file system."""
        folder = self._folder / f"cost-{next(self._count)}"
        return asdict(cost(self._spark, folder, kind, versions))

    def origin(self, *, name: str) -> str:
        """Where a class was loaded from, which proves which side this is."""
        jvm: Any = self._spark._jvm
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        return str(loader.loadClass(name).getProtectionDomain().getCodeSource().getLocation())

    def close(self) -> None:
        self._spark.stop()

    def _log(self) -> Any:
        jvm: Any = self._spark._jvm
        return jvm.org.apache.spark.sql.delta.DeltaLog

    def _running(self) -> Query:
        if self._query is None:
            raise RuntimeError("no stream was started")
        return self._query


def session(jars: list[str], folder: Path, confs: dict[str, str]) -> SparkSession:
    builder = SparkSession.builder.master("local[2]").appName("parity")
    more = json.loads(os.environ.get("PARITY_CONFS", "{}"))
    for key, value in {**CONFS, **confs, **more}.items():
        builder = builder.config(key, value)
    builder = builder.config("spark.jars", ",".join(Path(jar).as_uri() for jar in jars))
    builder = builder.config("spark.sql.warehouse.dir", folder.as_uri())
    return builder.getOrCreate()


def main() -> None:
    look_up_once()

    def start() -> Worker:
        spark = session(json.loads(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))
        spark.sparkContext.setLogLevel("ERROR")
        return Worker(spark, Path(sys.argv[2]))

    serve(start, lambda error: f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
