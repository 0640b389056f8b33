# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Monitoring streams of a real session, and running one through a schema change."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import deltasource
from deltasource import (
    Progress,
    QueryFailed,
    ReadOptions,
    SchemaChange,
    SchemaChangeError,
    SchemaTracking,
    json_lines,
    monitor,
    read_events,
    run_until,
)


def test_a_stream_is_monitored_through_a_schema_change(spark: SparkSession, tmp_path: Path) -> None:
    """Each batch of each run is recorded, for ended queries and a running one."""
    table, checkpoint = tmp_path / "t", tmp_path / "c"
    spark.sql(f"CREATE TABLE delta.`{table}` (id LONG) USING delta")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (1)")
    tracking = SchemaTracking(location=f"{checkpoint}/schemas")

    def start(folder: str = "out") -> StreamingQuery:
        frame = deltasource.read_stream(spark, table, options=ReadOptions(schema_tracking=tracking))
        writer = frame.writeStream.format("parquet").queryName("copy")
        return writer.option("checkpointLocation", str(checkpoint)).start(f"{tmp_path}/{folder}")

    with monitor(spark, json_lines(tmp_path / "p.jsonl")) as seen:
        first = run_until(start)
        spark.sql(f"ALTER TABLE delta.`{table}` ADD COLUMNS (name STRING)")
        spark.sql(f"INSERT INTO delta.`{table}` VALUES (2, 'b')")
        second = run_until(start, location=tracking.location, allow={"added"})
        query = start()
        spark.sql(f"INSERT INTO delta.`{table}` VALUES (3, 'c')")
        query.processAllAvailable()
    query.stop()

    assert (first.ending, first.restarts) == ("caught_up", 0)
    assert (second.ending, list(map(str, second.changes))) == (
        "caught_up",
        ["added: name (string)"],
    )
    out = spark.read.schema("id LONG, name STRING").parquet(f"{tmp_path}/out")
    assert sorted(map(tuple, out.collect())) == [(1, None), (2, "b"), (3, "c")]
    batches = seen["copy"]
    assert [one.batch_id for one in batches] == sorted(one.batch_id for one in batches)
    assert sum(one.rows for one in batches) == 3
    assert {one.run_id for one in batches} >= {str(first.query.runId), str(query.runId)}
    assert {one.description for one in batches[0].sources.values()} == {
        f"DeltaSource[file:{table}]"
    }
    events = list(read_events(tmp_path / "p.jsonl"))
    assert [one for one in events if isinstance(one, Progress)] == list(batches)
    evolved = [one.condition for one in events if isinstance(one, QueryFailed)]
    assert evolved == ["DELTA_STREAMING_METADATA_EVOLUTION"]


def test_a_rename_is_acknowledged_by_the_run_that_allows_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta blocks the stream until then; the run lists the change, and leaves no conf behind."""
    table, checkpoint = tmp_path / "t", tmp_path / "c"
    mapped = "TBLPROPERTIES (delta.columnMapping.mode = 'name')"
    spark.sql(f"CREATE TABLE delta.`{table}` (id LONG, a STRING) USING delta {mapped}")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (1, 'x')")
    tracking = SchemaTracking(location=checkpoint / "schemas")

    def start() -> StreamingQuery:
        frame = deltasource.read_stream(spark, table, schema_tracking=tracking)
        writer = frame.writeStream.format("parquet").option("checkpointLocation", str(checkpoint))
        return writer.start(f"{tmp_path}/out")

    run_until(start)
    spark.sql(f"ALTER TABLE delta.`{table}` RENAME COLUMN a TO b")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (2, 'y')")
    renamed = (SchemaChange("renamed", "b", "a", "b"),)
    for allow in ({"added"}, {"added"}, None):
        with pytest.raises(SchemaChangeError, match="renamed: a -> b") as error:
            run_until(start, location=tracking.location, allow=allow)  # type: ignore[arg-type] # drawn
        assert error.value.changes == renamed
    # The line in the error, and the run, each continue.
    result = run_until(start, location=tracking.location, allow={"renamed"})
    assert (result.ending, result.changes) == ("caught_up", renamed)
    out = spark.read.parquet(f"{tmp_path}/out")
    assert out.count() == 2
    # Delta asks at every start, also after the rename was read, until a later change is recorded.
    with pytest.raises(SchemaChangeError, match="does not start before that is acknowledged"):
        run_until(start, location=tracking.location)
    spark.sql(f"ALTER TABLE delta.`{table}` ADD COLUMNS (c STRING)")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (3, 'z', 'c')")
    run_until(start, location=tracking.location, allow={"renamed", "added"})
    result = run_until(start, location=tracking.location)
    assert (result.ending, result.changes) == ("caught_up", ())
    settings = spark.sql("SET").collect()
    assert not [row["key"] for row in settings if "allowSourceColumn" in row["key"]]


def test_a_rename_that_delta_does_not_ask_about_is_refused_before_it_is_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta merges it into the entry before it if no data lies between; `allow` decides anyway."""
    table, checkpoint = tmp_path / "t", tmp_path / "c"
    spark.sql(f"CREATE TABLE delta.`{table}` USING delta AS SELECT 1L AS id, 'x' AS a")
    mapped = "SET TBLPROPERTIES (delta.columnMapping.mode = 'name')"
    spark.sql(f"ALTER TABLE delta.`{table}` {mapped}")
    tracking = SchemaTracking(location=checkpoint / "schemas")

    def start(tracking: SchemaTracking = tracking) -> StreamingQuery:
        frame = deltasource.read_stream(spark, table, schema_tracking=tracking)
        writer = frame.writeStream.format("parquet").option("checkpointLocation", str(checkpoint))
        return writer.start(f"{tmp_path}/out")

    run_until(start)
    spark.sql(f"ALTER TABLE delta.`{table}` RENAME COLUMN a TO b")
    spark.sql(f"INSERT INTO delta.`{table}` VALUES (2, 'y')")
    renamed = (SchemaChange("renamed", "b", "a", "b"),)
    # The second run meets an entry that is recorded already.
    for _ in range(2):
        with pytest.raises(SchemaChangeError, match="renamed: a -> b, which `allow`") as error:
            run_until(start, location=tracking.location, allow={"added"})
        assert error.value.changes == renamed
    assert spark.read.parquet(f"{tmp_path}/out").columns == ["id", "a"]
    acknowledged = SchemaTracking(location=checkpoint / "schemas", allow_rename=2)
    result = run_until(lambda: start(acknowledged), location=tracking.location, allow={"added"})
    assert result.ending == "caught_up"
    # The stream has read past the rename: nothing is asked any more.
    run_until(start, location=tracking.location, allow={"added"})
    assert spark.read.parquet(f"{tmp_path}/out").count() == 2
