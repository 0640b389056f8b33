# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What all Python tests share: the one session, and the folders of the repository."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[1]

# Spark starts whatever python3 is first on the PATH, which need not be this one.
os.environ["PYSPARK_PYTHON"] = sys.executable


# How long an example takes says how busy the machine is.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def root() -> Path:
    """Answer the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Answer the one session of the run, made as a user makes it."""
    from pyspark.sql import SparkSession

    import deltasource

    builder = (
        SparkSession.builder.master("local[2]")
        .appName("deltasource tests")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "2")
        .config("spark.sql.session.timeZone", "America/New_York")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    )
    session = deltasource.configure(builder).getOrCreate()
    yield session
    session.stop()
