# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How many requests a stream sends to S3."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request

import pytest

import deltasource
from deltasource import WriteOptions
from deltasource._read.feed_property import require_enabled
from deltasource._write import existing_target
from object_stores.phases import MANAGER
from object_stores.server import SIGNED
from object_stores.source import ROWS, Commits
from object_stores.store import DIRECT, ObjectStore
from object_stores.store_request import RequestKind, StoreRequest
from support.checkpoint_samples import add, remove
from support.session_confs import session_confs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from deltasource._options.validation import Rule

BUCKET = "counted"
CONFS = {
    # The listings between lookups depend on the time.
    "spark.deltasource.log.listInterval": "1h",
    "spark.sql.streaming.checkpointFileManagerClass": MANAGER,
    # The default, "analytics", keeps what it read for about a second, and then sends no GET.
    f"fs.s3a.bucket.{BUCKET}.input.stream.type": "classic",
}
BATCHES = 3


@pytest.fixture
def session(s3_spark: SparkSession) -> Iterator[SparkSession]:
    with session_confs(s3_spark, CONFS):
        yield s3_spark


@pytest.fixture
def counted(store: ObjectStore) -> ObjectStore:
    """Return a bucket whose GETs do not depend on the time."""
    return store.with_bucket(BUCKET)


def kinds(requests: list[StoreRequest], folder: str) -> Counter[RequestKind]:
    """The requests for all in a folder, by kind."""
    return Counter(one.kind for one in requests if one.key.startswith(f"requests/{folder}/"))


def test_a_steady_stream_sends_few_requests(
    session: SparkSession, counted: ObjectStore, tmp_path: Path
) -> None:
    """From one Delta table to another, idle and with new commits."""
    commits = Commits(session, tmp_path / "source", 2 + BATCHES)
    source = commits.table(counted, "requests/source")
    source.append(2)
    query = (
        session.readStream.format("delta")
        .load(counted.uri("requests/source"))
        .writeStream.format("delta")
        .option("checkpointLocation", counted.uri("requests/checkpoint"))
        .start(counted.uri("requests/target"))
    )
    try:
        # The second call waits for what the first batch leaves to do.
        query.processAllAvailable()
        query.processAllAvailable()
        with counted.recorded() as idle:
            for _ in range(3):
                query.processAllAvailable()
        # Monitoring asks the store for nothing.
        with deltasource.monitor(session), counted.recorded() as busy:
            for _ in range(BATCHES):
                source.append()
                query.processAllAvailable()
        rows = [one.numInputRows for one in query.recentProgress if one.numInputRows > 0]
    finally:
        query.stop()
    assert rows == [2 * ROWS] + [ROWS] * BATCHES
    assert {(one.kind, one.key) for one in idle} == {
        (RequestKind.HEAD_MISSING, "requests/source/_delta_log/00000000000000000002.json")
    }
    # A new commit is found by two HEADs, read, and confirmed by one, as is the commit before it.
    log = kinds(busy, "source/_delta_log")
    assert log[RequestKind.HEAD_FOUND] == 4 * BATCHES
    assert log[RequestKind.GET] == BATCHES
    assert log.keys() == {RequestKind.HEAD_FOUND, RequestKind.HEAD_MISSING, RequestKind.GET}
    # The commit and its checksum file.
    target = kinds(busy, "target/_delta_log")
    assert (target[RequestKind.LIST], target[RequestKind.PUT]) == (0, 2 * BATCHES)
    checkpoint = kinds(busy, "checkpoint")
    assert checkpoint[RequestKind.PUT] == 2 * BATCHES
    assert checkpoint[RequestKind.LIST] <= 2 * BATCHES + 1
    assert RequestKind.COPY not in target.keys() | checkpoint.keys()


def test_what_doctor_and_checkpoint_ask_the_store(
    session: SparkSession, counted: ObjectStore, tmp_path: Path
) -> None:
    """`doctor` asks nothing. A backlog lists each folder it needs once, and reads what it shows."""
    Commits(session, tmp_path / "source", 2).table(counted, "tools/source").append(2)
    checkpoint = counted.uri("tools/checkpoint")
    read = session.readStream.format("delta").load(counted.uri("tools/source"))
    writer = read.writeStream.format("noop").option("checkpointLocation", checkpoint)
    writer.trigger(availableNow=True).start().awaitTermination()
    with counted.recorded() as none:
        deltasource.doctor(session)
    assert none == []
    with counted.recorded() as requests:
        lag = deltasource.Checkpoint(checkpoint, session).backlog(counted.uri("tools/source"))
    assert lag.versions == 0
    # `metadata` says that it is a checkpoint, the commit whether Spark can restart with it, and the
    # checksum file what table it reads.
    assert Counter((one.kind, one.key.removeprefix("tools/")) for one in requests) == {
        (RequestKind.HEAD_FOUND, "checkpoint/metadata"): 1,
        (RequestKind.LIST, "checkpoint/commits/"): 1,
        (RequestKind.HEAD_FOUND, "checkpoint/commits/0"): 1,
        (RequestKind.GET, "checkpoint/commits/0"): 1,
        (RequestKind.LIST, "checkpoint/offsets/"): 1,
        (RequestKind.HEAD_FOUND, "checkpoint/offsets/0"): 1,
        (RequestKind.GET, "checkpoint/offsets/0"): 1,
        (RequestKind.LIST, "source/_delta_log/"): 1,
        (RequestKind.HEAD_FOUND, "source/_delta_log/00000000000000000001.crc"): 1,
        (RequestKind.GET, "source/_delta_log/00000000000000000001.crc"): 1,
    }


