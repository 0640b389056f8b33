# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A run of a query, and its events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, TypedDict

from deltasource import _text
from deltasource._monitor.events import QueryEnded, QueryFailed, QueryIdle, QueryStarted
from deltasource._monitor.exception_text import condition_in, one_line
from deltasource._monitor.progress import Progress
from deltasource._monitor.python_advice import python_advice

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import QueryTerminatedEvent


class _Names(TypedDict):
    query_id: str
    run_id: str
    name: str | None


@dataclass(frozen=True, kw_only=True)
class QueryRun:
    """A run of a query; `next_batch` is None as long as the run has reported no progress."""

    query_id: str
    run_id: str
    name: str | None
    next_batch: int | None = None

    @classmethod
    def of(cls, query: Any) -> QueryRun:
        """Return the run of a query of Spark, or of one of Spark's events."""
        # The event of an end has no name.
        name = getattr(query, "name", None)
        return cls(query_id=str(query.id), run_id=str(query.runId), name=name)

    @classmethod
    def of_progress(cls, progress: Progress) -> QueryRun:
        """Return the run that has reported this."""
        return cls(query_id=progress.query_id, run_id=progress.run_id, name=progress.name)

    def started(self, timestamp: object) -> QueryStarted:
        """Return the event of its start."""
        return QueryStarted(**self._names(), timestamp=_time(timestamp))

    def found(self) -> QueryStarted:
        """Return the event of a run whose start was missed."""
        return QueryStarted(**self._names(), timestamp=_time(None), already_running=True)

    def idle(self, timestamp: object) -> QueryIdle:
        """Return the event of a run that waits for data."""
        return QueryIdle(**self._names(), timestamp=_time(timestamp))

    def ended(self, event: QueryTerminatedEvent) -> QueryFailed | QueryEnded:
        """Return the event of its end."""
        text = event.exception
        if text is None:
            return QueryEnded(**self._names(), timestamp=_time(None))
        condition = event.errorClassOnException or condition_in(text)
        return QueryFailed(
            **self._names(),
            timestamp=_time(None),
            condition=condition,
            message=" ".join(filter(None, (one_line(text), python_advice(condition)))),
            exception=text,
            batch_id=self.next_batch,
        )

    def _names(self) -> _Names:
        return _Names(query_id=self.query_id, run_id=self.run_id, name=self.name)


def _time(text: object) -> datetime:
    """Return the time of an event of Spark; the current time if it has none."""
    time = _text.parse_timestamp(text) if isinstance(text, str) else None
    return datetime.now(timezone.utc) if time is None or time.tzinfo is None else time
