# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs planning scripts in a worker: calls one source as the engine does, executes no batch."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.harness import trace
from parity.harness.exceptions import describe
from parity.harness.java_hash import java_hash
from parity.planning.log import Log
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest, Step
from parity.planning.source import Source, relations

ENOUGH = 500
"""Number of batches after which a stream is assumed to loop forever."""


class SourceDriver:
    """`done` is the end of the last finished batch, `planned` that of the unfinished one."""

    def __init__(self, spark: SparkSession, script: Plans, folder: Path) -> None:
        self._spark = spark
        self._script = script
        self._folder = folder
        self._checkpoint = folder / "checkpoint"
        self._log = Log(script.table, folder / "table")
        self._source: Source | None = None
        self._mode = Mode.DEFAULT
        self._dead = False
        self._before: str | None = None
        self._done: str | None = None
        self._planned: str | None = None

    def run(self) -> list[dict[str, Any]]:
        for key, value in self._script.confs.items():
            self._spark.conf.set(key, value)
        try:
            return [self._answer(step) for step in self._script.steps]
        finally:
            self._stop()
            for key in self._script.confs:
                self._spark.conf.unset(key)

    def _answer(self, step: Step) -> dict[str, Any]:
        """Runs one step; after an error all steps up to the next Open are skipped."""
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
        schemas = [list(entry) for entry in trace.schemas(self._checkpoint, {})]
        return {"batches": batches, "error": error, "schemas": schemas}

    def _go(self, step: Go | Ahead | Rest) -> Iterator[dict[str, Any]]:
        if self._source is None:
            return
        source = self._source
        if isinstance(step, Ahead):
            yield from self._plan(source)
            if step.forget:
                self._planned = None
            # Further calls would depend on a batch that never ends.
            self._dead = True
            return
        for _ in range(step.count if isinstance(step, Go) else ENOUGH):
            batches = self._plan(source)
            yield from batches
            if batches:
                self._finish()
            # The engine ends AvailableNow when no data is left, and Once after a batch.
            over = self._mode is Mode.ONCE or (self._mode is Mode.NOW and not batches)
            if over or not batches:
                self._dead = over
                return

    def _open(self, step: Open) -> Iterator[dict[str, Any]]:
        self._stop()
        if step.cold:
            jvm: Any = self._spark._jvm
            jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
        merged = {**self._script.options, **step.options, "path": str(self._folder / "table")}
        place = str(self._checkpoint)
        options = {key: value.replace("<checkpoint>", place) for key, value in merged.items()}
        self._mode = step.mode
        source = Source(self._spark, options, self._checkpoint, step.mode)
        self._source = source
        if self._planned is not None:
            yield self._batch(source, self._done, self._planned)
            self._finish()
        elif self._done is not None:
            yield self._batch(source, self._before, self._done) | {"discarded": True}

    def _plan(self, source: Source) -> list[dict[str, Any]]:
        end = source.latest(self._done)
        if end is None or end.json() == self._done:
            return []
        # The engine writes the end to the offset log first, then commits the batch before it.
        self._planned = str(end.json())
        if self._done is not None:
            source.commit(self._done)
        return [self._batch(source, self._done, self._planned, end)]

    def _batch(
        self, source: Source, start: str | None, end: str, offset: Any = None
    ) -> dict[str, Any]:
        frame = source.batch(start, end, offset)
        return {"start": start, "end": end, "files": self._files(frame)}

    def _finish(self) -> None:
        self._before, self._done, self._planned = self._done, self._planned, None

    def _files(self, frame: Any) -> list[str]:
        """The files of the batch, each as often as it is read; none for a change feed."""
        jvm: Any = self._spark._jvm
        mapper = jvm.org.apache.spark.sql.delta.util.JsonUtils.mapper()
        nil = jvm.scala.collection.immutable.List.newBuilder().result()
        found: list[str] = []
        for relation in relations(frame):
            index = relation.relation().location()
            if index.getClass().getSimpleName() in ADDED:
                files = json.loads(mapper.writeValueAsString(index.matchingFiles(nil, nil)))
                found += [name(file) for file in files]
        return sorted(found)

    def _stop(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.stop()


ADDED = ("TahoeBatchFileIndex", "BatchFileIndex")
"""The file indexes of Delta and ours."""


def name(file: dict[str, Any]) -> str:
    vector = file.get("deletionVector")
    return str(file["path"]) + (f" -{vector['cardinality']}" if vector else "")


def run_scripts(
    spark: SparkSession, scripts: list[Plans], folder: Path, fresh: Callable[[], int]
) -> list[list[dict[str, Any]]]:
    answers: list[list[dict[str, Any]]] = []
    for script in scripts:
        place = folder / f"plans-{fresh()}"
        found = SourceDriver(spark, script, place).run()
        text = json.dumps(found).replace(str(java_hash(f"{place}/checkpoint/sources/0")), "<hash>")
        answers.append(json.loads(text.replace(str(place), "<folder>")))
    return answers
