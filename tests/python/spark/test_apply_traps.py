# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What `apply_changes` refuses because rows would be lost or come back without an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OptionsError

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.mark.parametrize("by_name", [False, True])
def test_a_new_target_needs_a_new_checkpoint(
    spark: SparkSession, tmp_path: Path, by_name: bool
) -> None:
    """A new table would lack the events that the checkpoint has applied already."""
    source, target = tmp_path / "events", "lost" if by_name else tmp_path / "target"
    table = "lost" if by_name else f"delta.`{target}`"

    def apply(key: int, checkpoint: str) -> None:
        rows = spark.createDataFrame([(key, 1)], "id INT, seq INT").coalesce(1)
        rows.write.format("delta").mode("append").save(str(source))
        deltasource.apply_changes(
            deltasource.read_stream(spark, source),
            target,
            checkpoint=tmp_path / checkpoint,
            keys=["id"],
            sequence_by="seq",
            trigger="available_now",
        ).awaitTermination()

    def lose() -> None:
        if by_name:
            spark.sql("DROP TABLE lost")
        else:
            (tmp_path / "target").rename(tmp_path / "moved")

    apply(1, "checkpoint")
    lose()
    with pytest.raises(OptionsError, match=r"checkpoint must be new .* batches up to 0 have been"):
        apply(2, "checkpoint")
    assert not (tmp_path / "target").exists()
    assert not spark.catalog.tableExists("lost")
    apply(3, "another")
    assert sorted(row.id for row in spark.sql(f"SELECT id FROM {table}").collect()) == [1, 2, 3]
    spark.sql("DROP TABLE IF EXISTS lost")
