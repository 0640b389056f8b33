# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a target that exists refuses before the query starts, whether there are new rows or not."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import deltasource
from deltasource import OptionsError

Write = Callable[..., None]


@pytest.fixture
def write(spark: SparkSession, tmp_path: Path) -> Write:
    """Return a function that writes a stream of one row until it has ended.

    Its columns are id, day and `a.b`, without those that are dropped.
    """
    spark.sql(f"CREATE TABLE delta.`{tmp_path}/s` (id LONG, day STRING) USING delta")
    spark.sql(f"INSERT INTO delta.`{tmp_path}/s` VALUES (1, 'Monday')")
    number = iter(range(100))

    def write(target: str | Path, *dropped: str, **arguments: Any) -> None:
        rows = deltasource.read_stream(spark, tmp_path / "s").withColumn("a.b", sql.col("day"))
        deltasource.write_stream(
            rows.drop(*dropped),
            target,
            checkpoint=tmp_path / f"c{next(number)}",
            trigger="available_now",
            **arguments,
        ).awaitTermination()

    return write


def create(spark: SparkSession, target: Path, columns: str, clause: str = "") -> None:
    """Create an empty table."""
    spark.sql(f"CREATE TABLE delta.`{target}` ({columns}) USING delta {clause}")


def count(spark: SparkSession, target: Path) -> int:
    """Return the number of rows of a table."""
    return spark.read.format("delta").load(str(target)).count()


def test_the_partition_columns_must_be_those_of_the_table(
    spark: SparkSession, write: Write, tmp_path: Path
) -> None:
    """They may be left out; their case does not matter, but their order does."""
    columns = "id LONG, `Day` STRING, `a.b` STRING"
    create(spark, tmp_path / "by", columns, "PARTITIONED BY (`Day`, `a.b`)")
    create(spark, tmp_path / "flat", columns, "CLUSTER BY (id)")
    write(tmp_path / "by")
    write(tmp_path / "by", partition_by=["day", "a.b"])
    assert count(spark, tmp_path / "by") == 2
    for wrong in (["id"], ["a.b", "Day"], ["Day"]):
        with pytest.raises(
            OptionsError, match=r"partition_by must be left out or \['Day', 'a\.b'\]"
        ):
            write(tmp_path / "by", partition_by=wrong)
    with pytest.raises(OptionsError, match="partition_by must be left out: the table exists"):
        write(tmp_path / "flat", partition_by=["day"])
    write(tmp_path / "new", "a.b", partition_by=["day"])


