# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is no Delta table is refused when it is read, before a query starts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import deltasource
from deltasource import OptionsError, RemotePathError, TableError, Version


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
    with pytest.raises(TableError, match=r"unfed has no change feed.* ALTER TABLE unfed SET"):
        deltasource.stream_changes(spark, "unfed")
    spark.sql("DROP TABLE unfed")
    for path in (table, f"./{os.path.relpath(table)}"):
        with pytest.raises(TableError, match="has no change feed") as error:
            deltasource.stream_changes(spark, path)
    spark.sql(str(error.value).partition("Turn it on with ")[2].partition(":")[0])
    assert "_change_type" in deltasource.stream_changes(spark, table).columns


def test_a_name_with_an_unknown_catalog_is_named(spark: SparkSession) -> None:
    """Spark's own error is about a namespace of its catalog."""
    for name in ("nowhere.s.t", "a.b.c.d"):
        with pytest.raises(TableError, match=rf"no table {name}.* no catalog {name.split('.')[0]}"):
            deltasource.read_stream(spark, name)


def test_a_path_of_windows_is_refused(spark: SparkSession) -> None:
    """Java's own error is about a URI."""
    with pytest.raises(RemotePathError, match=r"cannot open the path: .*Give a path of this"):
        deltasource.read_stream(spark, r"C:\data\x")


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
