# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs a stream to its end, and restarts it after schema changes."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from deltasource._checkpoint.paths import PATH_ALLOWED, resolve_path
from deltasource._checkpoint.unread_schemas import reached_by
from deltasource._logger import LOG
from deltasource._monitor.blocked_start import acknowledgements
from deltasource._monitor.query_stopper import QueryStopper
from deltasource._monitor.tracked_run import TrackedRun
from deltasource._options.hints import nearest_timedelta, nearest_word, with_hint
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import FLAG_ALLOWED, is_count, validate
from deltasource._schema_change import SchemaChange, SchemaChangeKind
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

Ending: TypeAlias = Literal["caught_up", "ended", "deadline", "stopped"]
"""Why `run_until` returned: all data was read, the query ended, the deadline was reached, or `stop`
was set."""

REPORT_ALLOWED = "must be a function that takes the changes"
START_ALLOWED = "must be a function without arguments that starts the query"
RESTARTS_ALLOWED = "must be an integer of at least 0"
ALLOW_ALLOWED = f"must be a set of kinds of change: {', '.join(get_args(SchemaChangeKind))}"
_SHORT_KINDS: Final = {"add": "added", "new": "added", "drop": "dropped"}
ALLOW_UNKNOWN = "needs `location`, the schemaTrackingLocation of the stream"
DEADLINE_ALLOWED = "must be a positive timedelta"
STOP_ALLOWED = "must be a threading.Event"


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """The result of `run_until`.

    Args:
        ending: "caught_up" if all available data was read, "ended" if the query ended and
            `caught_up` was False, "deadline" if the deadline was reached, "stopped" if `stop` was
            set. A query that was stopped elsewhere has ended as well; with `caught_up` it is
            reported as "caught_up", because Spark does not tell the two apart.
        restarts: How many times the query was restarted.
        changes: The schema changes that the run recorded, and those that it acknowledged and that
            the stream had not read past, in order. So a change is listed by the run that records
            it, also by the next one if that has to acknowledge it and is the first to read past
            it (after an error or the deadline), and not by later runs, although Delta asks for
            its acknowledgement at every start. () if there were none, or if `location` was not
            given.
        query: The query of the last start, which has ended.

    Example:
        >>> import deltasource
        >>> result = deltasource.run_until(start, restarts=1)  # doctest: +SKIP
        >>> result.ending  # doctest: +SKIP
        'caught_up'
    """

    ending: Ending
    restarts: int
    changes: tuple[SchemaChange, ...]
    query: StreamingQuery


