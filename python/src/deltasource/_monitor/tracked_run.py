# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A query that `run_until` starts again and again, and the schema changes that it meets."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.paths import ReadablePath
from deltasource._checkpoint.schema_log import schema_log_at
from deltasource._checkpoint.tracked_schema import TrackedSchema, changes_at, changes_by_entry
from deltasource._checkpoint.unread_schemas import unread_changes
from deltasource._errors import SchemaChangeError
from deltasource._logger import LOG
from deltasource._monitor.blocked_start import (
    BLOCKED,
    Acknowledgements,
    BlockedStart,
    tracking_line,
)
from deltasource._monitor.change_text import format_allow, format_changes
from deltasource._monitor.exception_text import condition_in
from deltasource._monitor.query_end import SCHEMA_EVOLVED, wait_for_end
from deltasource._monitor.query_stopper import QueryStopper
from deltasource._monitor.unread_acknowledged import unread_acknowledged
from deltasource._options.schema_tracking import SchemaTracking
from deltasource._options.validation import validate
from deltasource._read.recorded_schema import checked_by
from deltasource._schema_change import SchemaChange, SchemaChangeKind
from deltasource._write.locations import is_within

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

Key: TypeAlias = tuple[str, int]

RETURN_ALLOWED: Final = (
    "must be a function that returns the query that it starts: is `return` missing?"
)
NO_LOG: Final = "must be the schemaTrackingLocation of the stream: there is no schema log here"
ADVICE: Final = "The change is recorded: start the stream again to continue"
ACKNOWLEDGED_BY: Final[Mapping[SchemaChangeKind, str]] = {
    "renamed": "allow_rename",
    "dropped": "allow_drop",
}
"""The kinds that always need an acknowledgement, and the argument that is one."""


