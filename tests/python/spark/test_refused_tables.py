# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is no Delta table is refused when it is read, before a query starts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import deltasource
from deltasource import (
    CommitError,
    NoChangeFeedError,
    OptionsError,
    RemotePathError,
    SchemaLogError,
    SchemaTracking,
    TableError,
    Version,
)


@pytest.fixture
def lines(spark: SparkSession) -> Iterator[str]:
    """A table of the catalog that is not a Delta table."""
    spark.range(3).write.format("parquet").saveAsTable("lines")
    yield "lines"
    spark.sql("DROP TABLE lines")


def reads(spark: SparkSession, table: str | Path) -> tuple[Callable[[], object], ...]:
    """Return a call of each function that reads a table."""
    return (
        partial(deltasource.read_stream, spark, table),
        partial(deltasource.stream_changes, spark, table),
        partial(deltasource.read_changes, spark, table, start=Version(0)),
    )


def test_a_missing_table_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's own error, which does not contain the path, is the cause of ours."""
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "nothing", tmp_path / "empty"):
        for read in reads(spark, path):
            with pytest.raises(TableError, match=f"no Delta table at {path}") as error:
                read()
            assert isinstance(error.value.__cause__, AnalysisException)


def test_a_missing_name_is_named(spark: SparkSession) -> None:
    """Spark's own error does not say that a path has a slash."""
    for read in reads(spark, "nothing"):
        with pytest.raises(TableError, match=r"no table named nothing .* as './nothing'"):
            read()


def test_the_nearest_name_of_another_schema_is_named(spark: SparkSession) -> None:
    """A misspelled schema is looked for as well as a misspelled table."""
    spark.sql("CREATE SCHEMA sales")
    spark.sql("CREATE TABLE sales.orders (id LONG) USING delta")
    try:
        for name in ("sale.orders", "sales.order", "salse.oders"):
            with pytest.raises(TableError, match=r"Did you mean sales\.orders\?"):
                deltasource.read_stream(spark, name)
    finally:
        spark.sql("DROP SCHEMA sales CASCADE")


def test_a_table_of_another_format_is_refused(spark: SparkSession, lines: str) -> None:
    """Spark would read its rows without our source, and a change feed without its columns."""
    for read in reads(spark, lines):
        with pytest.raises(TableError, match="lines is not a Delta table"):
            read()


def test_a_table_without_a_change_feed_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's error comes with the first batch, and does not name the table."""
    table = tmp_path / "t"
    spark.range(3).write.format("delta").save(str(table))
    spark.range(3).write.format("delta").saveAsTable("unfed")
    with pytest.raises(NoChangeFeedError, match=r"unfed has no change feed.* TABLE unfed SET"):
        deltasource.stream_changes(spark, "unfed")
    spark.sql("DROP TABLE unfed")
    for path in (table, f"./{os.path.relpath(table)}"):
        with pytest.raises(NoChangeFeedError, match="has no change feed") as error:
            deltasource.stream_changes(spark, path)
    spark.sql(str(error.value).partition("Turn it on with ")[2].partition(":")[0])
    assert "_change_type" in deltasource.stream_changes(spark, table).columns


def test_commits_without_a_change_feed_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's error comes when the query runs; changes from before the feed was off are read."""
    table = tmp_path / "t"
    spark.range(3).write.format("delta").save(str(table))
    with pytest.raises(NoChangeFeedError, match=f"{table} had no change feed .* ALTER TABLE"):
        deltasource.read_changes(spark, table, start=0)
    with pytest.raises(NoChangeFeedError, match=f"{table} had no change feed"):
        deltasource.net_changes(spark, table, keys=["id"], start=0)
    for value in ("true", "false"):  # versions 1 and 3
        change = f"SET TBLPROPERTIES (delta.enableChangeDataFeed = {value})"
        spark.sql(f"ALTER TABLE delta.`{table}` {change}")
        spark.range(2).write.format("delta").mode("append").save(str(table))
    assert deltasource.read_changes(spark, table, start=1, end=2).count() == 2
    with pytest.raises(NoChangeFeedError, match="had no change feed"):
        deltasource.read_changes(spark, table, start=2)


def test_a_name_with_an_unknown_catalog_is_named(spark: SparkSession) -> None:
    """Spark's own error is about a namespace of its catalog."""
    for name in ("nowhere.s.t", "a.b.c.d"):
        with pytest.raises(TableError, match=rf"no table {name}.* no catalog {name.split('.')[0]}"):
            deltasource.read_stream(spark, name)


