# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One S3 server for all tests of the run, and the session of the run with its settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from object_stores.store import ObjectStore, local_store

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
    confs = {key.removeprefix("spark.hadoop."): value for key, value in store.confs().items()}
    for key, value in confs.items():
        spark.conf.set(key, value)
    yield spark
    for key in confs:
        spark.conf.unset(key)
