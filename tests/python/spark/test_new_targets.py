# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which columns of a stream are refused before the query starts, if its target is new."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

import deltasource
from deltasource import OptionsError
from deltasource._write.column_types import NO_TYPE, PLAIN_NAMES

MAPPED = "spark.databricks.delta.properties.defaults.columnMapping.mode"


@pytest.fixture
def rows(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """Return a stream of the columns id and seq."""
    spark.sql(f"CREATE TABLE delta.`{tmp_path}/s` (id LONG, seq LONG) USING delta")
    spark.sql(f"INSERT INTO delta.`{tmp_path}/s` VALUES (1, 1)")
    return deltasource.read_stream(spark, tmp_path / "s")


@pytest.mark.parametrize(
    ("column", "given"),
    [
        ("NULL", "x void"),
        ("array(NULL)", "x array<void>"),
        ("struct(NULL AS a)", "x struct<a:void>"),
    ],
)
def test_a_column_without_a_type_is_refused(
    column: str, given: str, rows: DataFrame, spark: SparkSession, tmp_path: Path
) -> None:
    """Delta would refuse it with the first batch, also if the table exists."""
    write = partial(
        deltasource.write_stream, rows.withColumn("x", sql.expr(column)), tmp_path / "t"
    )
    with pytest.raises(OptionsError) as error:
        write(checkpoint=tmp_path / "c")
    problem = error.value.problems[0]
    assert (problem.option, problem.given, problem.reason) == ("frame", repr(given), NO_TYPE)
    spark.sql(f"CREATE TABLE delta.`{tmp_path}/t` (id LONG, seq LONG, x STRING) USING delta")
    with pytest.raises(OptionsError, match="no column of the type void"):
        write(checkpoint=tmp_path / "c")


def test_a_field_may_be_called_void(rows: DataFrame, tmp_path: Path) -> None:
    """Spark writes the name of a field before its type."""
    named = rows.withColumn("x", sql.struct(sql.lit(1).alias("void")))
    deltasource.write_stream(
        named, tmp_path / "t", checkpoint=tmp_path / "c", trigger="available_now"
    ).awaitTermination()


def test_a_name_with_a_space_needs_column_mapping(
    rows: DataFrame, spark: SparkSession, tmp_path: Path
) -> None:
    """Delta would refuse it with the first batch. A dot is no problem."""
    spaced = rows.withColumn("a b", sql.lit(1)).withColumn("c.d", sql.lit(1))
    write = partial(
        deltasource.write_stream,
        spaced,
        tmp_path / "t",
        checkpoint=tmp_path / "c",
        trigger="available_now",
    )
    with pytest.raises(OptionsError) as error:
        write()
    assert [(one.given, one.reason) for one in error.value.problems] == [("'a b'", PLAIN_NAMES)]
    assert MAPPED in PLAIN_NAMES
    spark.conf.set(MAPPED, "name")
    try:
        write().awaitTermination()
    finally:
        spark.conf.unset(MAPPED)
    assert "a b" in spark.read.format("delta").load(f"{tmp_path}/t").columns


def test_events_have_the_same_rules(rows: DataFrame, tmp_path: Path) -> None:
    """For the columns that the target keeps."""
    events = rows.withColumn("a b", sql.lit(None))
    apply = partial(
        deltasource.apply_changes,
        events,
        tmp_path / "t",
        keys="id",
        sequence_by="seq",
        checkpoint=tmp_path / "c",
        trigger="available_now",
    )
    with pytest.raises(OptionsError) as error:
        apply()
    assert [one.reason for one in error.value.problems] == [NO_TYPE, PLAIN_NAMES]
    apply(except_column_list="a b").awaitTermination()


def test_a_path_has_no_version(spark: SparkSession, tmp_path: Path) -> None:
    """A stream reads from a version on. Delta's own error does not say how."""
    spark.range(1).write.format("delta").save(f"{tmp_path}/s")
    for version in ("@v0", "@20260101000000000"):
        with pytest.raises(OptionsError, match=r"after @, .*such as start=Version\(7\)"):
            deltasource.read_stream(spark, f"{tmp_path}/s{version}")
