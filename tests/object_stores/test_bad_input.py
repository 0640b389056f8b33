# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stores that refuse or do not answer: each failure is named, in time, and nothing is written."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import QueryExecutionException, StreamingQueryException

import deltasource
from deltasource import Checkpoint, CheckpointError, LogReadError
from object_stores.bad_stores import ALWAYS, BAD_STORES, BadStore, Denied
from object_stores.conftest import hadoop_confs, proxied_confs
from object_stores.fault import Fault, FaultKind
from object_stores.fault_store import FaultyStore
from object_stores.source import Commits
from support.session_confs import session_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SECONDS = 30
"""No test takes a third of this, unless S3A uses its default limits."""

KEY = "bad-input"
UNREAD = f"{KEY}/unread/source"
"""A source whose data file no other test reads: S3A may keep small files that it has read."""
LOG = "DELTASOURCE_LOG_READ_FAILED"
BATCH = "DELTASOURCE_BATCH_WRITE_FAILED"
CHECKPOINT = "DELTASOURCE_CHECKPOINT_FAILED"
UNREADABLE = CheckpointError.condition


@pytest.fixture(scope="module")
def s3_session(
    spark: SparkSession, faulty: FaultyStore, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SparkSession]:
    """Return a session with the settings of the bad stores, and two sources of one commit."""
    commits = Commits(spark, tmp_path_factory.mktemp("commits"), 1)
    for source in (f"{KEY}/source", UNREAD):
        commits.table(faulty.direct, source).append()
    endpoint = faulty.proxied.endpoint
    confs = hadoop_confs(faulty.direct.confs()) | proxied_confs(faulty)
    for bad in BAD_STORES.values():
        confs |= bad.confs(endpoint)
    # S3A raises timeouts below 15 s, except in tests.
    jvm: Any = spark._jvm
    limits = jvm.org.apache.hadoop.fs.s3a.impl.AWSClientConfig
    limits.setMinimumOperationDuration(jvm.java.time.Duration.ZERO)
    with session_confs(spark, confs):
        yield spark
    limits.resetMinimumOperationDuration()


@pytest.fixture
def session(s3_session: SparkSession, faulty: FaultyStore) -> Iterator[SparkSession]:
    """Return the session; the faults of a test end with it."""
    yield s3_session
    faulty.inject(())


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
        (Denied.WRITE, "target", BATCH),
        (Denied.LIST, "checkpoint", CHECKPOINT),
        (Denied.WRITE, "checkpoint", UNREADABLE),
        (Denied.WRITE, "checkpoint/sources/0", CHECKPOINT),
    ],
)
def test_a_permission_that_is_missing_is_named(
    session: SparkSession, faulty: FaultyStore, *, denied: Denied, folder: str, condition: str
) -> None:
    """The error has a condition, the path and the answer of the store; nothing is committed."""
    key = f"{KEY}/{denied.name}-{folder.replace('/', '-')}"
    path = f"{KEY}/source" if folder == "source" else f"{key}/{folder}"
    faulty.inject([denied.fault(path)])
    message = failure(session, folders(faulty, key))
    assert f"[{condition}]" in message
    assert "403" in message
    assert path in message
    assert faulty.direct.get(f"{key}/target/_delta_log/{0:020}.json") is None
    # A query that does not start leaves no checkpoint.
    started = condition == BATCH or folder == "checkpoint/sources/0"
    assert (faulty.direct.get(f"{key}/checkpoint/metadata") is not None) == started


def test_a_data_file_that_may_not_be_read_is_named(
    session: SparkSession, faulty: FaultyStore
) -> None:
    """Spark's own error names the target, which is not to blame."""
    file = f"{UNREAD}/part-"
    faulty.inject([Fault(kind=FaultKind.DENIED, methods=("GET",), part=file, times=ALWAYS)])
    used = {**folders(faulty, f"{KEY}/data"), "source": faulty.proxied.uri(UNREAD)}
    message = failure(session, used)
    assert "[DELTASOURCE_UNREADABLE_DATA_FILE]" in message
    assert "403" in message
    assert file in message


@pytest.mark.parametrize(
    ("folder", "condition", "bad"),
    [
        ("source", LOG, BAD_STORES["missing"]),
        ("source", LOG, BAD_STORES["redirected"]),
        ("target", BATCH, BAD_STORES["missing"]),
        # Here each bad store costs one request, so it fails fastest.
        *(("checkpoint", CHECKPOINT, bad) for bad in BAD_STORES.values()),
    ],
)
def test_a_store_that_cannot_be_used_is_named(
    session: SparkSession, faulty: FaultyStore, bad: BadStore, *, folder: str, condition: str
) -> None:
    """The error has a condition, the path and the words of S3A, and comes in time."""
    key = f"{KEY}/{folder}-{bad.bucket}"
    path = f"s3a://{bad.bucket}/{folder}"
    faulty.inject(bad.faults())
    message = failure(session, {**folders(faulty, key), folder: path})
    assert f"[{condition}]" in message
    assert bad.words in message
    assert path in message
    assert faulty.direct.get(f"{key}/target/_delta_log/{0:020}.json") is None


def test_a_query_that_fails_at_a_restart_goes_on_when_its_stores_are_back(
    session: SparkSession, faulty: FaultyStore
) -> None:
    """A restart that fails changes nothing; Python's own errors have the words of S3A."""
    key = f"{KEY}/restart"
    used = folders(faulty, key)
    run(session, **used)
    checkpoint = Checkpoint(used["checkpoint"], session)
    before = list(checkpoint.batches())
    assert [batch.committed for batch in before] == [True]
    for denied, folder, condition in (
        (Denied.READ, f"{KEY}/source", LOG),
        (Denied.LIST, f"{key}/checkpoint", CHECKPOINT),
    ):
        faulty.inject([denied.fault(folder)])
        assert f"[{condition}]" in failure(session, used)
    bad = BAD_STORES["hanging"]
    faulty.inject(bad.faults())
    with pytest.raises(CheckpointError, match=bad.words):
        Checkpoint(f"s3a://{bad.bucket}/checkpoint", session).planned()
    with pytest.raises(LogReadError, match=bad.words):
        checkpoint.backlog(f"s3a://{bad.bucket}/source")
    faulty.inject(())
    assert list(checkpoint.batches()) == before
    run(session, **used)
    assert checkpoint.backlog(used["source"]).versions == 0


def test_a_file_that_cannot_be_read_is_not_called_damaged(
    session: SparkSession, faulty: FaultyStore
) -> None:
    """The advice is to look at the permissions, and not to restore the file."""
    faulty.direct.put(f"{KEY}/copy/offsets/0", b"v1\n{}\n-")
    faulty.inject([Denied.READ.fault(f"{KEY}/copy/offsets")])
    with pytest.raises(CheckpointError, match=r"offsets/0: .*403.*may read it") as error:
        Checkpoint(faulty.proxied.uri(f"{KEY}/copy"), session).planned()
    assert "estore" not in str(error.value)
