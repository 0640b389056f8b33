# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The target of a query that has written before must have its batches."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OtherTargetError
from deltasource._session.own_confs import FAIL_ON_OTHER_TARGET
from support.copied_table import append, copied
from support.session_confs import session_confs


def test_the_target_of_a_used_checkpoint_must_exist(spark: SparkSession, tmp_path: Path) -> None:
    """A new table would lack the batches that are done; after the table is restored, it works."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    shutil.move(tmp_path / "copy", tmp_path / "moved")
    append(spark, tmp_path / "t")
    with pytest.raises(
        OtherTargetError, match=r"c has written its batches up to 0, but .*copy does"
    ):
        copied(spark, tmp_path)
    assert not (tmp_path / "copy").exists()
    shutil.move(tmp_path / "moved", tmp_path / "copy")
    copied(spark, tmp_path)
    assert spark.read.format("delta").load(str(tmp_path / "copy")).count() == 2


def test_the_target_of_a_used_checkpoint_has_its_batches(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The sink refuses the next rows; the call also does so if there are none."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    copied(spark, tmp_path)
    shutil.rmtree(tmp_path / "copy")
    append(spark, tmp_path / "copy")
    with pytest.raises(OtherTargetError, match=r"up to 0, but .*/copy has none of"):
        copied(spark, tmp_path)
    with session_confs(spark, {FAIL_ON_OTHER_TARGET: "false"}):
        copied(spark, tmp_path)
    # The record of a query that is idle for longer may have been dropped.
    spark.sql(
        f"ALTER TABLE delta.`{tmp_path}/copy` "
        "SET TBLPROPERTIES (delta.setTransactionRetentionDuration = 'interval 30 days')"
    )
    copied(spark, tmp_path)


def test_an_older_copy_of_the_target_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """It lacks the rows of the latest batches, which the query would not deliver again."""
    for _ in range(3):
        append(spark, tmp_path / "t")
        copied(spark, tmp_path)
        if not (tmp_path / "older").exists():
            shutil.copytree(tmp_path / "copy", tmp_path / "older")
    shutil.rmtree(tmp_path / "copy")
    shutil.move(tmp_path / "older", tmp_path / "copy")
    jvm: Any = spark._jvm
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    with pytest.raises(OtherTargetError, match=r"up to 2, but .*/copy has them only up to 0\."):
        copied(spark, tmp_path)


def test_a_target_that_each_batch_replaces_needs_no_earlier_batches(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The next batch has all rows."""

    def counted() -> None:
        rows = deltasource.read_stream(spark, tmp_path / "t").groupBy("id").count()
        deltasource.write_stream(
            rows,
            tmp_path / "counts",
            checkpoint=tmp_path / "c",
            mode="complete",
            trigger="available_now",
        ).awaitTermination()

    append(spark, tmp_path / "t")
    counted()
    shutil.rmtree(tmp_path / "counts")
    spark.sql(f"CREATE TABLE delta.`{tmp_path}/counts` (id LONG, count LONG) USING delta")
    counted()
    append(spark, tmp_path / "t")
    counted()
    assert spark.read.format("delta").load(f"{tmp_path}/counts").first() == (0, 2)