def test_new_columns_need_merge_schema(
    spark: SparkSession, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are listed; the conf of Delta that merges schemas counts, too."""
    relative = f"./{os.path.relpath(tmp_path)}/t"
    # Spark's working folder stays where it is.
    monkeypatch.chdir(tmp_path)
    create(spark, tmp_path / "t", "ID LONG, other INT")
    spark.sql(f"CREATE TABLE delta.`{tmp_path}/empty` USING delta")
    for target in (tmp_path / "t", relative, f"file:{tmp_path}/t"):
        with pytest.raises(
            OptionsError, match=r"merge_schema must be True .*: day, a\.b; or leave"
        ):
            write(target)
    with pytest.raises(OptionsError, match=r"merge_schema must be True .*: id, day, a\.b; or"):
        write(tmp_path / "empty")
    write(tmp_path / "t", "day", "a.b")
    spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", True)
    try:
        write(tmp_path / "t", "a.b")
    finally:
        spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")
    write(tmp_path / "t", "a.b", merge_schema=True)
    assert count(spark, tmp_path / "t") == 3


def test_the_types_must_fit_those_of_the_table(
    spark: SparkSession, write: Write, tmp_path: Path
) -> None:
    """Delta would refuse them with the first batch; it converts a number to text, say."""
    create(spark, tmp_path / "t", "ID STRING, day BOOLEAN, `a.b` ARRAY<STRING>")
    with pytest.raises(OptionsError) as error:
        write(tmp_path / "t")
    assert [(one.option, one.given) for one in error.value.problems] == [
        ("frame", "'day string'"),
        ("frame", "'a.b string'"),
    ]
    assert "whose column has the type boolean: convert this one with `cast`" in str(error.value)
    write(tmp_path / "t", "day", "a.b")
    assert count(spark, tmp_path / "t") == 1


def test_a_schema_that_is_overwritten_may_differ(spark: SparkSession, tmp_path: Path) -> None:
    """In complete mode, each batch replaces the rows, and then also the columns if it may."""
    create(spark, tmp_path / "s", "id LONG, day STRING")
    spark.sql(f"INSERT INTO delta.`{tmp_path}/s` VALUES (1, 'Monday')")
    create(spark, tmp_path / "t", "id LONG, other INT", "PARTITIONED BY (id)")
    counted = deltasource.read_stream(spark, tmp_path / "s").groupBy("day").count()
    start = partial(
        deltasource.write_stream,
        counted,
        tmp_path / "t",
        checkpoint=tmp_path / "c",
        trigger="available_now",
        mode="complete",
    )
    with pytest.raises(OptionsError, match=r"merge_schema must be True .*: day, count; or"):
        start()
    start(overwrite_schema=True).awaitTermination()
    assert spark.read.format("delta").load(f"{tmp_path}/t").columns == ["day", "count"]


def test_column_mapping_may_have_any_names(
    spark: SparkSession, write: Write, tmp_path: Path
) -> None:
    """Also one that begins like a heading of Spark's description."""
    mapped = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"
    create(spark, tmp_path / "t", "`# of items` INT, id LONG, day STRING, `a.b` STRING", mapped)
    write(tmp_path / "t")
    assert count(spark, tmp_path / "t") == 1


def test_a_target_of_apply_changes_is_not_written_without_it(
    spark: SparkSession, write: Write, tmp_path: Path
) -> None:
    """A property says so, by which a path and a name are recognized; the error removes it."""
    clause = (
        "TBLPROPERTIES ('deltasource.applyChanges.keys' = 'id BIGINT', "
        "'deltasource.applyChanges.forgottenUntil' = '1')"
    )
    create(spark, tmp_path / "applied", "id LONG, day STRING", clause)
    spark.sql(f"CREATE TABLE applied (id LONG, day STRING) USING delta {clause}")
    refused = partial(pytest.raises, OptionsError, match="must not be a target of apply_changes")
    try:
        for target in (tmp_path / "applied", "`default`.applied", "spark_catalog.default.applied"):
            with refused():
                write(target, "a.b")
        with refused() as error:
            write("applied", "a.b")
        unset = str(error.value).partition("ALTER TABLE ... ")[2].partition(")")[0] + ")"
        spark.sql(f"ALTER TABLE applied {unset}")
        write("applied", "a.b")
        assert spark.table("applied").count() == 1
    finally:
        spark.sql("DROP TABLE applied")


def test_settings_must_be_those_of_earlier_calls(spark: SparkSession, tmp_path: Path) -> None:
    """All that differ are reported together, before there is an event."""
    mapped = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"
    columns = "id LONG, `by, url` STRING, token DECIMAL(9,2), seq LONG"
    for name in ("s", "{t}", "named"):
        create(spark, tmp_path / name, columns, mapped)
    spark.sql(f"INSERT INTO delta.`{tmp_path}/s` VALUES (1, 'a', 0, 5)")
    number = iter(range(9))

    def apply(name: str, *keys: str, **arguments: Any) -> None:
        deltasource.apply_changes(
            deltasource.read_stream(spark, tmp_path / "s"),
            tmp_path / name,
            checkpoint=tmp_path / f"c{next(number)}",
            trigger="available_now",
            keys=keys,
            **arguments,
        ).awaitTermination()

    apply("{t}", "id", "seq", sequence_by=["token"])
    with pytest.raises(OptionsError) as error:
        apply("{t}", "id", sequence_by=["seq", "token"], stored_as_scd_type=2)
    problems = [problem.option for problem in error.value.problems]
    assert problems == ["stored_as_scd_type", "keys", "sequence_by"]
    assert "keys must be id BIGINT, seq BIGINT, as before" in str(error.value)
    apply("{t}", "ID", "seq", sequence_by="token")
    apply("named", "by, url", "token", sequence_by="seq")
    apply("named", "by, url", "token", sequence_by="seq")
    with pytest.raises(OptionsError, match="sequence_by must be seq, as before"):
        apply("named", "by, url", "token", sequence_by="id")


def test_changes_need_the_columns_of_the_target(spark: SparkSession, tmp_path: Path) -> None:
    """Those that it keeps, and their types: Delta would refuse them with the first batch."""
    create(spark, tmp_path / "s", "id LONG, place STRING, note STRING, seq LONG")
    create(spark, tmp_path / "t", "id LONG, place BOOLEAN, __SEQUENCE LONG")
    apply = partial(
        deltasource.apply_changes,
        deltasource.read_stream(spark, tmp_path / "s"),
        tmp_path / "t",
        keys="id",
        sequence_by="seq",
        trigger="available_now",
    )
    with pytest.raises(OptionsError) as error:
        apply(checkpoint=tmp_path / "c0")
    found = [(one.option, one.reason.partition(": ")[2][:9]) for one in error.value.problems]
    assert found == [("changes", "convert t"), ("merge_schema", "note, seq")]
    kept = ["id", "note"]
    apply(checkpoint=tmp_path / "c1", column_list=kept, merge_schema=True).awaitTermination()


def test_a_damaged_target_is_left_to_the_query(
    spark: SparkSession, write: Write, tmp_path: Path
) -> None:
    """Its error names the file."""
    create(spark, tmp_path / "t", "id LONG, day STRING, `a.b` STRING")
    log = tmp_path / "t" / "_delta_log"
    for file in log.iterdir():
        if file.suffix == ".crc":
            file.unlink()
    commit = log / f"{0:020}.json"
    commit.write_text(commit.read_text()[:-20])
    jvm: Any = spark._jvm
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    with pytest.raises(StreamingQueryException, match="DELTASOURCE_UNREADABLE_COMMIT"):
        write(tmp_path / "t")
