# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Fixtures of all Python tests: the Spark session and the repository's folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from support.build import LOCAL_FILES
from support.class_data import CONFIGURED, java_options
from support.java_names import look_up_once
from support.session_confs import INTERPRETED, session_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[1]

# By default, workers run the first python3 on the PATH, which may be another one.
os.environ["PYSPARK_PYTHON"] = sys.executable

# For every JVM that a test starts. The tests run new code most of the time: optimising it takes
# longer than it saves. A collector with threads of its own would slow the other worker down.
# With one compiler the default code cache is 48 MB, which a long run fills.
JAVA = ("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC")
os.environ.setdefault("JDK_JAVA_OPTIONS", java_options(*JAVA, archive=CONFIGURED))
# The end of the class path of every Spark that a test starts.
os.environ.setdefault("SPARK_DIST_CLASSPATH", str(LOCAL_FILES))

# Workers take files in this order; a slow file that is started last keeps the other worker waiting.
SLOW = (
    *("parity/test_parity.py", "packaging", "crashes", "soak", "python/spark", "docs", "tools"),
    *("object_stores", "parity"),
)


# An example's duration depends on the load of the machine.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of slow files and folders first."""

    def rank(item: pytest.Item) -> int:
        path = item.path.relative_to(ROOT / "tests").as_posix()
        return next((rank for rank, slow in enumerate(SLOW) if path.startswith(slow)), len(SLOW))

    items.sort(key=rank)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Return the session of the whole run, built as a user builds it."""
    from pyspark.sql import SparkSession

    import deltasource
    from object_stores.store import connector

    look_up_once()
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("deltasource tests")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "2")
        # The tasks of a VACUUM: 10,000 by default, which take a minute.
        .config("spark.sql.sources.parallelPartitionDiscovery.parallelism", "2")
        .config("spark.sql.session.timeZone", "America/New_York")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        # For the tests with an object store.
        .config("spark.jars", ",".join(map(str, connector())))
    )
    session = deltasource.configure(builder).getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def interpreted(spark: SparkSession) -> Iterator[None]:
    """Interpret the queries of a file whose batches take longer to compile than to run.

    Not for all files: only a compiled query enforces that a column is NOT NULL.
    """
    with session_confs(spark, INTERPRETED):
        yield
