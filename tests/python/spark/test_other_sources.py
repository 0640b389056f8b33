# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Streams that read other sources besides Delta tables."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import SparkSession

import deltasource


def test_other_sources_than_tables_have_offsets_of_their_own(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Those of Kafka or of the source rate, say, are not damaged ones of a table."""
    spark.range(1).write.format("delta").save(f"{tmp_path}/t")
    rate = spark.readStream.format("rate").load().selectExpr("value AS id").where("id < 0")
    both = deltasource.read_stream(spark, tmp_path / "t").union(rate)
    for _ in range(2):
        deltasource.write_stream(
            both, tmp_path / "copy", checkpoint=tmp_path / "c", trigger="available_now"
        ).awaitTermination()
    assert spark.read.format("delta").load(str(tmp_path / "copy")).count() == 1