class TrackedRun:
    """A query, its runs one after the other.

    Without a log of tracked schemas, nothing is known of its changes, and none can be acknowledged.
    """

    def __init__(
        self,
        start: Callable[[], StreamingQuery],
        stopper: QueryStopper,
        *,
        location: str | None,
        log: ReadablePath | None,
        reached: Callable[[], dict[str, Offset]],
        allow: Collection[SchemaChangeKind] | None,
        acknowledged: Acknowledgements,
    ) -> None:
        self._start = start
        self._stopper = stopper
        self._location = location
        self._log = log
        self._reached = reached
        self._allow = allow
        self._acknowledged = acknowledged
        self._failure: Exception | None = None
        self._table = "the table"
        self._schemas = "the location of its schemas"
        self._tracked = self._entries()
        self.query: StreamingQuery
        self.new: tuple[SchemaChange, ...] = ()
        """The changes of the latest run."""
        self.changes: tuple[SchemaChange, ...] = ()
        """The changes that the runs recorded, or acknowledged before the stream read past them."""

    def evolves(self, *, caught_up: bool) -> bool:
        """Run the query to its end; whether a schema change has ended it before the stop.

        If the query does not start because changes are not acknowledged, those that `allow`
        includes are acknowledged, and it is started again.
        """
        while True:
            failure = self._run(caught_up=caught_up)
            if failure is None or self._stopper.reason:
                return False
            if condition_in(str(failure)) == SCHEMA_EVOLVED:
                self._failure = failure
                return True
            self._acknowledge(failure)

    def require_allowed(self, done: int, restarts: int) -> None:
        """Raise unless the query may be started again after the changes of its latest run."""
        self._require_allowed(self.new)
        if done == restarts:
            raise SchemaChangeError(
                f"{self.describe()}. This is change {done + 1}, and `restarts` allows {restarts}. "
                f"{ADVICE}",
                self.new,
            ) from self._failure

    def describe(self) -> str:
        """Return the changes of the latest run as one line."""
        if self._log is None:
            return f"{self._table} changed (pass `location` to see which columns)"
        return self._format(self.new)

    def _run(self, *, caught_up: bool) -> Exception | None:
        known = frozenset(map(_key, self._tracked))
        read: list[str] = []

        def check(tracking: SchemaTracking, table: str) -> None:
            self._table = f"the table {table}"
            read.append(os.fspath(tracking.location))
            self._schemas = read[-1]
            self._tracked = self._entries()
            self._failure = None
            self._require_allowed(self._since(known))
            self._require_acknowledged(tracking)

        with checked_by(check):
            self.query = self._start()
        valid = hasattr(self.query, "awaitTermination")
        validate(("start", self.query, valid, RETURN_ALLOWED))
        self._require_location(read)
        returned = {SCHEMA_EVOLVED, BLOCKED}
        failure = wait_for_end(self.query, self._stopper, caught_up=caught_up, returned=returned)
        self._tracked = self._entries(required=True)
        self.new = self._since(known)
        self._add(self.new)
        if failure is None:
            # A `start` that does not call `read_stream` is not checked before the query runs.
            self._require_allowed(self.new)
        return failure

    def _require_location(self, read: Sequence[str]) -> None:
        """Stop the query and raise if it records its schemas at other locations than the given.

        The given one may also be the checkpoint that contains the location, or a log in it.
        """
        location = self._location
        if location is None or not read:
            return
        if any(is_within(location, one) or is_within(one, location) for one in read):
            return
        self.query.stop()
        validate(("location", location, False, f"must be that of its SchemaTracking, {read[0]}"))

    def _since(self, known: Collection[Key]) -> tuple[SchemaChange, ...]:
        found = changes_by_entry(self._tracked)
        return tuple(one for key, changes in found.items() if key not in known for one in changes)

    def _require_allowed(self, changes: Sequence[SchemaChange]) -> None:
        refused = [
            one for one in changes if self._allow is not None and one.kind not in self._allow
        ]
        if refused:
            raise SchemaChangeError(
                f"{self._format(refused)}, which `allow` does not include. {ADVICE}, with "
                f"allow={self._allowing(refused)} to allow it",
                refused,
            ) from self._failure

    def _require_acknowledged(self, tracking: SchemaTracking) -> None:
        """Raise if a column was renamed or dropped at a version that the stream has yet to read.

        Delta asks for no acknowledgement if the stream had read everything before that version.
        """
        if self._allow is None:
            return
        asked = {kind: name for kind, name in ACKNOWLEDGED_BY.items() if kind not in self._allow}
        recorded = changes_by_entry(self._tracked).values()
        if not any(one.kind in asked for changes in recorded for one in changes):
            return
        for version, changes in unread_changes(self._tracked, self._reached()).items():
            refused = [
                one
                for one in changes
                if one.kind in asked
                and getattr(tracking, asked[one.kind]) not in ("always", version)
            ]
            if refused:
                given = dict.fromkeys((asked[one.kind] for one in refused), version)
                raise SchemaChangeError(
                    f"{self._format(refused)}, which `allow` does not include, and the stream has "
                    f"not read version {version} yet: call `run_until` with "
                    f"allow={self._allowing(refused)}, or read the table with "
                    f"{tracking_line(str(self._log), given)}",
                    refused,
                )

    def _acknowledge(self, failure: Exception) -> None:
        """Acknowledge the changes that block the start, or raise if one is not allowed."""
        blocked = BlockedStart.of(failure)
        if blocked is None:
            raise failure
        if self._log is None:
            raise SchemaChangeError(blocked.explain(self._table, self._schemas)) from failure
        # The stream has recorded the change that blocks it, so its log cannot be empty.
        validate(("location", self._location, bool(self._tracked), NO_LOG))
        pending = changes_at(self._tracked, blocked.version)
        needed = [change for change in pending if change.kind in blocked.kinds]
        refused = [change for change in needed if change.kind not in (self._allow or ())]
        if refused or not needed or not self._acknowledged.add(blocked):
            # `allow` has no effect on a change that is not one of those that Delta asks about.
            allowing = (
                f"call `run_until` with allow={self._allowing(refused)}, or " if refused else ""
            )
            raise SchemaChangeError(
                f"{self._format(refused or pending)}, and the stream does not start before that is "
                f"acknowledged: {allowing}read the table with {blocked.tracking(str(self._log))}",
                refused or pending,
            ) from failure
        unread = unread_acknowledged(needed, self._tracked, self._reached())
        self._add(unread)
        if unread:
            LOG.info("%s; acknowledged, because `allow` includes it", self._format(unread))

    def _format(self, changes: Sequence[SchemaChange]) -> str:
        return format_changes(self._table, changes)

    def _allowing(self, changes: Sequence[SchemaChange]) -> str:
        return format_allow(self._allow, changes)

    def _add(self, changes: Sequence[SchemaChange]) -> None:
        self.changes += tuple(change for change in changes if change not in self.changes)

    def _entries(self, *, required: bool = False) -> Sequence[TrackedSchema]:
        if self._log is None:
            return ()
        # The stream creates the folder when it starts.
        exists = self._log.is_dir()
        validate(("location", self._location, exists or not required, NO_LOG))
        return schema_log_at(self._log) if exists else ()


def _key(entry: TrackedSchema) -> Key:
    return entry.log, entry.number
