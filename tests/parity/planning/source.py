# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A source in a worker, called as the engine does, with offsets as JSON."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.harness.spark_classes import serialized_offset
from parity.planning.script import Mode


class Source:
    def __init__(
        self,
        spark: SparkSession,
        options: Mapping[str, str],
        checkpoint: Path,
        mode: Mode = Mode.DEFAULT,
    ) -> None:
        jvm: Any = spark._jvm
        session: Any = spark._jsparkSession
        self._jvm = jvm
        sources = jvm.org.apache.spark.sql.delta.sources
        self._source: Any = sources.DeltaDataSource().createSource(
            session.sqlContext(),
            str(checkpoint / "sources" / "0"),
            jvm.scala.Option.empty(),
            "delta",
            self._map(options),
        )
        self._limit = self._source.getDefaultReadLimit()
        if mode is Mode.ONCE:
            limits = jvm.org.apache.spark.sql.connector.read.streaming.ReadLimit
            self._limit = limits.allAvailable()
        if mode is Mode.NOW:
            self._source.prepareForTriggerAvailableNow()

    def latest(self, start: str | None) -> Any:
        """The source's offset object; it has `json()`."""
        return self._source.latestOffset(self._offset(start), self._limit)

    def batch(self, start: str | None, end: str, offset: Any = None) -> Any:
        """The frame between two offsets; `offset` is the end as the source returned it."""
        option = self._jvm.scala.Option.apply(self._offset(start))
        return self._source.getBatch(option, offset or self._offset(end))

    def commit(self, end: str) -> None:
        self._source.commit(self._offset(end))

    def stop(self) -> None:
        self._source.stop()

    def _offset(self, line: str | None) -> Any:
        return None if line is None else getattr(self._jvm, serialized_offset())(line)

    def _map(self, options: Mapping[str, str]) -> Any:
        found = self._jvm.java.util.HashMap()
        for key, value in options.items():
            found.put(key, value)
        return self._jvm.org.apache.spark.api.python.PythonUtils.toScalaMap(found)


def relations(frame: Any) -> list[Any]:
    """The file relations that a frame reads, as JVM objects."""
    leaves = frame.queryExecution().analyzed().collectLeaves()
    all_leaves = (leaves.apply(number) for number in range(leaves.size()))
    return [leaf for leaf in all_leaves if leaf.getClass().getSimpleName() == "LogicalRelation"]