def test_a_path_of_windows_is_refused(spark: SparkSession) -> None:
    """Java's own error is about a URI."""
    with pytest.raises(RemotePathError, match=r"cannot open the path: .*Give a path of this"):
        deltasource.read_stream(spark, r"C:\data\x")


def test_a_start_after_the_latest_version_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's own errors do not name the argument."""
    table = tmp_path / "t"
    spark.sql(
        f"CREATE TABLE delta.`{table}` (id LONG) USING delta "
        "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    )
    for start in (99, datetime(2100, 1, 1, tzinfo=timezone.utc)):
        with pytest.raises(OptionsError, match="start must not be after the latest version"):
            deltasource.read_changes(spark, table, start=start)


def test_two_slashes_are_not_three(spark: SparkSession, tmp_path: Path) -> None:
    """Java takes the first folder for a server."""
    with pytest.raises(RemotePathError, match=r"for the name of a server: write file:///"):
        deltasource.read_stream(spark, f"file:/{tmp_path}/t")


def test_a_new_table_needs_a_plain_name(spark: SparkSession, tmp_path: Path) -> None:
    """Quoted, Spark parses the name, but makes no table of it."""
    spark.range(3).write.format("delta").save(str(tmp_path / "t"))
    rows = deltasource.read_stream(spark, tmp_path / "t")
    with pytest.raises(TableError, match="cannot be the name of a new table"):
        deltasource.write_stream(rows, "`my-table`", checkpoint=tmp_path / "c")


def test_a_damaged_schema_log_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's own error names no file."""
    spark.range(3).write.format("delta").save(str(tmp_path / "t"))
    tracking = SchemaTracking(location=tmp_path / "c" / "schemas")
    deltasource.read_stream(spark, tmp_path / "t", schema_tracking=tracking)
    rows = deltasource.read_stream(spark, tmp_path / "t", schema_tracking=tracking)
    query = deltasource.write_stream(
        rows, tmp_path / "k", checkpoint=tmp_path / "c", trigger="available_now"
    )
    query.awaitTermination()
    [entry] = [one for one in (tmp_path / "c" / "schemas").rglob("0") if one.is_file()]
    entry.with_name(".0.crc").unlink(missing_ok=True)
    entry.write_text(entry.read_text()[:-30])
    with pytest.raises(SchemaLogError, match="is damaged"):
        deltasource.read_stream(spark, tmp_path / "t", schema_tracking=tracking)


def test_a_damaged_commit_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """It has the class that `Checkpoint.backlog` raises."""
    table = tmp_path / "t"
    spark.range(3).write.format("delta").save(str(table))
    spark.range(3).write.format("delta").mode("append").save(str(table))
    for file in (table / "_delta_log").glob("*.crc"):
        file.unlink()
    for file in (table / "_delta_log").glob(".*.crc"):
        file.unlink()
    last = table / "_delta_log" / "00000000000000000001.json"
    # The session has cached what it has read.
    shutil.copytree(table, tmp_path / "u")
    last = tmp_path / "u" / "_delta_log" / last.name
    last.write_text(last.read_text()[:-40])
    with pytest.raises(CommitError, match="version 1"):
        deltasource.read_stream(spark, tmp_path / "u")


def test_a_refused_target_is_not_logged(
    spark: SparkSession, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """PySpark logs an error of SQL with the stack of the JVM, even if we catch it."""
    spark.range(3).write.format("delta").save(str(tmp_path / "t"))
    rows = deltasource.read_stream(spark, tmp_path / "t")
    capfd.readouterr()
    query = deltasource.write_stream(
        rows, "made_now", checkpoint=tmp_path / "c", trigger="available_now"
    )
    query.awaitTermination()
    assert spark.table("made_now").count() == 3
    spark.sql("DROP TABLE made_now")
    with pytest.raises(OptionsError):
        deltasource.apply_changes(
            rows,
            tmp_path / "k",
            checkpoint=tmp_path / "d",
            keys=["id"],
            sequence_by="id",
            apply_as_deletes="opp = 'D'",
        )
    assert "QueryContextLogger" not in "".join(capfd.readouterr())


def test_a_view_of_a_delta_stream_is_read(spark: SparkSession, tmp_path: Path) -> None:
    """Only streams without any Delta table are refused."""
    spark.range(3).write.format("delta").save(f"{tmp_path}/t")
    deltasource.read_stream(spark, tmp_path / "t").createOrReplaceTempView("streamed")
    assert deltasource.read_stream(spark, "streamed").columns == ["id"]
