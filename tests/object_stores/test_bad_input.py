# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stores that refuse or do not answer: each failure is named and ends in time; nothing is written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import QueryExecutionException, StreamingQueryException

import deltasource
from deltasource import Checkpoint, CheckpointError, LogReadError
from object_stores.bad_stores import BAD_STORES, BadStore, Denied
from object_stores.conftest import session_confs
from object_stores.fault_runs import FaultRuns
from object_stores.fault_store import FaultyStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SECONDS = 30
"""No test takes a third of this, unless S3A uses its default limits."""

KEY = "bad-input"
LOG = "DELTASOURCE_LOG_READ_FAILED"
BATCH = "DELTASOURCE_BATCH_WRITE_FAILED"
CHECKPOINT = "DELTASOURCE_CHECKPOINT_FAILED"
UNREADABLE = CheckpointError.condition


@pytest.fixture
def session(s3_spark: SparkSession, runs: FaultRuns, faulty: FaultyStore) -> Iterator[SparkSession]:
    """Return a session with a source of two commits, and the settings of the bad stores."""
    runs.source(f"{KEY}/source").append(2)
    confs = {
        key: value
        for bad in BAD_STORES
        for key, value in bad.confs(faulty.proxied.endpoint).items()
    }
    # S3A raises timeouts below 15 s, except in tests.
    client: Any = s3_spark._jvm
    limits = client.org.apache.hadoop.fs.s3a.impl.AWSClientConfig
    limits.setMinimumOperationDuration(client.java.time.Duration.ZERO)
    with session_confs(s3_spark, confs):
        yield s3_spark
    faulty.inject(())
    limits.resetMinimumOperationDuration()


def run(session: SparkSession, source: str, target: str, checkpoint: str) -> None:
    """Run a stream until all of the source is written."""
    frame = deltasource.read_stream(session, source)
    query = deltasource.write_stream(frame, target, checkpoint=checkpoint, trigger="available_now")
    try:
        query.awaitTermination()
    finally:
        query.stop()


def failure(session: SparkSession, folders: dict[str, str]) -> str:
    """Return the message of a run that fails, in time."""
    started = time.monotonic()
    with pytest.raises(
        (QueryExecutionException, StreamingQueryException, CheckpointError)
    ) as error:
        run(session, **folders)
    assert time.monotonic() - started < SECONDS
    return str(error.value)


def folders(store: FaultyStore, key: str) -> dict[str, str]:
    """The source, and a target and a checkpoint that are not there yet."""
    uri = store.proxied.uri
    return {
        "source": uri(f"{KEY}/source"),
        "target": uri(f"{key}/target"),
        "checkpoint": uri(f"{key}/checkpoint"),
    }


@pytest.mark.parametrize(
    ("denied", "folder", "condition"),
    [
        (Denied.LIST, "source", LOG),
        (Denied.READ, "source", LOG),
        (Denied.LIST, "target", BATCH),
        (Denied.READ, "target", BATCH),
        (Denied.WRITE, "target", BATCH),
        (Denied.LIST, "checkpoint", CHECKPOINT),
        (Denied.READ, "checkpoint", CHECKPOINT),
        (Denied.READ, "checkpoint/sources/0", CHECKPOINT),
        (Denied.WRITE, "checkpoint/sources/0", CHECKPOINT),
        (Denied.WRITE, "checkpoint", UNREADABLE),
    ],
)
def test_a_permission_that_is_missing_is_named(
    session: SparkSession, faulty: FaultyStore, *, denied: Denied, folder: str, condition: str
) -> None:
    """The error has a condition, the path and the answer of the store; nothing is committed."""
    key = f"{KEY}/{denied.name} {folder.replace('/', ' ')}"
    used = folders(faulty, key)
    path = f"{KEY}/source" if folder == "source" else f"{key}/{folder}"
    faulty.inject([denied.fault(path)])
    message = failure(session, used)
    assert f"[{condition}]" in message
    assert "403" in message
    assert path in message
    assert faulty.direct.get(f"{key}/target/_delta_log/{0:020}.json") is None
    # A start that fails leaves the checkpoint as it was.
    started = condition == BATCH or folder.startswith("checkpoint/")
    assert (faulty.direct.get(f"{key}/checkpoint/metadata") is not None) == started


@pytest.mark.parametrize("bad", BAD_STORES, ids=lambda bad: bad.bucket)
@pytest.mark.parametrize(
    ("folder", "condition"), [("source", LOG), ("target", BATCH), ("checkpoint", CHECKPOINT)]
)
def test_a_store_that_cannot_be_used_is_named(
    session: SparkSession, faulty: FaultyStore, bad: BadStore, *, folder: str, condition: str
) -> None:
    """The error has a condition, the path and the words of S3A, and comes in time."""
    key = f"{KEY}/{bad.bucket} {folder}"
    path = f"s3a://{bad.bucket}/{folder}"
    faulty.inject(bad.faults())
    message = failure(session, {**folders(faulty, key), folder: path})
    assert f"[{condition}]" in message
    assert bad.words in message
    assert path in message
    assert faulty.direct.get(f"{key}/target/_delta_log/{0:020}.json") is None


def test_a_query_whose_permission_is_taken_away_goes_on_when_it_is_back(
    session: SparkSession, faulty: FaultyStore
) -> None:
    """A restart without permission fails by name, and loses nothing."""
    key = f"{KEY}/restart"
    used = folders(faulty, key)
    run(session, **used)
    checkpoint = Checkpoint(used["checkpoint"], session)
    before = list(checkpoint.batches())
    assert [batch.committed for batch in before] == [True]
    for denied, folder, condition in (
        (Denied.LIST, f"{KEY}/source", LOG),
        (Denied.LIST, f"{key}/checkpoint", CHECKPOINT),
    ):
        faulty.inject([denied.fault(folder)])
        assert f"[{condition}]" in failure(session, used)
    faulty.inject(())
    assert list(checkpoint.batches()) == before
    run(session, **used)
    assert checkpoint.backlog(used["source"]).versions == 0


@pytest.mark.parametrize("bad", BAD_STORES, ids=lambda bad: bad.bucket)
def test_a_checkpoint_and_a_backlog_that_cannot_be_read_are_named(
    session: SparkSession, faulty: FaultyStore, bad: BadStore
) -> None:
    """Python raises its own errors, with the words of S3A."""
    used = folders(faulty, f"{KEY}/python {bad.bucket}")
    run(session, **used)
    faulty.inject(bad.faults())
    with pytest.raises(CheckpointError, match=bad.words):
        Checkpoint(f"s3a://{bad.bucket}/checkpoint", session).planned()
    with pytest.raises(LogReadError, match=bad.words):
        Checkpoint(used["checkpoint"], session).backlog(f"s3a://{bad.bucket}/source")
