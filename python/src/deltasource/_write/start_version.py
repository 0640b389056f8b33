# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether the version exists at which a new query starts, which would fail otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from deltasource._options.validation import Rule
from deltasource._read.stream import load
from deltasource._session import jvm

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NO_SUCH_VERSION: Final = (
    "must be a version that exists: the latest version of {path} is {latest}. To read only later "
    'commits, use "latest"'
)
_MAY_WAIT: Final = "spark.databricks.delta.changeDataFeed.timestampOutOfRange.enabled"


def rules(frame: DataFrame) -> Iterator[Rule]:
    """Return a rule for each table of a classic session's stream that starts after its end.

    For a query with a new checkpoint: another one does not use its start.
    """
    session = jvm.classic_session(frame.sparkSession)
    if session is None or session.setting(_MAY_WAIT).lower() == "true":
        return
    for table in session.streamed_tables(frame):
        # "latest" is not a number.
        if table.format == jvm.DELTA and table.path and table.start and table.start.isdecimal():
            start = int(table.start)
            latest = _latest(session, frame, table.path, start)
            allowed = NO_SUCH_VERSION.format(path=table.path, latest=latest)
            yield "start", start, start <= latest, allowed


def _latest(session: jvm.Session, frame: DataFrame, path: str, start: int) -> int:
    """Return the latest version of a table; the known one if it is late enough."""
    known = int(session.delta_log(path).unsafeVolatileSnapshot().version())
    if start <= known:
        return known
    load(frame.sparkSession.read, path)  # Lists its log again.
    return int(session.delta_log(path).unsafeVolatileSnapshot().version())
