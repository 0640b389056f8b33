# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Fake queries that end in a given way, and the schema logs they leave."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pyspark.errors.exceptions.base import StreamingQueryException

from deltasource._monitor.query_end import SCHEMA_EVOLVED
from deltasource._monitor.run import run_until
from support.checkpoint_samples import TABLE, put, tracked


def failure(name: str) -> StreamingQueryException:
    """Return the exception of a failed query as Spark words it."""
    return StreamingQueryException(
        f"[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: [{name}] The schema "
        f"has changed. [{SCHEMA_EVOLVED}] may be meant. SQLSTATE: XXKST\n=== Streaming Query ===\n"
    )


@dataclass
class Query:
    """A query that reads all data or ends with an error; `before` runs in the meantime.

    A late error is not raised to the waiting caller; only `exception` returns it. `status` and
    `lastProgress` are those of a query between two batches, unless a test sets them.
    """

    error: Exception | None = None
    before: Callable[[], Any] = lambda: None
    late: bool = False
    isActive: bool = True  # noqa: N815 - Spark's name
    waited: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    status: dict[str, bool] = field(default_factory=lambda: {"isTriggerActive": False})
    lastProgress: object = None  # noqa: N815 - Spark's name

    def processAllAvailable(self) -> None:  # noqa: N802 - Spark's name
        self._run("processAllAvailable")

    def awaitTermination(self) -> None:  # noqa: N802 - Spark's name
        self._run("awaitTermination")
        self.isActive = False

    def exception(self) -> Exception | None:
        return self.error

    def stop(self) -> None:
        self.isActive = False
        self.stopped.set()

    def _run(self, how: str) -> None:
        self.waited.append(how)
        self.before()
        if self.error is not None:
            self.isActive = False
            if not self.late:
                raise self.error


def run(*queries: Query, **options: Any) -> Any:
    """Run queries one after the other; each start returns the next one."""
    left = iter(queries)
    return run_until(lambda: cast(Any, next(left)), **options)


def evolving(log: Path | None = None, number: int = 0, **types: str) -> Query:
    """Return a query that fails at a schema change, and records it."""

    def record() -> None:
        if log is not None:
            put(log / f"_schema_log_{TABLE}", str(number), tracked(number, **types))

    return Query(failure(SCHEMA_EVOLVED), record)