def test_a_backlog_looks_for_few_removed_files(
    session: SparkSession, counted: ObjectStore, tmp_path: Path
) -> None:
    """It reads each commit once, and asks for the files that were removed first."""
    table = Commits(session, tmp_path / "source", 1).table(counted, "lost/source")
    table.append()
    checkpoint, source = counted.uri("lost/checkpoint"), counted.uri("lost/source")
    stream = session.readStream.format("delta").load(source)
    writer = stream.writeStream.format("noop").option("checkpointLocation", checkpoint)
    writer.trigger(availableNow=True).start().awaitTermination()
    names = [f"f{number}" for number in range(5)]
    log = "lost/source/_delta_log"
    added = [add(1, path=name) for name in names]
    removed = [remove(name, number) for number, name in enumerate(names)]
    for version, actions in ((1, added), (2, removed)):
        text = "\n".join(map(json.dumps, actions))
        counted.put(f"{log}/{version:020}.json", text.encode())
    # It has the table's metadata. Without it, commits are read for that first.
    checksum = counted.get(f"{log}/{0:020}.crc")
    assert checksum is not None
    counted.put(f"{log}/{2:020}.crc", checksum)
    for name in names[:2]:
        counted.put(f"lost/source/{name}", b"")
    backlog = deltasource.Checkpoint(checkpoint, session).backlog
    with counted.recorded() as requests:
        lag = backlog(source)
    assert (lag.hours_to_data_loss, lag.lost_file) == (0.0, f"{source}/f2")
    data = [one for one in requests if one.key.startswith("lost/source/f")]
    assert Counter((one.kind, one.key) for one in data) == {
        (RequestKind.HEAD_FOUND, "lost/source/f0"): 1,
        (RequestKind.HEAD_FOUND, "lost/source/f1"): 1,
        (RequestKind.HEAD_MISSING, "lost/source/f2"): 1,
        (RequestKind.LIST, "lost/source/f2/"): 1,
    }
    commits = Counter((one.kind, one.key) for one in requests if one.key.endswith(".json"))
    # One HEAD is for the commit's time, the other one is S3A's when it opens the file.
    assert commits == {
        (kind, f"{log}/{version:020}.json"): count
        for kind, count in ((RequestKind.HEAD_FOUND, 2), (RequestKind.GET, 1))
        for version in (1, 2)
    }
    counted.put("lost/source/f2", b"")
    with counted.recorded() as requests:
        assert backlog(source).lost_file is None
    data = [one for one in requests if one.key.startswith("lost/source/f")]
    assert [one.kind for one in data] == [RequestKind.HEAD_FOUND] * 3


def test_requests_that_are_taken_are_forgotten(store: ObjectStore) -> None:
    """So the record of a server that runs for hours does not grow."""
    store.take_recorded()
    listing = Request(f"{store.endpoint}/{store.bucket}?list-type=2", headers=SIGNED)
    with DIRECT.open(listing, timeout=20):
        pass
    assert [request.kind for request in store.take_recorded()] == [RequestKind.LIST]
    assert store.take_recorded() == []


def test_what_a_call_asks_of_a_target_that_exists(
    session: SparkSession, counted: ObjectStore, tmp_path: Path
) -> None:
    """Columns and properties cost two listings, and a look for the folder of the log.

    That the newest commit is whole costs its status and its end.
    """
    for name in ("source", "target"):
        Commits(session, tmp_path / name, 1).table(counted, f"asked/{name}").append(1)
    rows = deltasource.read_stream(session, counted.uri("asked/source"))
    target = counted.uri("asked/target")
    assert existing(rows, target) == []
    with counted.recorded() as requests:
        assert existing(rows, target) == []
    assert Counter((one.kind, one.key) for one in requests) == {
        (RequestKind.LIST, "asked/target/_delta_log/"): 2,
        (RequestKind.HEAD_MISSING, "asked/target/_delta_log"): 1,
        (RequestKind.HEAD_FOUND, f"asked/target/_delta_log/{0:020}.json"): 1,
        (RequestKind.GET, f"asked/target/_delta_log/{0:020}.json"): 1,
    }


def test_the_property_of_the_feed_is_in_the_table_that_is_open(
    session: SparkSession, counted: ObjectStore, tmp_path: Path
) -> None:
    """Looking at it asks nothing more of the store."""
    Commits(session, tmp_path / "unfed", 1).table(counted, "unfed").append(1)
    table = counted.uri("unfed")
    rows = deltasource.read_stream(session, table)
    with counted.recorded() as requests, pytest.raises(deltasource.NoChangeFeedError):
        require_enabled(session, rows, table)
    assert requests == []


def existing(rows: DataFrame, target: str) -> list[Rule]:
    """Return the broken rules of a target that exists."""
    return [rule for rule in existing_target.rules(rows, target, WriteOptions()) if not rule[2]]
