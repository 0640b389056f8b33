# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""All of Delta works in a session built by `configure`, with only our jar."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast, get_args

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import deltasource
from deltasource import Latest, OnChange, ReadOptions, Time, Version, WriteOptions
from deltasource._session import conf, jvm


def ids(frame: DataFrame) -> list[int]:
    return sorted(row["id"] for row in frame.collect())


def append(spark: SparkSession, path: Path, *numbers: int) -> None:
    rows = spark.createDataFrame([(number,) for number in numbers], "id long")
    rows.coalesce(1).write.format("delta").mode("append").save(str(path))


def three_commits(spark: SparkSession, path: Path) -> Path:
    """Make a table of three commits, with one row in each."""
    for number in range(3):
        append(spark, path, number)
    return path


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a read-only table, in a path with a space."""
    return three_commits(spark, tmp_path_factory.mktemp("a table") / "t")


def follow(frame: DataFrame, folder: Path) -> StreamingQuery:
    """Run a stream into files until it has caught up."""
    writer = frame.writeStream.format("parquet").option(
        "checkpointLocation", f"{folder}/checkpoint"
    )
    query = writer.trigger(availableNow=True).start(f"{folder}/out")
    query.awaitTermination()
    return query


def streamed(spark: SparkSession, frame: DataFrame, folder: Path) -> list[int]:
    follow(frame, folder)
    return ids(spark.read.schema("id long").parquet(f"{folder}/out"))


def test_batch_write_and_read(spark: SparkSession, table: Path) -> None:
    """Rows written in batches are read back."""
    assert ids(spark.read.format("delta").load(str(table))) == [0, 1, 2]


def test_time_travel(spark: SparkSession, table: Path) -> None:
    """An earlier version can be read."""
    assert ids(spark.read.format("delta").option("versionAsOf", 1).load(str(table))) == [0, 1]


def test_sql_create_merge_optimize(spark: SparkSession) -> None:
    """A table created in SQL supports MERGE and OPTIMIZE."""
    spark.sql("CREATE TABLE people (id LONG, name STRING) USING delta")
    try:
        spark.sql("INSERT INTO people VALUES (1, 'a'), (2, 'b')")
        spark.sql(
            "MERGE INTO people t USING (SELECT 2L AS id, 'B' AS name UNION ALL SELECT 3L, 'c') s "
            "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        )
        spark.sql("OPTIMIZE people")
        rows = spark.table("people").orderBy("id").collect()
        assert [tuple(row) for row in rows] == [(1, "a"), (2, "B"), (3, "c")]
    finally:
        spark.sql("DROP TABLE people")


def test_change_feed_in_batch(spark: SparkSession, tmp_path: Path) -> None:
    """The change feed of a table is read in a batch."""
    path = tmp_path / "t"
    key = "delta.enableChangeDataFeed"
    spark.sql(f"CREATE TABLE delta.`{path}` (id LONG) USING delta TBLPROPERTIES ({key} = true)")
    append(spark, path, 1)
    spark.sql(f"DELETE FROM delta.`{path}`")
    feed = spark.read.format("delta").option("readChangeFeed", True).option("startingVersion", 0)
    changes = feed.load(str(path)).orderBy("_commit_version").collect()
    assert [row["_change_type"] for row in changes] == ["insert", "delete"]


def test_a_stream_from_a_path(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """A string with a slash is read as a path."""
    assert streamed(spark, deltasource.read_stream(spark, str(table)), tmp_path) == [0, 1, 2]


def test_a_stream_from_a_path_object(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """A path object is read as a path."""
    assert streamed(spark, deltasource.read_stream(spark, table), tmp_path) == [0, 1, 2]


def test_a_stream_from_a_catalog_table(spark: SparkSession, tmp_path: Path) -> None:
    """Another string is read as a catalog table, with the options."""
    spark.sql("CREATE TABLE numbers (id LONG) USING delta")
    try:
        for number in range(3):
            spark.sql(f"INSERT INTO numbers VALUES ({number})")
        frame = deltasource.read_stream(spark, "numbers", options=ReadOptions(start=Version(2)))
        assert streamed(spark, frame, tmp_path) == [1, 2]
    finally:
        spark.sql("DROP TABLE numbers")


def test_limits_reach_the_source(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """With a limit of one file, each file is a batch."""
    frame = deltasource.read_stream(spark, table, options=ReadOptions(max_files=1))
    batches = [batch["numInputRows"] for batch in follow(frame, tmp_path).recentProgress]
    assert [rows for rows in batches if rows] == [1, 1, 1]


def test_a_size_limit_reaches_the_source(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """With a limit of one byte, each batch still reads one file."""
    frame = deltasource.read_stream(spark, table, options=ReadOptions(max_bytes="1b"))
    batches = [batch["numInputRows"] for batch in follow(frame, tmp_path).recentProgress]
    assert [rows for rows in batches if rows] == [1, 1, 1]


def test_a_stream_from_latest(spark: SparkSession, tmp_path: Path) -> None:
    """`Latest` skips the rows that exist when the stream starts."""
    table = three_commits(spark, tmp_path / "t")
    frame = deltasource.read_stream(spark, table, options=ReadOptions(start=Latest()))
    writer = frame.writeStream.format("parquet").option("checkpointLocation", f"{tmp_path}/c")
    query = writer.start(f"{tmp_path}/out")
    try:
        query.processAllAvailable()
        append(spark, table, 7)
        query.processAllAvailable()
    finally:
        query.stop()
    assert ids(spark.read.schema("id long").parquet(f"{tmp_path}/out")) == [7]


def test_a_time_is_the_same_instant_in_any_session_zone(
    spark: SparkSession, tmp_path: Path
) -> None:
    """The first commit at or after the instant is read first, in New York as well."""
    assert spark.conf.get("spark.sql.session.timeZone") == "America/New_York"
    table = tmp_path / "t"
    for version in range(3):
        append(spark, table, version)
        # Delta takes the time of a commit from its file.
        stamp = datetime(2026, 1, 1, version, tzinfo=timezone.utc).timestamp()
        os.utime(table / "_delta_log" / f"{version:020}.json", (stamp, stamp))
    at = datetime(2026, 1, 1, 3, tzinfo=timezone(timedelta(hours=2)))
    frame = deltasource.read_stream(spark, table, options=ReadOptions(start=Time(at)))
    assert streamed(spark, frame, tmp_path) == [1, 2]


def test_on_change_decides_what_happens_at_a_delete(spark: SparkSession, tmp_path: Path) -> None:
    """A commit that removes rows fails a stream, unless an option allows it."""
    table = three_commits(spark, tmp_path / "t")
    spark.sql(f"DELETE FROM delta.`{table}` WHERE id = 0")
    changes: tuple[OnChange, ...] = get_args(OnChange)
    for change in changes:
        options = ReadOptions(start=Version(0), on_change=change)
        frame = deltasource.read_stream(spark, table, options=options)
        if change == "fail":
            with pytest.raises(StreamingQueryException, match="DELTA_SOURCE_IGNORE_DELETE"):
                follow(frame, tmp_path / change)
        else:
            assert streamed(spark, frame, tmp_path / change) == [0, 1, 2]


def test_excluded_files_are_left_out(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """The expression is a Java one: this one is invalid in Python."""
    options = ReadOptions(exclude_regex=r"\p{IsAlphabetic}++\.parquet$")
    assert streamed(spark, deltasource.read_stream(spark, table, options=options), tmp_path) == []


def test_a_stream_is_written_into_a_table(spark: SparkSession, table: Path, tmp_path: Path) -> None:
    """A stream is written to a path or a catalog table, and its user metadata to the commit."""
    options = WriteOptions(merge_schema=True, user_metadata="mine")
    for target in (tmp_path / "copy", "copied"):
        query = deltasource.write_stream(
            deltasource.read_stream(spark, table),
            target,
            checkpoint=tmp_path / f"checkpoint-{Path(target).name}",
            options=options,
            trigger="available_now",
        )
        query.awaitTermination()
    try:
        assert ids(spark.table("copied")) == [0, 1, 2]
    finally:
        spark.sql("DROP TABLE copied")
    assert ids(spark.read.format("delta").load(f"{tmp_path}/copy")) == [0, 1, 2]
    [commit, *_] = spark.sql(f"DESCRIBE HISTORY delta.`{tmp_path}/copy`").collect()
    assert commit["userMetadata"] == "mine"


def test_the_classes_come_from_our_jar(spark: SparkSession) -> None:
    """The doctor finds both classes in this package's jar, and no other Delta."""
    report = deltasource.doctor(spark)
    rows = {row.check: row for row in report.rows}
    assert report.ok, str(report)
    assert [row.status for row in report.rows] == ["ok"] * len(report.rows), str(report)
    jar = str(deltasource.jar_path())
    assert rows["DeltaSource"].found.startswith(jar)
    assert rows["DeltaDataSource"].found.startswith(jar)
    assert rows["other Delta"].found == "none"
    assert json.loads(json.dumps(report.to_dict()))["ok"]


def test_the_guard_adds_nothing_when_nothing_is_wrong(spark: SparkSession) -> None:
    """A session with the right jar has no rule of the guard."""
    session = jvm.classic_session(spark)
    assert session is not None
    analyzer = cast(Any, spark)._jsparkSession.sessionState().analyzer()
    assert conf.GUARD in session.started_with()[conf.EXTENSIONS]
    assert "io.github.deltasource" not in analyzer.hintResolutionRules().mkString(",")


def test_configuring_again_is_quiet(spark: SparkSession) -> None:
    """A notebook cell that runs again returns the running session."""
    assert deltasource.configure(SparkSession.builder).getOrCreate() is spark
