# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Monitors the queries of a session while they run."""

# PySpark's names for callbacks.
# ruff: noqa: N802

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final

from deltasource._errors import DeltaSourceError, OptionsError
from deltasource._logger import LOG
from deltasource._monitor.dispatcher import EventDispatcher, close_sink
from deltasource._monitor.event_sinks import EventSink
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.history import History, keep_rule
from deltasource._monitor.recorder import Recorder
from deltasource._monitor.sink_paths import invalid_sinks, to_event_sinks
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import broken
from deltasource._session.requirements import require_running
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import (
        QueryIdleEvent,
        QueryProgressEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
        StreamingQueryListener,
    )

_POLL_SECONDS: Final = 10.0
# On closing: the longest waits for the termination events, and for slow event sinks.
_END_SECONDS: Final = 10.0
_SINK_SECONDS: Final = 10.0
_NO_BLOCK: Final = (
    "monitor(...) was called, but not used in a `with` statement, so no query was monitored: write "
    "`with monitor(spark, ...) as queries:` around the code that runs the queries"
)


@with_keyword_hints
def monitor(
    spark: SessionLike, *event_sinks: EventSink | str | os.PathLike[str], keep: int = 500
) -> AbstractContextManager[Mapping[str, History]]:
    """Monitor all queries of a session, those already running and those that start in the block.

    Use it in a `with` statement; without one it does nothing, and a RuntimeWarning says so.

    It registers a listener with Spark. Since Spark Connect removes all listeners when their stream
    breaks, it also polls `recentProgress` of the active queries whenever no progress has arrived
    for ten seconds; that includes the progress of queries that wait for data, which Spark does not
    send to listeners. When the block ends, it polls the active queries once more, and waits up to
    ten seconds for the last events of the others; if they do not arrive, it logs a warning with the
    run ids.

    The first event of each run is `QueryStarted`, and the last is `QueryFailed` or `QueryEnded`.
    Events of a run are in order; the end of a run may follow the start of the next run of its
    query. Events can be missing in one case: over Connect, after the listener stream broke.
    A run that ends then has no `QueryFailed` or `QueryEnded`, because Spark does not say how it
    ended, and the monitor never invents an end. A run that waits then has no `QueryIdle`. If a run
    ends between two polls, its progress since the first of them is missing.

    Monitoring never fails a query or the block. Event sinks are called one after the other in a
    background thread; when the block ends, they have ten seconds for what is queued. The logger
    "deltasource" logs the first exception of an event sink, or the first event that cannot be
    read, with its traceback, and the number of failures at the end. An event sink with a method
    `close` is closed then.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        event_sinks: Functions that are called with each `Event`, such as those that
            `json_lines`, `prometheus` and `log_progress` return. A path of a file whose name ends
            with `.jsonl` is short for `json_lines(path)`, and one with `.prom` for
            `prometheus(path)`.
        keep: How many progress reports to keep for each query, 500 by default.

    Returns:
        A context manager. Its value is the history of each query, by its name, or by its id if it
        has no name. It grows while queries run, and is complete after the block. For a query that
        is already running, it starts with what Spark has kept, by default a hundred progress
        reports. A query that failed before the end of its first batch has an empty history with
        the attribute `failure`. An unknown name is a KeyError that lists the known ones.

    Raises:
        OptionsError: `spark` is no session, an event sink is neither a function nor such a path,
            or `keep` is not an integer of at least 1.

    Example:
        >>> import deltasource
        >>> with deltasource.monitor(spark, "events.jsonl", "streams.prom") as queries:
        ...     query.processAllAvailable()  # doctest: +SKIP
        >>> queries["orders"][-1].rows  # doctest: +SKIP
        5
    """
    session = ("spark", spark, is_session(spark), SESSION_ALLOWED)
    invalid = [*invalid_sinks(event_sinks), *broken(session, keep_rule(keep))]
    try:
        if invalid:
            raise OptionsError(invalid)
        require_running(spark)
    except DeltaSourceError:
        for one in event_sinks:
            # One that serves metrics does so already.
            close_sink(one)
        raise
    return _Block(QueryMonitor(spark, to_event_sinks(event_sinks), keep=keep))


class _Block(AbstractContextManager[Mapping[str, History]]):
    """Monitors queries in a `with` block, and warns if there is none."""

    def __init__(self, queries: QueryMonitor) -> None:
        self._queries = queries
        self._entered = False

    def __enter__(self) -> Mapping[str, History]:
        self._entered = True
        self._queries.open()
        return self._queries.recorder.histories

    def __exit__(self, *_: object) -> None:
        self._queries.close()

    def __del__(self) -> None:
        if not self._entered:
            warnings.warn(_NO_BLOCK, RuntimeWarning, stacklevel=2, source=self)


class QueryMonitor:
    """Monitors queries from `open` to `close`."""

    def __init__(self, spark: SessionLike, event_sinks: Sequence[EventSink], *, keep: int) -> None:
        self._streams = spark.streams
        self._failures = FailureLog("polling queries")
        self._dispatcher = EventDispatcher(
            event_sinks, on_idle=self.poll, idle_seconds=_POLL_SECONDS
        )
        self.recorder = Recorder(keep=keep, forward=self._dispatcher.put)
        self._listener = _listener(self.recorder)

    def open(self) -> None:
        """Register the listener, and read existing progress."""
        self._streams.addListener(self._listener)
        self._dispatcher.start()
        self.poll()

    def poll(self) -> None:
        """Read the progress of the active queries that no event has reported."""
        for query in self._active_queries() or ():
            self._poll_query(query)

    def close(self) -> None:
        """Wait for the last events, poll once more, and remove the listener."""
        active = self._active_queries()
        # If polling fails, the session has ended, and no event will arrive.
        if active is not None:
            running = {str(query.runId) for query in active}
            unfinished = self.recorder.wait_for_ends(excluding=running, seconds=_END_SECONDS)
            if unfinished:
                LOG.warning(
                    "no termination event arrived for these runs: %s", ", ".join(sorted(unfinished))
                )
        for query in active or ():
            self._poll_query(query)
        self.recorder.flush()
        with self._failures:
            self._streams.removeListener(self._listener)
        self._dispatcher.close(seconds=_SINK_SECONDS)
        self._failures.log_summary()
        self.recorder.failures.log_summary()

    def _active_queries(self) -> list[Any] | None:
        with self._failures:
            return list(self._streams.active)
        return None

    def _poll_query(self, query: Any) -> None:
        with self._failures:
            self.recorder.found(query)
            # All recent progress costs a hundred times as much as the latest.
            latest = query.lastProgress
            if latest is not None and not self.recorder.knows(latest):
                self.recorder.record_missed(query.recentProgress)


def _listener(recorder: Recorder) -> StreamingQueryListener:
    """Create a listener; its base class needs PySpark, which is imported only now."""
    from pyspark.sql.streaming.listener import StreamingQueryListener

    class Listener(StreamingQueryListener):
        def onQueryStarted(self, event: QueryStartedEvent) -> None:
            with recorder.failures:
                recorder.started(event)

        def onQueryProgress(self, event: QueryProgressEvent) -> None:
            with recorder.failures:
                recorder.record(event.progress)

        def onQueryIdle(self, event: QueryIdleEvent) -> None:
            with recorder.failures:
                recorder.idle(event)

        def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
            with recorder.failures:
                recorder.ended(event)

    return Listener()
