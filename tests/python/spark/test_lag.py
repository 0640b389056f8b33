# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The lag that the source reports, compared with the table and the checkpoint."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import Checkpoint, Lag, Progress, ReadOptions, TableError, Version

FILES = (1, 2, 1)
"""Files in versions 1 to 3; each batch reads one file."""
LEFT = (3, 2, 1, 0)
VERSIONS = (2, 2, 1, 0)


def test_each_batch_reports_the_remaining_lag(spark: SparkSession, tmp_path: Path) -> None:
    """Versions are always counted, files when known, and the last lag equals the checkpoint's."""
    table, checkpoint = tmp_path / "t", tmp_path / "c"
    spark.sql(f"CREATE TABLE delta.`{table}` (id LONG) USING delta")
    for files in FILES:
        frame = spark.range(0, files, 1, numPartitions=files)
        frame.write.format("delta").mode("append").save(str(table))
    options = ReadOptions(start=Version(0), max_files=1)
    orders = deltasource.read_stream(spark, table, options=options)
    writer = orders.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination()

    read = [Progress.of(one) for one in query.recentProgress]
    batches = [one.sources["0"] for one in read if one.rows]
    lags = [one.lag for one in batches if one.lag is not None]
    assert tuple(lag.versions for lag in lags) == VERSIONS
    assert all(lag.files in (left, None) for lag, left in zip(lags, LEFT, strict=True))
    assert [lag.files for lag in lags][-2:] == [1, 0]
    assert all(lag.seconds is not None and lag.seconds > 0 for lag in lags[:-1])
    assert lags[-1] == Lag(versions=0, files=0, bytes=0, seconds=0.0)
    assert [one.closed_by for one in batches] == [*["maxFilesPerTrigger"] * 3, "availableNow"]
    assert all(one.planning_ms is not None for one in batches)
    backlog = Checkpoint(checkpoint).backlog(table)
    assert (backlog.versions, backlog.files, backlog.bytes) == (0, 0, 0)


def test_a_backlog_of_a_table_by_name(spark: SparkSession, tmp_path: Path) -> None:
    """A name means a table of the session, as in `read_stream`."""
    spark.sql(f"CREATE TABLE behind (id LONG) USING delta LOCATION '{tmp_path}/t'")
    try:
        spark.range(3).write.format("delta").mode("append").saveAsTable("behind")
        query = deltasource.write_stream(
            deltasource.read_stream(spark, "behind"),
            tmp_path / "copy",
            checkpoint=tmp_path / "c",
            trigger="available_now",
        )
        query.awaitTermination()
        spark.range(3).write.format("delta").mode("append").saveAsTable("behind")
        checkpoint = Checkpoint(str(tmp_path / "c"), spark)
        now = datetime.now(timezone.utc)
        assert checkpoint.backlog("behind").versions == 1
        assert checkpoint.backlog("behind", now=now) == checkpoint.backlog(f"{tmp_path}/t", now=now)
        with pytest.raises(TableError, match="no Delta table named ahead"):
            checkpoint.backlog("ahead")
    finally:
        spark.sql("DROP TABLE behind")
