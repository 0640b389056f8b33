# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checkpoints on a file system that only a session can read; Hadoop's viewfs is the example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import (
    Checkpoint,
    CheckpointError,
    CommitError,
    DeltaSourceError,
    ReadOptions,
    RemotePathError,
    SchemaLogError,
    SchemaTracking,
    StartError,
    TableError,
    schema_log,
)
from support.checkpoint_samples import TABLE, checkpoint, offset, put, table, tracked

LOG = f"_schema_log_{TABLE}"
NOW = datetime.fromtimestamp(2000, timezone.utc)


@pytest.fixture
def remote(spark: SparkSession, tmp_path: Path) -> Iterator[str]:
    """Return a URI of the test's folder that only the session can resolve."""
    settings = {
        "fs.viewfs.mounttable.there.link./data": tmp_path.as_uri(),
        # Otherwise the URI keeps resolving to the folder of the first test.
        "fs.viewfs.impl.disable.cache": "true",
    }
    for key, value in settings.items():
        spark.conf.set(key, value)
    yield "viewfs://there/data"
    for key in settings:
        spark.conf.unset(key)


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """Return a checkpoint with two committed batches, a planned one and a tracked schema."""
    folder = checkpoint(tmp_path / "c d", *map(offset, range(1, 4)), done=[0, 1])
    put(folder / "schemas" / LOG, "0", tracked(0, id="long"))
    for checksum in folder.rglob(".*.crc"):
        # The samples' checksums are wrong, and Hadoop verifies them.
        checksum.unlink()
    return folder


def test_a_remote_folder_reads_like_the_local_one(
    spark: SparkSession, remote: str, local: Path, tmp_path: Path
) -> None:
    """Batches, schemas and backlog do not depend on how they are read."""
    table(tmp_path / "t", [1, 2], [10], [100, 200], [5])
    here, there = Checkpoint(local), Checkpoint(f"{remote}/c d", spark)
    assert there.path == f"{remote}/c d"
    assert list(there.batches()) == list(here.batches())
    assert (there.planned(), there.last_committed()) == (here.planned(), here.last_committed())
    assert there.schema_log() == here.schema_log() != []
    assert there.schema_log(f"{remote}/c d/schemas") == here.schema_log()
    assert schema_log(f"{remote}/c d/schemas/{LOG}", spark=spark) == here.schema_log()
    behind = here.backlog(tmp_path / "t", now=NOW)
    assert there.backlog(f"{remote}/t", now=NOW) == behind
    assert behind.versions == 2
    # A path object is always local.
    assert there.backlog(tmp_path / "t", now=NOW) == behind


def test_a_remote_stream_reads_like_a_local_one(spark: SparkSession, remote: str) -> None:
    """Table, checkpoint and schema log may all be where only the session can read."""
    spark.range(3).write.format("delta").save(f"{remote}/t")
    tracking = SchemaTracking(location=f"{remote}/c/schemas")
    frame = deltasource.read_stream(
        spark, f"{remote}/t", options=ReadOptions(schema_tracking=tracking)
    )
    run = deltasource.run_until(
        lambda: deltasource.write_stream(frame, f"{remote}/copy", checkpoint=f"{remote}/c"),
        location=f"{remote}/c/schemas",
        spark=spark,
    )
    assert run.changes == ()
    there = Checkpoint(f"{remote}/c", spark)
    # The first batch is committed: the start is no longer stored.
    assert there.starts() == {}
    assert [entry.version for entry in there.schema_log()] == [0]
    assert there.backlog(f"{remote}/t").versions == 0


@pytest.mark.parametrize("path", ["nowhere://b/c", "viewfs://unknown/c", "s3a:b:c", "file:a b:/c"])
def test_a_path_the_session_cannot_read_is_refused(spark: SparkSession, path: str) -> None:
    """It is refused when the checkpoint is opened, with the file system's message."""
    with pytest.raises(RemotePathError, match="this session cannot read "):
        Checkpoint(path, spark)


def batches(read: Checkpoint, _: str) -> object:
    return list(read.batches())


def starts(read: Checkpoint, _: str) -> object:
    return read.starts()


def schemas(read: Checkpoint, _: str) -> object:
    return read.schema_log()


def schemas_in(read: Checkpoint, place: str) -> object:
    return read.schema_log(place)


def backlog(read: Checkpoint, place: str) -> object:
    return read.backlog(place.partition("/_delta_log")[0])


@pytest.mark.parametrize(
    ("broken", "question", "kind"),
    [
        ("nowhere", batches, CheckpointError),
        ("c d/offsets/1", batches, CheckpointError),
        ("c d/sources/0/start", starts, StartError),
        ("c d/schemas/" + LOG + "/0", schemas, SchemaLogError),
        ("nothing", schemas_in, CheckpointError),
        ("nothing", backlog, TableError),
        (
            f"t/_delta_log/{3:020}.json",
            backlog,
            CommitError,
        ),
    ],
)
def test_remote_damage_has_the_errors_of_a_local_folder(
    spark: SparkSession,
    remote: str,
    local: Path,
    tmp_path: Path,
    *,
    broken: str,
    question: Callable[[Checkpoint, str], object],
    kind: type[DeltaSourceError],
) -> None:
    """Truncated and missing files raise the errors of a local folder, with the URI."""
    table(tmp_path / "t", [1, 2], [10], [100, 200], [5])
    if broken == "nowhere":
        read = Checkpoint(f"{remote}/nowhere", spark)
    else:
        read = Checkpoint(f"{remote}/{local.name}", spark)
        if broken != "nothing":
            (tmp_path / broken).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / broken).write_bytes(b"\xff{")
    with pytest.raises(kind, match=f"{remote}/{broken}"):
        question(read, f"{remote}/{broken}")
