# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A query that starts with the checkpoint of one that runs: Spark refuses it, or stops the other.

Spark's own error names neither the checkpoint nor the query, and ends with a Java stack.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from deltasource._errors import CheckpointInUseError
from deltasource._logger import LOG
from deltasource._session import jvm
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

_STOPS: Final = "spark.sql.streaming.stopActiveRunOnRestart"
_ACTIVE: Final = re.compile(r"query with id ([0-9a-f-]{36}) as another query with same id is")
_CONCURRENT: Final = "[CONCURRENT_QUERY]"
_REPLACED: Final = (
    "Spark has stopped the running %s, because another one has started with its checkpoint %s. "
    f"Give each query a checkpoint of its own. With {_STOPS}=false, the second is refused"
)


@contextmanager
def named_if_in_use(
    spark: SessionLike, checkpoint: str | os.PathLike[str]
) -> Generator[None, None, None]:
    """Raise CheckpointInUseError, with the query that runs, if Spark refuses to start another."""
    try:
        yield
    except Exception as error:
        active = _ACTIVE.search(str(error))
        if active is None and _CONCURRENT not in str(error):
            raise
        query = "another query" if active is None else _described(spark, active[1])
        # The Java stack says nothing else.
        raise CheckpointInUseError(
            f"the checkpoint {os.fspath(checkpoint)} is in use: {query} runs with it. Stop that "
            "query first (`query.stop()`), or give this one a checkpoint of its own. To let Spark "
            f'stop it, call spark.conf.set("{_STOPS}", True)'
        ) from None


def active_queries(spark: SessionLike) -> Sequence[StreamingQuery]:
    """Return the active queries of a classic session; () for one of Spark Connect."""
    return () if jvm.classic_session(spark) is None else _active(spark)


def warn_if_replaced(
    before: Sequence[StreamingQuery], query: StreamingQuery, checkpoint: str | os.PathLike[str]
) -> None:
    """Log a warning if one of the queries that ran before is the one that has started now."""
    for one in before:
        if one.id == query.id:
            LOG.warning(_REPLACED, _with_name(one), os.fspath(checkpoint))


def _described(spark: SessionLike, query_id: str) -> str:
    found = [one for one in _active(spark) if str(one.id) == query_id]
    return f"the {_with_name(found[0])}" if found else f"a query with id {query_id}"


def _active(spark: Any) -> Sequence[StreamingQuery]:
    found: Sequence[StreamingQuery] = spark.streams.active
    return found


def _with_name(query: StreamingQuery) -> str:
    name = f"query {query.name!r}" if query.name else "query without a name"
    return f"{name} (id {query.id}, run {query.runId})"
