# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether the start of a new query is after the latest commit of its table: it would fail then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from deltasource._options.validation import Rule
from deltasource._read.stream import load
from deltasource._session import jvm
from deltasource._session.streamed_table import StreamedTable
from deltasource._text import parse_timestamp
from deltasource._types import SessionLike

NO_SUCH_VERSION: Final = "must be a version that exists: the latest version of {path} is {latest}"
NO_SUCH_TIME: Final = "must not be after the latest commit of {path}, which is of {latest}"
ONLY_LATER: Final = '. To read only later commits, use "latest"'

SLACK: Final = timedelta(seconds=1)
"""Delta's time of a commit is later than that of its file if files have the same time."""

_MAY_WAIT: Final = "spark.databricks.delta.changeDataFeed.timestampOutOfRange.enabled"


def rules(spark: SessionLike, streamed: Sequence[StreamedTable]) -> Iterator[Rule]:
    """Return a rule for each table with a start that a stream of a classic session reads.

    For a query with a new checkpoint: another one does not use its start.
    """
    session = jvm.classic_session(spark)
    if session is None or session.setting(_MAY_WAIT).lower() == "true":
        return
    for table in streamed:
        if table.format != jvm.DELTA or table.path is None:
            continue
        known = session.delta_log(table.path).unsafeVolatileSnapshot()
        rule = _rule(table, known)
        if rule is not None and not rule[2]:
            load(spark.read, table.path)  # Lists its log again.
            rule = _rule(table, session.delta_log(table.path).unsafeVolatileSnapshot())
        if rule is not None:
            yield rule


def _rule(table: StreamedTable, snapshot: Any) -> Rule | None:
    """Return the rule for the start of a table; None without one, and for "latest"."""
    if table.version is not None and table.version.isdecimal():
        start, latest = int(table.version), int(snapshot.version())
        allowed = NO_SUCH_VERSION.format(path=table.path, latest=latest)
        return "start", start, start <= latest, allowed + ONLY_LATER
    time = None if table.time is None else parse_timestamp(table.time)
    if time is None or time.tzinfo is None:
        return None
    latest_time = datetime.fromtimestamp(snapshot.timestamp() / 1000, timezone.utc)
    allowed = NO_SUCH_TIME.format(path=table.path, latest=latest_time)
    return "start", time, time <= latest_time + SLACK, allowed + ONLY_LATER
