# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One S3 server for all tests of the run, and the session of the run with its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from object_stores.fault_runs import CONFS, FaultRuns
from object_stores.fault_store import FaultyStore, faulty_store
from object_stores.source import Commits
from object_stores.store import ObjectStore, local_store
from support.session_confs import session_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ObjectStore]:
    """Return an object store; each test uses keys of its own."""
    with local_store(tmp_path_factory.mktemp("object-store")) as store:
        yield store


@pytest.fixture
def s3_spark(spark: SparkSession, store: ObjectStore) -> Iterator[SparkSession]:
    """Return the session of the run, with the confs of the store."""
    with session_confs(spark, hadoop_confs(store.confs())):
        yield spark


@pytest.fixture(scope="session")
def faulty(store: ObjectStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultyStore]:
    """Return a bucket behind a proxy."""
    with faulty_store(store, tmp_path_factory.mktemp("proxy")) as found:
        yield found


@pytest.fixture
def runs(s3_spark: SparkSession, faulty: FaultyStore, tmp_path: Path) -> Iterator[FaultRuns]:
    """Return what runs schedules; S3A sends the requests of this bucket to the proxy."""
    with session_confs(s3_spark, proxied_confs(faulty)):
        yield FaultRuns(s3_spark, faulty, Commits(s3_spark, tmp_path / "commits", 4))


def proxied_confs(faulty: FaultyStore) -> dict[str, str]:
    """Return the confs with which the requests of the faulty bucket are sent to the proxy."""
    confs = hadoop_confs(CONFS)
    del confs["spark.master"], confs["spark.delta.logStore.s3a.impl"]
    return {**confs, f"fs.s3a.bucket.{faulty.proxied.bucket}.endpoint": faulty.proxied.endpoint}


def hadoop_confs(confs: Mapping[str, str]) -> dict[str, str]:
    """Return the confs as a session takes them."""
    return {key.removeprefix("spark.hadoop."): value for key, value in confs.items()}
