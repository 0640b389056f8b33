# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Running a stream to its end, through the changes of schema on its way."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, get_args

from deltasource._checkpoint.places import Place, place
from deltasource._checkpoint.schema_log import schema_log_at
from deltasource._options.rules import check
from deltasource._progress.clock import Clock
from deltasource._progress.failures import LOG
from deltasource.errors import SchemaChangeError
from deltasource.schemas import Kind, SchemaChange
from deltasource.tracking import TrackedSchema, changes
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

Key: TypeAlias = tuple[str, int]
Ending: TypeAlias = Literal["caught_up", "ended", "deadline"]
"""Why a run is over: all was read, the query ended by itself, or its time was up."""

EVOLVED: Final = "DELTA_STREAMING_METADATA_EVOLUTION"
START_ALLOWED = "a function without arguments that starts the query"
RESTARTS_ALLOWED = "a whole number, at least 0"
ALLOW_ALLOWED = f"kinds of change, of {', '.join(get_args(Kind))}, with a location to know them by"
DEADLINE_ALLOWED = "a timedelta above 0"

# As Spark words the end of a query where it is raised, where a query is asked for it, and where it
# is asked for it over Connect. There the condition is in the text alone.
_CONDITION: Final = re.compile(
    r"(?:\[STREAM_FAILED\] Query \[[^\]]*\] terminated with exception: |\(STREAM_FAILED\) )?"
    r"\[([A-Z0-9_.]+)\]"
)


@dataclass(frozen=True, kw_only=True)
class Run:
    """How `run_until` came to its end.

    ending    "caught_up": all that was there has been read, or somebody else stopped the query;
              "ended": the query ended by itself; "deadline": the time was up
    restarts  how often the query was started anew
    changes   what changed in the schema on the way; () also where `location` was not given
    query     the query as it was started last; it is over
    """

    ending: Ending
    restarts: int
    changes: tuple[SchemaChange, ...]
    query: StreamingQuery


def run_until(
    start: Callable[[], StreamingQuery],
    *,
    caught_up: bool = True,
    restarts: int = 3,
    location: str | os.PathLike[str] | None = None,
    spark: SessionLike | None = None,
    allow: Collection[Kind] | None = None,
    deadline: timedelta | None = None,
    report: Callable[[tuple[SchemaChange, ...]], None] | None = None,
) -> Run:
    """Run a query until it has caught up, and start it anew behind changes of schema on the way.

    A stream with schema tracking records a change and ends with Delta's condition
    DELTA_STREAMING_METADATA_EVOLUTION; started again it goes on (docs/design/0008). This does it.
    Whatever else ends a query is raised as it is, above all what Delta asks to be acknowledged
    first: renamed and dropped columns (`SchemaTracking.allow_rename`, `allow_drop`).

    start      starts the query; called again for each restart. It must read the table anew each
               time, with `read_stream` inside it, or the query keeps its old schema
    caught_up  True, the default: stop the query once it has read all that is there
               (`processAllAvailable`); one with the trigger "available_now" stops by itself. Where
               a table grows faster than it is read, that never comes. False: wait until it ends
    restarts   how often to start it anew at most, by default 3
    location   the stream's schemaTrackingLocation, a local folder or with `spark` any; without it
               nobody knows here what has changed
    spark      the classic session that reaches the location where it is not local
    allow      kinds of `SchemaChange` to restart behind; by default all that Delta lets pass. The
               change is recorded all the same: whoever starts the stream again goes on behind it
    deadline   how long it may take, restarts included; then the query is stopped, and its
               checkpoint knows how far it came. By default there is none
    report     called before each restart with what changed: () where that is no column, such as a
               property of the table, or where no location was given. It is logged too, at INFO

    The query is over when this returns or raises. Raises SchemaChangeError behind a change that
    `allow` does not name, or one more than `restarts`; StreamingQueryException for any other end;
    OptionsError for arguments that cannot be; RemotePathError, ConnectError or SchemaLogError for
    the location.
    """
    _check(start, restarts, location, allow, deadline)
    log = None if location is None else place(location, spark)
    clock = Clock(deadline)
    found: tuple[SchemaChange, ...] = ()
    done = 0
    while True:
        known = frozenset(map(_key, _entries(log)))
        query = start()
        failed = _failure(query, clock, caught_up=caught_up)
        new = _changes(log, known)
        found += new
        if failed is None or clock.over:
            ending: Ending = "deadline" if clock.over else "caught_up" if caught_up else "ended"
            return Run(ending=ending, restarts=done, changes=found, query=query)
        _require_allowed(new, allow, done, restarts, failed)
        done += 1
        LOG.info("%s; restart %d of at most %d", _said(new), done, restarts)
        if report is not None:
            report(new)


def _check(
    start: object, restarts: object, location: object, allow: object, deadline: object
) -> None:
    in_time = isinstance(deadline, timedelta) and deadline > timedelta(0)
    known = allow is None or (_are_kinds(allow) and location is not None)
    check(
        ("start", start, callable(start), START_ALLOWED),
        ("restarts", restarts, type(restarts) is int and restarts >= 0, RESTARTS_ALLOWED),
        ("allow", allow, known, ALLOW_ALLOWED),
        ("deadline", deadline, deadline is None or in_time, DEADLINE_ALLOWED),
    )


def _are_kinds(allow: object) -> bool:
    if isinstance(allow, str) or not isinstance(allow, Collection):
        return False
    return all(one in get_args(Kind) for one in cast(Collection[object], allow))


def _failure(query: Any, clock: Clock, *, caught_up: bool) -> Exception | None:
    """Run a query to its end; answer the change of schema that ended it, raise what else did."""
    from pyspark.errors import StreamingQueryException

    try:
        with clock.stopping(query):
            if caught_up:
                query.processAllAvailable()
            else:
                query.awaitTermination()
        error: Exception | None = query.exception()
    except StreamingQueryException as raised:
        error = raised
    finally:
        if query.isActive:
            query.stop()
    if error is not None and condition(str(error)) != EVOLVED:
        raise error
    return error


def condition(text: str) -> str | None:
    """Answer the condition that a query ended with, from what its exception says."""
    found = _CONDITION.match(text)
    return None if found is None else found[1]


def _require_allowed(
    new: Sequence[SchemaChange],
    allow: Collection[Kind] | None,
    done: int,
    restarts: int,
    failed: Exception,
) -> None:
    go_on = "The change is recorded: start the stream again to go on"
    wrong = [change for change in new if allow is not None and change.kind not in allow]
    if wrong:
        raise SchemaChangeError(f"{_said(wrong)}, which is not allowed here. {go_on}") from failed
    if done == restarts:
        raise SchemaChangeError(f"{_said(new)} after {done} restarts. {go_on}") from failed


def _said(new: Sequence[SchemaChange]) -> str:
    return f"the table has changed: {'; '.join(map(str, new)) or 'no column that is known of'}"


def _entries(log: Place | None) -> Sequence[TrackedSchema]:
    # A stream makes the folder when it begins.
    return schema_log_at(log) if log is not None and log.is_dir() else ()


def _key(entry: TrackedSchema) -> Key:
    return entry.log, entry.number


def _changes(log: Place | None, known: Collection[Key]) -> tuple[SchemaChange, ...]:
    """Answer what the entries changed that were not there before."""
    found = changes(_entries(log))
    return tuple(
        one for key, differences in found.items() if key not in known for one in differences
    )
