# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A streaming query that runs batch by batch, without timeouts or sleeps.

The sink is a gate: each batch waits there until it is let through, when it is planned and its
offset is written, but it is not committed. A query is *settled* when a batch waits, when the engine
has found no new data, or when the query is over; only then does the harness act.
"""

import threading
from datetime import datetime
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from parity.harness.exceptions import describe


class ClosedError(Exception):
    """Ends a query whose batch is held; the engine sees a failing sink."""


class Query:
    """One run; `frame` is the DataFrame of an earlier run, if it is to be reused."""

    def __init__(self, spark: SparkSession, trigger: str, frame: DataFrame | None = None) -> None:
        self.frame = frame
        self._spark = spark
        self._trigger = trigger
        self._query: StreamingQuery | None = None
        self._change = threading.Condition()
        self._passes: int | None = 0
        self._held = False
        self._closed = False
        self._resting = False
        self._watched = False
        self._done: list[dict[str, Any]] = []
        self._failure: dict[str, Any] | None = None
        self._unread: dict[str, Any] | None = None

    def start(
        self, table: str, checkpoint: str, options: dict[str, str], *, twice: bool
    ) -> dict[str, Any]:
        phase = "load"
        try:
            reader = self._spark.readStream.format("delta").options(**options)
            self.frame = frame = self.frame or reader.load(table)
            if twice:
                frame = frame.union(reader.load(table))
            phase = "start"
            sink = frame.writeStream.option("checkpointLocation", checkpoint).foreachBatch(
                self._receive
            )
            if self._trigger == "availableNow":
                sink = sink.trigger(availableNow=True)
            elif self._trigger == "once":
                sink = sink.trigger(once=True)
            self._query = sink.start()
        except Exception as error:
            self._failure = describe(phase, error)
        return self.settle(0)

    def settle(self, count: int | None) -> dict[str, Any]:
        """Let `count` batches through, or all of them, and return once the query is settled."""
        with self._change:
            self._passes = count
            self._change.notify_all()
            if self._query is not None and not self._watched:
                self._resting, self._watched = False, True
                threading.Thread(target=self._watch, args=(self._query,), daemon=True).start()
            self._change.wait_for(
                lambda: self._query is None or self._resting or (self._held and self._passes == 0)
            )
        return self._answer()

    def stop(self) -> dict[str, Any]:
        with self._change:
            self._closed = True
            self._change.notify_all()
        if self._query is not None:
            self._query.stop()
        return self._answer()

    def forget(self) -> None:
        """Release the JVM's objects.

        Spark's sink holds this object, which holds the query, which holds the sink: no garbage
        collector can free a cycle across two languages.
        """
        self._query = self.frame = None

    def _receive(self, frame: DataFrame, batch: int) -> None:
        with self._change:
            self._held = True
            self._change.notify_all()
            self._change.wait_for(lambda: self._closed or self._passes != 0)
            if self._closed:
                raise ClosedError(f"batch {batch}")
            self._held = False
            if self._passes is not None:
                self._passes -= 1
        try:
            rows = [[plain(value) for value in row] for row in frame.collect()]
        except Exception as error:
            # The engine would turn it into a string.
            self._unread = describe("run", error)
            raise
        with self._change:
            self._done.append({"id": batch, "rows": rows})

    def _watch(self, query: StreamingQuery) -> None:
        """Waits until the engine has found no new data, or until the query is over."""
        try:
            if self._trigger == "default":
                query.processAllAvailable()
            else:
                query.awaitTermination()
        except Exception:
            pass  # the query itself has the reason, see below
        stream: Any = query._jsq
        thrown = stream.exception()
        failure = describe("run", thrown.get().getCause()) if thrown.isDefined() else None
        if failure is not None and self._unread is not None:
            failure = self._unread
        with self._change:
            self._failure = None if self._closed else failure
            self._resting, self._watched = True, False
            self._change.notify_all()

    def _answer(self) -> dict[str, Any]:
        with self._change:
            batches, self._done = self._done, []
            return {"state": self._state(), "batches": batches, "failure": self._failure}

    def _state(self) -> str:
        if self._failure is not None:
            return "failed"
        if self._closed:
            return "stopped"
        if self._held:
            return "held"
        return "waiting" if self._query is not None and self._query.isActive else "over"


def plain(value: Any) -> Any:
    """The value as JSON types; a value that JSON lacks becomes its string."""
    if isinstance(value, Row):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
