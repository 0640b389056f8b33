# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A fake session with scripted queries and Spark's own events."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql.streaming.listener import (
    QueryIdleEvent,
    QueryProgressEvent,
    QueryStartedEvent,
    QueryTerminatedEvent,
    StreamingQueryListener,
    StreamingQueryProgress,
)

from support.progress_samples import QUERY, RUN, progress

STARTED = "2026-11-21T17:02:30.000Z"


def spark_progress(batch: int, **fields: Any) -> StreamingQueryProgress:
    """Return a progress as an instance of Spark's class."""
    return StreamingQueryProgress.fromJson(progress(batchId=batch, **fields))


@dataclass
class Query:
    """A running query."""

    recent: list[Any] = field(default_factory=list)
    runId: str = RUN  # noqa: N815 - Spark's name
    id: str = QUERY
    name: str | None = "orders"

    @property
    def lastProgress(self) -> Any:  # noqa: N802 - Spark's name
        return self.recent[-1] if self.recent else None

    @property
    def recentProgress(self) -> list[Any]:  # noqa: N802 - Spark's name
        return list(self.recent)


@dataclass
class Streams:
    """The queries and listeners of a session; `asked` is called on each access to `active`."""

    queries: list[Query] = field(default_factory=list)
    listeners: list[StreamingQueryListener] = field(default_factory=list)
    asked: Callable[[], None] = lambda: None

    @property
    def active(self) -> list[Query]:
        self.asked()
        return list(self.queries)

    def addListener(self, listener: StreamingQueryListener) -> None:  # noqa: N802 - Spark's name
        self.listeners.append(listener)

    def removeListener(self, listener: StreamingQueryListener) -> None:  # noqa: N802 - Spark's name
        # As over Spark Connect, removing an unknown listener is no error.
        self.listeners[:] = [one for one in self.listeners if one is not listener]

    def start(self, run: str = RUN, *, at: str = STARTED) -> None:
        """Notify the listeners that a query has started."""
        ids = uuid.UUID(QUERY), uuid.UUID(run)
        for listener in self.listeners:
            listener.onQueryStarted(QueryStartedEvent(*ids, "orders", at, set()))

    def wait(self, run: str = RUN, *, at: str = STARTED) -> None:
        """Notify the listeners that a query waits for data."""
        for listener in self.listeners:
            listener.onQueryIdle(QueryIdleEvent(uuid.UUID(QUERY), uuid.UUID(run), at))

    def tell(self, *given: Any) -> None:
        """Send progress events to the listeners."""
        for one in given:
            for listener in self.listeners:
                listener.onQueryProgress(QueryProgressEvent(one))

    def end(
        self, run: str = RUN, *, exception: str | None = None, condition: str | None = None
    ) -> None:
        """Notify the listeners that a query has ended, by an exception or without one."""
        ids = uuid.UUID(QUERY), uuid.UUID(run)
        for listener in self.listeners:
            listener.onQueryTerminated(QueryTerminatedEvent(*ids, exception, condition))


@dataclass
class Session:
    """A session with such queries."""

    streams: Streams = field(default_factory=Streams)
    read: Any = None
    readStream: Any = None  # noqa: N815 - Spark's name

    def sql(self, sqlQuery: str) -> Any:  # noqa: N803 - Spark's name
        raise AssertionError(sqlQuery)
