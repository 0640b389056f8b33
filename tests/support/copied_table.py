# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table that a query copies, with its checkpoint next to both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import deltasource

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def append(spark: SparkSession, table: Path) -> None:
    """Append a row to a table."""
    spark.range(1).coalesce(1).write.format("delta").mode("append").save(str(table))


def copied(spark: SparkSession, folder: Path) -> None:
    """Copy `t` to `copy` with the checkpoint `c` until it has caught up."""
    query = deltasource.write_stream(
        deltasource.read_stream(spark, folder / "t"),
        folder / "copy",
        checkpoint=folder / "c",
        trigger="available_now",
    )
    query.awaitTermination()
