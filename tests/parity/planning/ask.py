# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs planning scripts inside a worker: one source, asked as the engine asks, nothing executed."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.planning.log import Log
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest, Step
from parity.thrown import describe

ENOUGH = 500
"""Batches after which a stream is held to go round in circles."""


class Asker:
    """`done` is the end of the last batch that was done, `planned` of the one that was not."""

    def __init__(self, spark: SparkSession, script: Plans, folder: Path) -> None:
        self._jvm: Any = spark._jvm
        session: Any = spark._jsparkSession
        self._context = session.sqlContext()
        self._script = script
        self._folder = folder
        self._log = Log(script.table, folder / "table")
        self._source: Any = None
        self._limit: Any = None
        self._mode = Mode.DEFAULT
        self._dead = False
        self._before: str | None = None
        self._done: str | None = None
        self._planned: str | None = None

    def run(self) -> list[dict[str, Any]]:
        try:
            return [self._answer(step) for step in self._script.steps]
        finally:
            self._stop()

    def _answer(self, step: Step) -> dict[str, Any]:
        """After an error only a new source is asked again."""
        batches: list[dict[str, Any]] = []
        error = None
        try:
            if isinstance(step, Land):
                self._log.land(step.count)
            elif isinstance(step, Open):
                self._dead = False
                batches.extend(self._open(step))
            elif not self._dead:
                batches.extend(self._go(step))
        except Exception as problem:
            self._dead = True
            error = describe("call", problem)
        return {"batches": batches, "error": error}

    def _go(self, step: Go | Ahead | Rest) -> Iterator[dict[str, Any]]:
        if self._source is None:
            return
        if isinstance(step, Ahead):
            yield from self._plan()
            if step.forget:
                self._planned = None
            # What it would do next depends on a batch that never ends.
            self._dead = True
            return
        for _ in range(step.count if isinstance(step, Go) else ENOUGH):
            batches = self._plan()
            yield from batches
            if batches:
                self._finish()
            # The engine ends these runs: one when nothing is left, the other after a batch.
            over = self._mode is Mode.ONCE or (self._mode is Mode.NOW and not batches)
            if over or not batches:
                self._dead = over
                return

    def _open(self, step: Open) -> Iterator[dict[str, Any]]:
        self._stop()
        if step.cold:
            self._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
        options = {**self._script.options, **step.options}
        options["path"] = str(self._folder / "table")
        source = self._jvm.org.apache.spark.sql.delta.sources.DeltaDataSource()
        self._source = source.createSource(
            self._context,
            str(self._folder / "checkpoint" / "sources" / "0"),
            self._jvm.scala.Option.empty(),
            "delta",
            self._map(options),
        )
        self._mode = step.mode
        self._limit = self._source.getDefaultReadLimit()
        if step.mode is Mode.ONCE:
            limits = self._jvm.org.apache.spark.sql.connector.read.streaming.ReadLimit
            self._limit = limits.allAvailable()
        if step.mode is Mode.NOW:
            self._source.prepareForTriggerAvailableNow()
        if self._planned is not None:
            yield self._batch(self._done, self._planned)
            self._finish()
        elif self._done is not None:
            yield self._batch(self._before, self._done) | {"discarded": True}

    def _plan(self) -> list[dict[str, Any]]:
        end = self._source.latestOffset(self._offset(self._done), self._limit)
        if end is None or end.json() == self._done:
            return []
        # The end is in the offset log before the batch is asked for.
        self._planned = str(end.json())
        return [self._batch(self._done, self._planned, end)]

    def _batch(self, start: str | None, end: str, offset: Any = None) -> dict[str, Any]:
        option = self._jvm.scala.Option.apply(self._offset(start))
        frame = self._source.getBatch(option, offset or self._offset(end))
        return {"start": start, "end": end, "files": self._files(frame)}

    def _finish(self) -> None:
        self._source.commit(self._offset(self._planned))
        self._before, self._done, self._planned = self._done, self._planned, None

    def _files(self, frame: Any) -> list[str]:
        """The files of the batch, each as often as it is read; of a change feed none."""
        mapper = self._jvm.org.apache.spark.sql.delta.util.JsonUtils.mapper()
        nil = self._jvm.scala.collection.immutable.List.newBuilder().result()
        leaves = frame.queryExecution().analyzed().collectLeaves()
        found: list[str] = []
        for number in range(leaves.size()):
            leaf = leaves.apply(number)
            if leaf.getClass().getSimpleName() != "LogicalRelation":
                continue
            index = leaf.relation().location()
            if index.getClass().getSimpleName() in ADDED:
                told = json.loads(mapper.writeValueAsString(index.matchingFiles(nil, nil)))
                found += [name(file) for file in told]
        return sorted(found)

    def _offset(self, line: str | None) -> Any:
        runtime = self._jvm.org.apache.spark.sql.execution.streaming.runtime
        return None if line is None else runtime.SerializedOffset(line)

    def _map(self, options: dict[str, str]) -> Any:
        found = self._jvm.java.util.HashMap()
        for key, value in options.items():
            found.put(key, value)
        return self._jvm.org.apache.spark.api.python.PythonUtils.toScalaMap(found)

    def _stop(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.stop()


ADDED = ("TahoeBatchFileIndex",)


def name(file: dict[str, Any]) -> str:
    vector = file.get("deletionVector")
    return str(file["path"]) + (f" -{vector['cardinality']}" if vector else "")


def ask(
    spark: SparkSession, scripts: list[Plans], folder: Path, fresh: Callable[[], int]
) -> list[list[dict[str, Any]]]:
    answers: list[list[dict[str, Any]]] = []
    for script in scripts:
        place = folder / f"plans-{fresh()}"
        told = Asker(spark, script, place).run()
        answers.append(json.loads(json.dumps(told).replace(str(place), "<folder>")))
    return answers
