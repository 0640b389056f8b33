# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Restarts a stream after the failures that a test has chosen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from deltasource._checkpoint.checkpoint import Checkpoint
from deltasource._checkpoint.paths import resolve_path
from deltasource._errors import CheckpointError, ConnectError
from deltasource._monitor.query_end import wait_for_end
from deltasource._monitor.query_stopper import QueryStopper
from deltasource._monitor.run import START_ALLOWED
from deltasource._monitor.tracked_run import RETURN_ALLOWED
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._read.stream import CONNECT
from deltasource._testing.errors import InjectedFailure
from deltasource._testing.failures import REMOTE, FailAt

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery

WRITE_ALLOWED: Final = "must be what fail_at returned"
ONE_ALLOWED: Final = (
    "must pass `write` itself to foreachBatch: another fail_at made the query fail. Create it "
    "once, outside of `start`"
)
CALLED_ALLOWED: Final = (
    "must start a query that calls `write`: it has ended without a call. Pass `write` itself to "
    "foreachBatch, and give the query rows to read"
)
RUN_ALLOWED: Final = (
    "must name batches that the query runs: it ended before these. Give it more batches, for "
    "example with max_files=1"
)


@dataclass(frozen=True, kw_only=True)
class RecoveryResult:
    """The result of `run_with_failures`.

    Args:
        restarts: How many times the query was restarted, once for each batch that failed.
        failed: The batches that failed, in the order in which they failed.
        query: The query of the last start, which has ended without a failure.

    Example:
        >>> from deltasource.testing import run_with_failures
        >>> run_with_failures(start, write).restarts  # doctest: +SKIP
        2
    """

    restarts: int
    failed: tuple[int, ...]
    query: StreamingQuery


@with_keyword_hints
def run_with_failures(start: Callable[[], StreamingQuery], write: FailAt) -> RecoveryResult:
    """Run a query until it has read everything, and restart it after each failure of `write`.

    Any other failure of the query is raised.

    Args:
        start: Starts the query with the same checkpoint each time, and `write` in its
            `foreachBatch`. With any trigger, the query is stopped once it has caught up.
        write: What `fail_at` returned.

    Returns:
        How many times the query was restarted, and the query.

    Raises:
        OptionsError: An argument is invalid, `start` does not use `write`, or the query ended
            before a batch in which it should fail: such a test would test nothing.
        ConnectError: The query is one of Spark Connect; it is stopped at once.
        StreamingQueryException: The query failed for another reason.

    Example:
        >>> import deltasource
        >>> from deltasource.testing import fail_at, run_with_failures
        >>> write = fail_at([0, 2], upsert)  # doctest: +SKIP
        >>> def start():
        ...     orders = deltasource.read_stream(spark, "/tables/orders", max_files=1)
        ...     writer = orders.writeStream.foreachBatch(write).trigger(availableNow=True)
        ...     return writer.option("checkpointLocation", "/checkpoints/c").start()
        >>> assert run_with_failures(start, write).restarts == 2  # doctest: +SKIP
    """
    validate(
        ("start", start, callable(start), START_ALLOWED),
        ("write", write, isinstance(write, FailAt), WRITE_ALLOWED),
    )
    before = write.failed
    while True:
        known = write.failed
        query = _start(start)
        if not _has_failed(query):
            break
        validate(("start", query, write.failed != known, ONE_ALLOWED))
    validate(("start", query, write.was_called, CALLED_ALLOWED))
    validate(("fail_at", write.pending, not write.pending, RUN_ALLOWED))
    failed = write.failed[len(before) :]
    return RecoveryResult(restarts=len(failed), failed=failed, query=query)


@with_keyword_hints
def replay_last_batch(checkpoint: str | os.PathLike[str]) -> int:
    """Make the next start of a query repeat its last batch, as after a crash at its very end.

    It deletes the entry of the batch in the checkpoint's commit log: the state of a query that was
    killed after it had written the batch and before that was recorded. So a test can check that
    the repeated batch adds no rows, with any sink. It should also work over Spark Connect if the
    server uses the same disk, but we have tested it only with classic Spark. The query must have
    ended.

    Args:
        checkpoint: The checkpoint folder, on a local disk.

    Returns:
        The id of the batch that the next start repeats.

    Raises:
        CheckpointError: The checkpoint has no batch, or cannot be read.
        RemotePathError: The path is not local.

    Example:
        >>> from deltasource.testing import replay_last_batch
        >>> replay_last_batch("/checkpoints/copy")  # doctest: +SKIP
        4
    """
    folder = resolve_path(checkpoint, argument="checkpoint")
    batches = Checkpoint(checkpoint)
    planned = batches.planned()
    if planned is not None:
        return planned.id
    done = batches.last_committed()
    if done is None:
        raise CheckpointError(f"{folder} has no batch: run the query once before")
    commits = Path(str(folder)) / "commits"
    for name in (str(done.id), f".{done.id}.crc"):
        (commits / name).unlink(missing_ok=True)
    return done.id


def _start(start: Callable[[], StreamingQuery]) -> StreamingQuery:
    from pyspark.errors import PySparkPicklingError

    try:
        query = start()
    except PySparkPicklingError as error:
        raise ConnectError(REMOTE) from error
    validate(("start", query, hasattr(query, "awaitTermination"), RETURN_ALLOWED))
    if _is_remote(query):
        query.stop()
        raise ConnectError(REMOTE)
    return query


def _is_remote(query: object) -> bool:
    """Whether this is a query of Spark Connect, whose classes need not be installed."""
    return any(one.__module__.startswith(CONNECT) for one in type(query).__mro__)


def _has_failed(query: StreamingQuery) -> bool:
    """Wait until a query has caught up; whether `fail_at` made it fail."""
    from pyspark.errors import StreamingQueryException

    try:
        wait_for_end(query, QueryStopper(), caught_up=True, returned=())
    except StreamingQueryException as error:
        # The exception of a function of foreachBatch is only in the text of Spark's.
        if f"[{InjectedFailure.condition}]" not in str(error):
            raise
        return True
    return False
