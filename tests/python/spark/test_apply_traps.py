# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What `apply_changes` refuses because rows would be lost or come back without an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OtherTargetError

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
    with pytest.raises(OtherTargetError, match=r"has written its batches up to 0, but .* does not"):
        apply(2, "checkpoint")
    assert not (tmp_path / "target").exists()
    assert not spark.catalog.tableExists("lost")
    apply(3, "another")
    assert sorted(row.id for row in spark.sql(f"SELECT id FROM {table}").collect()) == [1, 2, 3]
    spark.sql("DROP TABLE IF EXISTS lost")


def test_a_history_goes_on_with_other_columns(spark: SparkSession, tmp_path: Path) -> None:
    """New columns and fields are added; those that are gone keep their values in old periods.

    The state has events with the columns of their time: the second one of each key, which changes
    nothing.
    """
    source, target = tmp_path / "events", tmp_path / "target"

    def apply(*events: str) -> None:
        rows = spark.sql(" UNION ALL ".join(f"SELECT {event}" for event in events)).coalesce(1)
        rows.write.format("delta").mode("append").option("mergeSchema", True).save(str(source))
        changes = spark.readStream.format("delta").load(str(source)).select(rows.columns)
        deltasource.apply_changes(
            changes,
            target,
            checkpoint=tmp_path / "checkpoint",
            keys=["id"],
            sequence_by="seq",
            except_column_list=["seq"],
            stored_as_scd_type=2,
            merge_schema=True,
            trigger="available_now",
        ).awaitTermination()

    def history() -> list[tuple[object, ...]]:
        rows = spark.read.format("delta").load(str(target)).orderBy("__START_AT")
        return [tuple(row.asDict(recursive=True).values()) for row in rows.collect()]

    apply(
        "1 AS id, named_struct('a', 1) AS at, 'x' AS old, 5 AS seq",
        "1 AS id, named_struct('a', 1) AS at, 'x' AS old, 10 AS seq",
    )
    assert history() == [(1, {"a": 1}, "x", 5, None)]
    # A late event cuts the period: the event of 10, from the state, has neither b nor new.
    apply("1 AS id, named_struct('a', 1, 'b', 2) AS at, 'x' AS old, 7 AS seq, 'n' AS new")
    assert history() == [
        (1, {"a": 1, "b": None}, "x", 5, 7, None),
        (1, {"a": 1, "b": 2}, "x", 7, 10, "n"),
        (1, {"a": 1, "b": None}, "x", 10, None, None),
    ]
    # Now "old" is gone. The first event continues the last period, the second one ends it.
    apply(
        "1 AS id, named_struct('a', 1, 'b', INT(NULL)) AS at, 15 AS seq, STRING(NULL) AS new",
        "1 AS id, named_struct('a', 3, 'b', 4) AS at, 20 AS seq, 'm' AS new",
    )
    assert history()[2:] == [
        (1, {"a": 1, "b": None}, "x", 10, 20, None),
        (1, {"a": 3, "b": 4}, None, 20, None, "m"),
    ]
