# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The folders of the tables that a stream reads, as a session knows them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import CheckpointError, MissingCommitError, OptionsError, SchemaTracking


def test_a_stream_is_not_written_into_a_table_that_it_reads(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The tables are found in the plan: by path and by name, below joins and filters."""
    source, named = tmp_path / "t", tmp_path / "named"
    feed = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    spark.sql(f"CREATE TABLE delta.`{source}` (id LONG) USING delta {feed}")
    spark.sql(f"CREATE TABLE read_here (id LONG) USING delta LOCATION '{named}'")
    try:
        by_path = deltasource.read_stream(spark, source).where("id > 1")
        both = by_path.union(deltasource.read_stream(spark, "read_here"))
        changed = deltasource.stream_changes(spark, source)
        for frame, target in ((by_path, source), (both, f"file:{named}/"), (changed, source)):
            with pytest.raises(OptionsError, match="must not be a table that the stream reads"):
                deltasource.write_stream(frame, target, checkpoint=tmp_path / "c")
        with pytest.raises(OptionsError, match=f"must not be in the table {source}"):
            deltasource.write_stream(both, tmp_path / "out", checkpoint=source / "c")
        rate = spark.readStream.format("rate").load()
        with pytest.raises(OptionsError, match="must not be in the table"):
            deltasource.write_stream(rate, tmp_path / "out", checkpoint=tmp_path / "out" / "c")
    finally:
        spark.sql("DROP TABLE read_here")
    assert not (tmp_path / "c").exists()


def test_schemas_are_recorded_only_in_the_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    """Delta refuses another folder; here the error names the argument and a folder."""
    source = tmp_path / "tracked"
    spark.range(3).coalesce(1).write.format("delta").save(str(source))
    tracking = SchemaTracking(location=tmp_path / "elsewhere")
    rows = deltasource.read_stream(spark, source, schema_tracking=tracking)
    with pytest.raises(OptionsError, match=r"in the checkpoint, such as .*/c/schemas"):
        deltasource.write_stream(rows, tmp_path / "out", checkpoint=tmp_path / "c")


def test_two_streams_of_a_query_do_not_share_a_log_of_schemas(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta refuses it; here the error says what to give."""
    source = tmp_path / "tracked"
    spark.range(3).coalesce(1).write.format("delta").save(str(source))
    tracking = SchemaTracking(location=tmp_path / "c" / "schemas")
    once, again = (
        deltasource.read_stream(spark, source, schema_tracking=tracking) for _ in range(2)
    )
    with pytest.raises(OptionsError, match="must differ between two streams of one table"):
        deltasource.write_stream(once.union(again), tmp_path / "out", checkpoint=tmp_path / "c")


def test_a_table_is_not_opened_if_its_log_lacks_a_commit(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta cannot open it, whatever `fail_on_data_loss` says; the error names the file."""
    source = tmp_path / "gap"
    for _ in range(4):
        spark.range(1).coalesce(1).write.format("delta").mode("append").save(str(source))
    copy = tmp_path / "copy"
    shutil.copytree(source, copy)
    for file in (copy / "_delta_log").iterdir():
        if file.suffix == ".crc" or file.name == "00000000000000000002.json":
            file.unlink()
    for read in (deltasource.read_stream, deltasource.stream_changes):
        with pytest.raises(MissingCommitError, match=r"no 0+2\.json between") as one:
            read(spark, copy, fail_on_data_loss=False)
        assert str(copy) in str(one.value)
    truncated = tmp_path / "truncated"
    shutil.copytree(source, truncated)
    (truncated / "_delta_log" / f"{0:020}.json").unlink()
    with pytest.raises(MissingCommitError, match=r"has neither 0{20}\.json nor a later checkpoint"):
        deltasource.read_stream(spark, truncated)


def test_a_damaged_id_of_a_query_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's own error is a JSON parser's, without the file."""
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "metadata").write_text("x")
    rate = spark.readStream.format("rate").load()
    with pytest.raises(CheckpointError, match=r"c/metadata is damaged\. It has the id of the q"):
        deltasource.write_stream(rate, tmp_path / "out", checkpoint=tmp_path / "c")
