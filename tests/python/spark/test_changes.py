# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Change feeds and schema tracking through the Python functions."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import deltasource
from deltasource import ChangeType, ReadOptions, SchemaTracking, Version

INSERTED = (1, "insert", 1)
UPDATED = [(2, "update_postimage", 2), (2, "update_preimage", 1)]
DELETED = (3, "delete", 2)


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table with a row that was inserted, updated and deleted, in three versions."""
    path = tmp_path_factory.mktemp("changes") / "t"
    key = "delta.enableChangeDataFeed"
    spark.sql(f"CREATE TABLE delta.`{path}` (id LONG) USING delta TBLPROPERTIES ({key} = true)")
    spark.sql(f"INSERT INTO delta.`{path}` VALUES (1)")
    spark.sql(f"UPDATE delta.`{path}` SET id = 2")
    spark.sql(f"DELETE FROM delta.`{path}`")
    return path


def rows(frame: DataFrame) -> list[tuple[int, str, int]]:
    wanted = frame.select("_commit_version", "_change_type", "id").collect()
    return sorted((row[0], row[1], row[2]) for row in wanted)


def copied(spark: SparkSession, frame: DataFrame, folder: Path) -> DataFrame:
    """Run a stream into files until it has caught up; return their rows."""
    writer = frame.writeStream.format("parquet").option("checkpointLocation", f"{folder}/c")
    writer.trigger(availableNow=True).start(f"{folder}/out").awaitTermination()
    return spark.read.schema(frame.schema).parquet(f"{folder}/out")


def test_a_source_is_known_by_its_name(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """If Spark supports source names, the checkpoint has this one."""
    evolution = "spark.sql.streaming.queryEvolution.enableSourceEvolution"
    spark.conf.set(evolution, "true")
    try:
        frame = deltasource.stream_changes(spark, table, source_name="orders")
        copied(spark, frame, tmp_path)
    finally:
        spark.conf.unset(evolution)
    assert [folder.name for folder in (tmp_path / "c" / "sources").iterdir()] == ["orders"]


def test_changes_between_two_versions(spark: SparkSession, table: Path) -> None:
    """Both bounds are included, and without an end the latest version is the last."""
    some = deltasource.read_changes(spark, table, start=Version(1), end=Version(2))
    assert rows(some) == [INSERTED, *UPDATED]
    rest = deltasource.read_changes(spark, table, start=Version(2))
    assert rows(rest) == [*UPDATED, DELETED]


def test_a_stream_of_changes(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """A stream delivers every change of every version, with the three change columns."""
    options = ReadOptions(start=Version(0), max_files=1)
    frame = deltasource.stream_changes(spark, table, options=options)
    assert frame.dtypes[-3:] == [
        ("_change_type", "string"),
        ("_commit_version", "bigint"),
        ("_commit_timestamp", "timestamp"),
    ]
    assert rows(copied(spark, frame, tmp_path)) == [INSERTED, *UPDATED, DELETED]


def test_a_change_type_is_a_string_to_spark(spark: SparkSession, table: Path) -> None:
    """Comparing a column with a change type compares it with the string."""
    frame = deltasource.read_changes(spark, table, start=Version(1))
    assert rows(frame.where(frame["_change_type"] == ChangeType.DELETE)) == [DELETED]


def test_a_tracked_stream_keeps_its_schemas(
    spark: SparkSession, table: Path, tmp_path: Path
) -> None:
    """The schema log is at the configured location."""
    location = f"{tmp_path}/c/schemas"
    options = ReadOptions(
        start=Version(1),
        on_change="skip_commits",
        schema_tracking=SchemaTracking(location=location),
    )
    copied(spark, deltasource.read_stream(spark, table, options=options), tmp_path)
    assert len(deltasource.schema_log(location)) == 1


def test_two_sources_of_one_query_keep_a_log_each(spark: SparkSession, tmp_path: Path) -> None:
    """A query that reads a table twice continues over a schema change in both sources."""
    path, location = tmp_path / "t", f"{tmp_path}/c/schemas"
    spark.sql(f"CREATE TABLE delta.`{path}` (id LONG) USING delta")
    spark.sql(f"INSERT INTO delta.`{path}` VALUES (1)")
    spark.sql(f"ALTER TABLE delta.`{path}` ADD COLUMNS (name STRING)")
    spark.sql(f"INSERT INTO delta.`{path}` VALUES (2, 'b')")

    def both() -> DataFrame:
        frames = [
            deltasource.read_stream(
                spark,
                path,
                options=ReadOptions(
                    start=Version(1),
                    schema_tracking=SchemaTracking(location=location, source_id=name),
                ),
            )
            for name in ("one", "other")
        ]
        return frames[0].unionByName(frames[1], allowMissingColumns=True)

    def run() -> str:
        try:
            copied(spark, both(), tmp_path)
        except StreamingQueryException as error:
            return str(error)
        return ""

    errors = list(takewhile(bool, (run() for _ in range(9))))
    assert errors
    assert all("DELTA_STREAMING_METADATA_EVOLUTION" in error for error in errors)
    out = spark.read.schema(both().schema).parquet(f"{tmp_path}/out")
    assert sorted(row["id"] for row in out.select("id").collect()) == [1, 1, 2, 2]
    assert [len(deltasource.schema_log(log)) for log in logs(location)] == [2, 2]


def logs(location: str) -> list[Path]:
    return sorted(Path(location).iterdir())
