# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is no Delta table is refused when it is read, before a query starts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

import deltasource
from deltasource import TableError, Version


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


def test_a_view_of_a_delta_stream_is_read(spark: SparkSession, tmp_path: Path) -> None:
    """Only streams without any Delta table are refused."""
    spark.range(3).write.format("delta").save(f"{tmp_path}/t")
    deltasource.read_stream(spark, tmp_path / "t").createOrReplaceTempView("streamed")
    assert deltasource.read_stream(spark, "streamed").columns == ["id"]
