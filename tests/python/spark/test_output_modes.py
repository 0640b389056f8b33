# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Output modes that Spark refuses: its own errors name no argument."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OptionsError


def test_a_mode_that_does_not_fit_the_query_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """An aggregation without a watermark needs complete, and any other query append."""
    spark.range(3).write.format("delta").save(f"{tmp_path}/s")
    rows = deltasource.read_stream(spark, tmp_path / "s")
    with pytest.raises(
        OptionsError, match=r"mode must be \"complete\".*apply_changes.*, got 'append'"
    ):
        deltasource.write_stream(
            rows.groupBy("id").count(), tmp_path / "t", checkpoint=tmp_path / "c"
        )
    with pytest.raises(OptionsError, match=r"mode must be \"append\".*, got 'complete'"):
        deltasource.write_stream(rows, tmp_path / "t", checkpoint=tmp_path / "c", mode="complete")
