# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A new query does not start after the latest commit of its table."""

from __future__ import annotations

import shutil
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OptionsError
from deltasource.testing import TableHistory

MAY_WAIT = "spark.databricks.delta.changeDataFeed.timestampOutOfRange.enabled"


@pytest.fixture
def table(spark: SparkSession, tmp_path: Path) -> Path:
    """A table with the versions 0 and 1 and a change feed."""
    history = TableHistory().create("id LONG", properties={"delta.enableChangeDataFeed": "true"})
    history.append([(1,)]).apply(spark, tmp_path / "t")
    return tmp_path / "t"


def copied(spark: SparkSession, table: Path, start: int | datetime) -> Any:
    """Copy the table next to it, from this version on."""
    rows = deltasource.read_stream(spark, table, start=start)
    checkpoint = table.parent / "checkpoint"
    target = table.parent / "copy"
    query = deltasource.write_stream(rows, target, checkpoint=checkpoint, trigger="available_now")
    query.awaitTermination()
    return query.lastProgress


def test_a_start_after_the_end_is_refused(spark: SparkSession, table: Path) -> None:
    """Also the next version, which the error says how to wait for. Nothing is written."""
    said = rf"start must be a version that exists: the latest version of \S*{table} is 1\. .*latest"
    with pytest.raises(OptionsError, match=said):
        copied(spark, table, start=2)
    feed = deltasource.stream_changes(spark, table, start=7)
    apply = partial(deltasource.apply_changes, feed, keys="id", checkpoint=table.parent / "c")
    with pytest.raises(OptionsError, match=said):
        apply(table.parent / "copy")
    assert sorted(one.name for one in table.parent.iterdir()) == ["t"]


def test_a_time_after_the_end_is_refused(spark: SparkSession, table: Path) -> None:
    """Delta has no commit at it; the latest commit itself is one."""
    said = r"start must not be after the latest commit of \S*t, which is of 20"
    with pytest.raises(OptionsError, match=said):
        copied(spark, table, start=datetime(2090, 1, 1, tzinfo=timezone.utc))
    log = table / "_delta_log" / f"{1:020}.json"
    at = datetime.fromtimestamp(log.stat().st_mtime_ns // 1_000_000 / 1000, timezone.utc)
    assert copied(spark, table, start=at).numInputRows == 1


def test_the_latest_commit_counts(spark: SparkSession, table: Path) -> None:
    """Although the stream was defined before it, and another process has made it."""
    rows = deltasource.read_stream(spark, table, start=2)
    log = table / "_delta_log"
    shutil.copy(log / f"{1:020}.json", log / f"{2:020}.json")
    query = deltasource.write_stream(
        rows, table.parent / "copy", checkpoint=table.parent / "c", trigger="available_now"
    )
    query.awaitTermination()
    progress: Any = query.lastProgress
    assert progress.numInputRows == 1


def test_a_checkpoint_with_a_batch_has_its_own_start(spark: SparkSession, table: Path) -> None:
    """As in Delta, which ignores the option from the third batch on."""
    for start in (0, 0, 9):
        assert copied(spark, table, start=start).numInputRows == 1
        TableHistory().append([(2,)]).apply(spark, table)


def test_a_stream_that_may_wait_for_its_start_is_not_refused(
    spark: SparkSession, table: Path
) -> None:
    """Delta has a conf for it."""
    spark.conf.set(MAY_WAIT, "true")
    try:
        copied(spark, table, start=2)
    finally:
        spark.conf.unset(MAY_WAIT)


def test_confs_of_ours_are_checked_at_the_call(spark: SparkSession, table: Path) -> None:
    """Spark takes any name."""
    spark.conf.set("spark.deltasource.log.reuze", "true")
    try:
        with pytest.raises(OptionsError, match=r"did you mean spark\.deltasource\.log\.reuse\?"):
            copied(spark, table, start=0)
    finally:
        spark.conf.unset("spark.deltasource.log.reuze")
