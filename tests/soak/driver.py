# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The driver that is measured: a process with all streams, called by the soak."""

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from deltasource import DeltaSourceError, Progress
from object_stores.fault_runs import error_text
from object_stores.phases import session
from soak.batch_files import BatchFiles
from soak.jvm_process import JvmProcess
from soak.query_end import QueryEnd
from soak.query_start import Folders, start
from soak.stream import Sink, named
from support.json_calls import serve

RUNS = 30
"""How often a stream is started until it has read everything: schema changes end it."""


class Driver:
    """Runs the streams of a task, and starts those that have ended again."""

    def __init__(self, spark: SparkSession, folders: dict[str, Folders]) -> None:
        self._spark = spark
        self._folders = folders
        self._queries: dict[str, StreamingQuery] = {}
        self._disturbed: set[str] = set()
        self._batches: dict[str, int] = {}
        self._jvm = JvmProcess(spark)
        self._ends: list[QueryEnd] = []

    def tend(self) -> None:
        """Start the queries that do not run."""
        for name in self._folders:
            if name not in self._queries or not self._queries[name].isActive:
                self._restart(name)

    def settle(self) -> None:
        """Restart all streams, and wait until each has read everything."""
        for name in self._folders:
            self.stop(stream=name)
            if not any(self._run_to_end(name) for _ in range(RUNS)):
                raise RuntimeError(f"{name} has not read everything after {RUNS} runs")

    def stop(self, *, stream: str) -> None:
        """Stop a query, which `tend` starts again; one that has failed by itself stays failed."""
        query = self._queries.get(stream)
        if query is not None and query.isActive:
            self._disturbed.add(stream)
            query.stop()

    def interrupt(self, *, stream: str) -> None:
        """Interrupt the thread of a query, as a library that stops threads might."""
        query = self._queries.get(stream)
        if query is not None and query.isActive:
            self._disturbed.add(stream)
            self._jvm.interrupt(str(query.runId))

    def ends(self) -> list[dict[str, Any]]:
        """Return how queries ended, or attempts to start them, since the last call."""
        found, self._ends = self._ends, []
        return [asdict(end) for end in found]

    def measure(self) -> dict[str, Any]:
        """Return what the process uses, and how far each stream is."""
        backlog: dict[str, int] = {}
        for name, query in self._queries.items():
            last = query.lastProgress
            if last is None:
                continue
            progress = Progress.of(last)
            self._batches[name] = max(progress.batch_id, self._batches.get(name, 0))
            lag = progress.sources["0"].lag
            if lag is not None and lag.versions is not None:
                backlog[name] = lag.versions
        uses = self._jvm.measures()
        return {"uses": uses, "batches": self._batches, "backlog": backlog}

    def rows(self, *, stream: str) -> dict[str, int]:
        """The rows in a target, and how often each is there."""
        target = self._folders[stream].target
        if named(stream).sink is Sink.BATCH_FILES:
            return Counter(BatchFiles(Path(target)).rows())
        found = self._spark.read.format("delta").load(target)
        return Counter(row["row"] for row in found.collect())

    def close(self) -> None:
        for query in self._queries.values():
            query.stop()
        self._spark.stop()

    def _restart(self, name: str) -> StreamingQuery | None:
        """Start a query; None if that fails."""
        ended = self._queries.pop(name, None)
        if ended is not None:
            self._record_end(name, ended.exception())
        try:
            query = start(self._spark, named(name), self._folders[name])
        except (PySparkException, Py4JJavaError, DeltaSourceError) as error:
            self._record_end(name, error)
            return None
        self._queries[name] = query
        return query

    def _run_to_end(self, name: str) -> bool:
        """Start a query, and return whether it has read everything before it ended."""
        query = self._restart(name)
        if query is None:
            return False
        try:
            if named(name).trigger == "available_now":
                query.awaitTermination()
            else:
                query.processAllAvailable()
        except PySparkException:
            return False
        return True

    def _record_end(self, name: str, error: Exception | None) -> None:
        text = None if error is None else error_text(error)
        self._ends.append(QueryEnd(stream=name, error=text, disturbed=name in self._disturbed))
        self._disturbed.discard(name)


def main() -> None:
    def start_driver() -> Driver:
        task: dict[str, Any] = json.loads(sys.argv[1])
        folders = {name: Folders(**one) for name, one in task["streams"].items()}
        return Driver(session(task["jars"], task["confs"]), folders)

    serve(start_driver, str)


if __name__ == "__main__":
    main()
