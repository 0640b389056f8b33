# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Following the queries of a session while they run."""

# PySpark's names for what it calls.
# ruff: noqa: N802

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from deltasource._progress.courier import Courier
from deltasource._progress.failures import LOG, Failures
from deltasource._progress.recorder import Recorder
from deltasource.history import History, require_keep
from deltasource.sinks import Sink
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql.streaming.listener import (
        QueryProgressEvent,
        QueryStartedEvent,
        QueryTerminatedEvent,
        StreamingQueryListener,
    )

_LOOK_SECONDS: Final = 10.0
_CLOSE_SECONDS: Final = 10.0


@contextmanager
def monitor(
    spark: SessionLike, *sinks: Sink, keep: int = 500
) -> Generator[Mapping[str, History], None, None]:
    """Follow all queries of a session, those that run already and those that start in the block.

    spark   a session of classic Spark or of Spark Connect
    sinks   functions that get each `Progress`, such as `json_lines`, `prometheus` and `log` make
    keep    how many progresses of each query to keep, by default 500

    Gives the history of each query by its name, or by its id if it has none. It grows while queries
    run, and is whole behind the block. A query that runs already brings what Spark still has of it,
    a hundred progresses if not told otherwise.

    It hears of progress by a listener of Spark's. Events come later than what they tell of, and
    Spark Connect drops all listeners, with a warning, when their stream breaks. So whenever nothing
    was heard for ten seconds, queries that run are asked for `recentProgress`, which also brings
    what Spark says of a query that waits for data and tells no listener. When the block is left,
    queries that still run are asked likewise, and of those that have ended the last event is waited
    for, ten seconds at most; where it does not come, a warning names their runs. Only what a query
    did that ended behind a broken stream, since it was last asked, can be missing.

    Nothing here can end a query or the block. Sinks run in a thread of their own, one after the
    other; when the block is left, they have ten seconds for what waits. A sink that raises, or an
    event that is no progress, is told once with its traceback by the logger "deltasource", and
    counted from then on; the sum is told at the end.

    Raises OptionsError where keep is not a whole number above 0.
    """
    require_keep(keep)
    watch = Watch(spark, sinks, keep=keep)
    watch.open()
    try:
        yield watch.recorder.histories
    finally:
        watch.close()


class Watch:
    """What a monitor holds between its beginning and its end."""

    def __init__(self, spark: SessionLike, sinks: tuple[Sink, ...], *, keep: int) -> None:
        self._streams = spark.streams
        self._failures = Failures("asking Spark for its queries")
        self._courier = Courier(sinks, idle=self.look, patience=_LOOK_SECONDS)
        self.recorder = Recorder(keep=keep, hand_on=self._courier.put)
        self._listener = _listener(self.recorder)

    def open(self) -> None:
        """Begin to listen, and take in what there is."""
        self._streams.addListener(self._listener)
        self._courier.start()
        self.look()

    def look(self) -> None:
        """Ask the queries that run for what was not heard of them."""
        for query in self._active() or ():
            self.recorder.start(query.runId)
            self._ask(query)

    def close(self) -> None:
        """Hear the last of all queries, and stop to listen."""
        active = self._active()
        # Without an answer the session is gone, and no event will come.
        if active is not None:
            running = {str(query.runId) for query in active}
            silent = self.recorder.wait(besides=running, seconds=_CLOSE_SECONDS)
            if silent:
                LOG.warning("no end was heard of these runs: %s", ", ".join(sorted(silent)))
        for query in active or ():
            self._ask(query)
        with self._failures:
            self._streams.removeListener(self._listener)
        self._courier.close(seconds=_CLOSE_SECONDS)
        self._failures.sum_up()
        self.recorder.failures.sum_up()

    def _active(self) -> list[Any] | None:
        with self._failures:
            return list(self._streams.active)
        return None

    def _ask(self, query: Any) -> None:
        with self._failures:
            # All that is recent costs a hundred times as much as the newest.
            newest = query.lastProgress
            if newest is not None and not self.recorder.knows(newest):
                self.recorder.take_missed(query.recentProgress)


def _listener(recorder: Recorder) -> StreamingQueryListener:
    """Make a listener; its class cannot be there before PySpark is."""
    from pyspark.sql.streaming.listener import StreamingQueryListener

    class Listener(StreamingQueryListener):
        def onQueryStarted(self, event: QueryStartedEvent) -> None:
            with recorder.failures:
                recorder.start(event.runId)

        def onQueryProgress(self, event: QueryProgressEvent) -> None:
            with recorder.failures:
                recorder.take(event.progress)

        def onQueryTerminated(self, event: QueryTerminatedEvent) -> None:
            with recorder.failures:
                recorder.end(event.runId)

    return Listener()