@with_keyword_hints
def run_until(
    start: Callable[[], StreamingQuery],
    *,
    caught_up: bool = True,
    restarts: int = 3,
    location: str | os.PathLike[str] | None = None,
    spark: SessionLike | None = None,
    allow: Collection[SchemaChangeKind] | None = None,
    deadline: timedelta | None = None,
    stop: threading.Event | None = None,
    report: Callable[[tuple[SchemaChange, ...]], None] | None = None,
) -> RunResult:
    """Run a query until it has caught up, and restart it after schema changes.

    A stream with schema tracking records a schema change and ends with Delta's condition
    DELTA_STREAMING_METADATA_EVOLUTION. When it is started again, it continues. This function
    restarts it. Renamed and dropped columns, and sometimes widened types, must be acknowledged
    first. `run_until` acknowledges those that `allow` includes, each for this checkpoint and this
    change only. It does so with a conf of the active session, which it removes at the end. So do
    not call it in several threads of one session.

    At a change that is not allowed, `run_until` raises SchemaChangeError. Its attribute `changes`
    lists the changes, and its message has the line of Python that allows or acknowledges them. The
    stream has recorded the change, so its next start continues after it. Renamed and dropped
    columns are an exception: Delta asks for their acknowledgement at every start, even after the
    stream has read past the change, until the stream has recorded a later change. So keep them in
    `allow`, or in `SchemaTracking`.

    `run_until` raises any other failure of the query unchanged. The query has ended when this
    returns or raises.

    Args:
        start: Starts the query; called again for each restart. It must call `read_stream` each
            time, or the query keeps its old schema.
        caught_up: True stops the query after it has read all available data
            (`processAllAvailable`), which never happens if the table grows faster than it is
            read. Spark waits for the trigger after the last batch: with "1 minute", up to a minute
            more. A query with the trigger "available_now" stops by itself. False waits until the
            query ends.
        restarts: Maximum number of restarts, 3 by default.
        location: The `schemaTrackingLocation` of the stream, as for `schema_log`. Without it, the
            schema changes are not reported.
        spark: The classic session that reads the location; None reads it without Spark.
        allow: The kinds of `SchemaChange` after which to continue, such as {"added", "renamed"};
            needs `location`. None allows all that need no acknowledgement. A change that is not
            allowed raises before `read_stream` returns or before the restart, even if Delta does
            not ask for an acknowledgement.
        deadline: Maximum duration, including restarts. Then the query is stopped, and its
            checkpoint records how far it has read. A batch that is still running is interrupted,
            and the next start of the stream runs it again. None is no limit.
        stop: Set this event to stop the query after the batch that is running, and to return. A
            signal handler may set it, as may another thread; it is polled ten times per second.
            None: only the deadline stops the query.
        report: Called before each restart with the changes; () if no column changed, for example
            after a change of a table property, or if `location` is None. These are changes that
            the run has just recorded. The changes are also logged, at INFO.

    Returns:
        How the last query ended, and the schema changes on the way.

    Raises:
        SchemaChangeError: A change is not in `allow`, or must be acknowledged and `allow` does not
            include it, or there were more changes than `restarts`.
        StreamingQueryException: The query failed for another reason.
        OptionsError: An argument is invalid, `start` returns no query, or `location` is not that
            of the stream: the stream has another, or there is no schema log.
        RemotePathError: The location is not local, and fsspec or the session cannot open it.
        ConnectError: `spark` is a session of Spark Connect.
        SchemaLogError: A file of the schema log cannot be read.

    Example:
        >>> import deltasource
        >>> from deltasource import ReadOptions, SchemaTracking
        >>> schemas = "/checkpoints/c/schemas"
        >>> tracking = ReadOptions(schema_tracking=SchemaTracking(location=schemas))
        >>> def start():
        ...     orders = deltasource.read_stream(spark, "/tables/orders", options=tracking)
        ...     return deltasource.write_stream(orders, "/tables/copy", checkpoint="/checkpoints/c")
        >>> result = deltasource.run_until(
        ...     start, location=schemas, allow={"added", "widened"}
        ... )  # doctest: +SKIP
    """
    _validate(start, restarts, location, allow, deadline, stop, caught_up, report, spark)
    log = None if location is None else resolve_path(location, spark)
    stopper = QueryStopper(limit=deadline, asked=stop)
    done = 0
    with acknowledgements() as acknowledged:
        run = TrackedRun(
            start,
            stopper,
            location=None if location is None else os.fspath(location),
            log=log,
            reached=lambda: {} if location is None else reached_by(location, spark),
            allow=allow,
            acknowledged=acknowledged,
        )
        while run.evolves(caught_up=caught_up):
            run.require_allowed(done, restarts)
            done += 1
            LOG.info("%s; restart %d of at most %d", run.describe(), done, restarts)
            if report is not None:
                report(run.new)
    ending: Ending = stopper.reason or ("caught_up" if caught_up else "ended")
    return RunResult(ending=ending, restarts=done, changes=run.changes, query=run.query)


def _validate(
    start: object,
    restarts: object,
    location: object,
    allow: object,
    deadline: object,
    stop: object,
    caught_up: object,
    report: object,
    spark: object,
) -> None:
    positive = isinstance(deadline, timedelta) and deadline > timedelta(0)
    known = allow is None or _are_kinds(allow)
    meant = nearest_timedelta(deadline, unit="seconds")
    deadline_allowed = with_hint(DEADLINE_ALLOWED, "deadline", meant)
    validate(
        ("start", start, _takes_nothing(start), START_ALLOWED),
        ("restarts", restarts, is_count(restarts), RESTARTS_ALLOWED),
        ("allow", allow, known, _with_nearest_kinds(allow)),
        ("allow", allow, allow is None or location is not None, ALLOW_UNKNOWN),
        ("location", location, location is None or is_location(location), PATH_ALLOWED),
        ("deadline", deadline, deadline is None or positive, deadline_allowed),
        ("stop", stop, stop is None or isinstance(stop, threading.Event), STOP_ALLOWED),
        ("caught_up", caught_up, isinstance(caught_up, bool), FLAG_ALLOWED),
        ("report", report, report is None or callable(report), REPORT_ALLOWED),
        ("spark", spark, spark is None or is_session(spark), SESSION_ALLOWED),
    )


def _takes_nothing(start: object) -> bool:
    if not callable(start):
        return False
    try:
        inspect.signature(start).bind()
    except TypeError:
        return False
    except ValueError:
        pass  # A function in C need not have a signature.
    return True


def _with_nearest_kinds(allow: object) -> str:
    given = list(allow) if isinstance(allow, Collection) and not isinstance(allow, str) else [allow]
    words = [nearest_word(one, get_args(SchemaChangeKind), _SHORT_KINDS) for one in given]
    known = sorted({word for word in words if word is not None})
    is_known = bool(words) and None not in words
    return with_hint(ALLOW_ALLOWED, "allow", "{" + ", ".join(known) + "}" if is_known else None)


def _are_kinds(allow: object) -> bool:
    if isinstance(allow, str) or not isinstance(allow, Collection):
        return False
    return all(one in get_args(SchemaChangeKind) for one in cast(Collection[object], allow))
