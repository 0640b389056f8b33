# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What happens to a query, besides the progress of its batches: it starts, waits, fails or ends."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from deltasource._monitor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class _QueryEvent:
    """What these events have in common."""

    query_id: str
    run_id: str
    name: str | None
    timestamp: datetime

    @property
    def query(self) -> str:
        """The name of the query, or its id if it has no name."""
        return self.name or self.query_id


@dataclass(frozen=True, kw_only=True)
class QueryStarted(_QueryEvent):
    """A run of a query has started. It is the first event of each run.

    Args:
        query_id: The id of the query, the same after a restart with its checkpoint.
        run_id: The id of this run of the query.
        name: The name of the query; None if it has none.
        timestamp: When the run started; if it was already running, when that was noticed.
        already_running: Whether the run was noticed only after its start.

    Example:
        >>> from datetime import datetime, timezone
        >>> from deltasource import QueryStarted
        >>> at = datetime(2026, 1, 31, tzinfo=timezone.utc)
        >>> print(QueryStarted(query_id="a", run_id="b", name="orders", timestamp=at))
        'orders' started
    """

    already_running: bool = False

    def __str__(self) -> str:
        """Return the event as one line."""
        return f"{self.query!r} {'was already running' if self.already_running else 'started'}"


@dataclass(frozen=True, kw_only=True)
class QueryIdle(_QueryEvent):
    """A query has looked for new data and found none. Spark reports that at most every 10 s.

    Args:
        query_id: The id of the query, the same after a restart with its checkpoint.
        run_id: The id of this run of the query.
        name: The name of the query; None if it has none.
        timestamp: When the query last looked for data.

    Example:
        >>> from datetime import datetime, timezone
        >>> from deltasource import QueryIdle
        >>> at = datetime(2026, 1, 31, tzinfo=timezone.utc)
        >>> print(QueryIdle(query_id="a", run_id="b", name="orders", timestamp=at))
        'orders' waits for data
    """

    def __str__(self) -> str:
        """Return the event as one line."""
        return f"{self.query!r} waits for data"


@dataclass(frozen=True, kw_only=True)
class QueryFailed(_QueryEvent):
    """A run of a query has ended with an exception. It is the last event of the run.

    Args:
        query_id: The id of the query, the same after a restart with its checkpoint.
        run_id: The id of this run of the query.
        name: The name of the query; None if it has none.
        timestamp: When the monitor received the event; Spark's own has no time.
        condition: The error condition, such as "DELTA_SOURCE_TABLE_IGNORE_CHANGES"; None if the
            exception has none.
        message: One line: the message of the exception without its condition and without names of
            Java classes, or the last line of the traceback if Python code has raised it. If Delta
            recommends an option, the argument of this package's functions follows.
        exception: The exception as Spark reports it, with its stack trace.
        batch_id: The batch that failed: the one after the last that this run has reported. None
            if it has reported none, as in the first batch of a run.

    Example:
        >>> from datetime import datetime, timezone
        >>> from deltasource import QueryFailed
        >>> at = datetime(2026, 1, 31, tzinfo=timezone.utc)
        >>> print(QueryFailed(
        ...     query_id="a", run_id="b", name="orders", timestamp=at, batch_id=7,
        ...     condition="FOREACH_BATCH_USER_FUNCTION_ERROR", message="ValueError: no amount",
        ...     exception="An exception was raised by the Python Proxy. ...",
        ... ))
        'orders' failed in batch 7: [FOREACH_BATCH_USER_FUNCTION_ERROR] ValueError: no amount
    """

    condition: str | None
    message: str
    exception: str
    batch_id: int | None

    def __str__(self) -> str:
        """Return the event as one line."""
        batch = "" if self.batch_id is None else f" in batch {self.batch_id}"
        condition = "" if self.condition is None else f"[{self.condition}] "
        return f"{self.query!r} failed{batch}: {condition}{self.message}"


@dataclass(frozen=True, kw_only=True)
class QueryEnded(_QueryEvent):
    """A run of a query has ended without an exception. It is the last event of the run.

    The query was stopped, or had nothing more to do, as at the end of an AvailableNow run.

    Args:
        query_id: The id of the query, the same after a restart with its checkpoint.
        run_id: The id of this run of the query.
        name: The name of the query; None if it has none.
        timestamp: When the monitor received the event; Spark's own has no time.

    Example:
        >>> from datetime import datetime, timezone
        >>> from deltasource import QueryEnded
        >>> at = datetime(2026, 1, 31, tzinfo=timezone.utc)
        >>> print(QueryEnded(query_id="a", run_id="b", name="orders", timestamp=at))
        'orders' ended
    """

    def __str__(self) -> str:
        """Return the event as one line."""
        return f"{self.query!r} ended"


Event: TypeAlias = QueryStarted | Progress | QueryIdle | QueryFailed | QueryEnded
"""What `monitor` passes to event sinks."""
