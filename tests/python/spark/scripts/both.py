# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Use each function that takes a session, and print the results.

Called with a folder. With SPARK_REMOTE in the environment it uses a Spark Connect session, without
it a classic one.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

import deltasource
from deltasource import (
    ChangeType,
    Event,
    Progress,
    QueryFailed,
    QueryIdle,
    ReadOptions,
    SchemaTracking,
    Version,
    WriteOptions,
    json_lines,
    monitor,
    read_events,
    run_until,
)
from tried import small, tried

FEED = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"

folder = Path(sys.argv[1])
table, copy = folder / "t", folder / "copy"
if "SPARK_REMOTE" in os.environ:
    spark = SparkSession.builder.getOrCreate()
else:
    spark = deltasource.configure(small()).getOrCreate()


def sql(text: str) -> DataFrame:
    return spark.sql(text)


def numbers(frame: DataFrame) -> list[int]:
    return sorted(row["id"] for row in frame.select("id").collect())


def changes(frame: DataFrame) -> list[tuple[Any, ...]]:
    wanted = frame.select("_commit_version", "_change_type", "id").collect()
    return sorted(tuple(row) for row in wanted)


def copied(frame: DataFrame, name: str, **options: Any) -> DataFrame:
    """Write a stream into a table until it has caught up; return the table's rows."""
    query = deltasource.write_stream(
        frame, folder / name, checkpoint=folder / f"{name}-c", trigger="available_now", **options
    )
    query.awaitTermination()
    return spark.read.format("delta").load(f"{folder / name}")


def ended(frame: DataFrame, name: str) -> None:
    """Run a stream as PySpark does, without what `write_stream` checks."""
    writer = frame.writeStream.format("noop").option("checkpointLocation", f"{folder}/{name}-c")
    writer.trigger(availableNow=True).start().awaitTermination()


def read(start: Version, **options: Any) -> DataFrame:
    return deltasource.read_stream(spark, table, options=ReadOptions(start=start, **options))


def evolve() -> StreamingQuery:
    """Start a stream with schema tracking, whose table gets a new column."""
    tracking = SchemaTracking(location=f"{folder}/evolved-c/schemas")
    frame = deltasource.read_stream(spark, table, options=ReadOptions(schema_tracking=tracking))
    return deltasource.write_stream(
        frame,
        folder / "evolved",
        checkpoint=folder / "evolved-c",
        options=WriteOptions(merge_schema=True),
    )


answer: dict[str, Any] = {"attach": tried(lambda: deltasource.attach(spark))}

sql(f"CREATE TABLE delta.`{table}` (id LONG) USING delta {FEED}")
for number in range(3):
    sql(f"INSERT INTO delta.`{table}` VALUES ({number})")
with monitor(spark, json_lines(folder / "p.jsonl")) as seen:
    whole = deltasource.read_stream(spark, table, options=ReadOptions(max_files=1))
    answer["streamed"] = numbers(copied(whole, "copy"))
[history] = seen.values()
sources = [batch.sources["0"] for batch in history]
answer["rows seen"] = [source.rows for source in sources if source.rows]
answer["snapshot read"] = [source.snapshot_percent for source in sources if source.rows]
answer["closed by"] = [source.closed_by for source in sources if source.rows]
events = list(read_events(folder / "p.jsonl"))
answer["written"] = [one for one in events if isinstance(one, Progress)] == list(history)
ends = [one for one in events if not isinstance(one, Progress | QueryIdle)]
answer["started and ended"] = [type(one).__name__ for one in ends]

sql(f"INSERT INTO delta.`{table}` VALUES (3)")
answer["gone on"] = numbers(copied(deltasource.read_stream(spark, table), "copy"))
answer["from a version"] = numbers(copied(read(Version(3), exclude_regex="nothing"), "late"))

sql(f"UPDATE delta.`{table}` SET id = 30 WHERE id = 3")
feed = deltasource.stream_changes(spark, table, options=ReadOptions(start=Version(4)))
fed = feed.withColumnsRenamed({name: name[1:] for name in feed.columns if name.startswith("_")})
kept = copied(fed, "fed").select("commit_version", "change_type", "id").collect()
answer["changes streamed"] = sorted(tuple(row) for row in kept)
some = deltasource.read_changes(spark, table, start=Version(4), end=Version(5))
answer["changes read"] = changes(some)
net = deltasource.net_changes(spark, table, keys=["id"], start=Version(4))
answer["net changes"] = [tuple(row) for row in net.collect()]
applying = deltasource.apply_changes(
    feed,
    "applied",
    checkpoint=folder / "applied-c",
    keys=["id"],
    apply_as_deletes=f.col("id") < 0,
    bootstrap=sql("SELECT 77L AS id"),
    trigger="available_now",
)
applying.awaitTermination()
answer["applied"] = sorted(tuple(row) for row in spark.table("applied").collect())
snapshots = deltasource.apply_snapshots(
    spark, folder / "shown", source=table, keys=["id"], checkpoint=folder / "shown-c"
)
answer["snapshot applied"] = [snapshots.version, snapshots.rows_inserted]
after = f.col("_change_type") == ChangeType.UPDATE_POSTIMAGE
answer["changes chosen"] = changes(some.where(after))

got: list[Event] = []
with monitor(spark, got.append):
    answer["rewrites refused"] = tried(lambda: copied(read(Version(4)), "refused"))
[failed] = [one for one in got if isinstance(one, QueryFailed)]
answer["failed"] = [failed.condition, failed.batch_id, failed.message.split(" (")[0]]
skipping = read(Version(4), on_change="skip_commits")
answer["rewrites skipped"] = numbers(copied(skipping, "skipped"))
answer["bad option"] = tried(lambda: ReadOptions(max_files=0))
answer["bad regex"] = tried(
    lambda: copied(spark.readStream.format("delta").load(str(table), excludeRegex="("), "never")
)
answer["version not there"] = tried(lambda: ended(read(Version(99)), "beyond"))
answer["own source"] = tried(lambda: copied(whole, "t"))
plain = folder / "plain"
sql(f"CREATE TABLE delta.`{plain}` (id LONG) USING delta")
answer["no change feed"] = tried(lambda: deltasource.stream_changes(spark, plain))
answer["no recorded changes"] = tried(
    lambda: deltasource.read_changes(spark, plain, start=Version(0))
)
answer["no checkpoint"] = tried(
    lambda: deltasource.write_stream(whole, folder / "never", checkpoint="/proc/none/c")
)
answer["no table"] = tried(lambda: deltasource.read_stream(spark, folder / "nothing"))

run_until(evolve, deadline=timedelta(minutes=4))
sql(f"ALTER TABLE delta.`{table}` ADD COLUMNS (name STRING)")
sql(f"INSERT INTO delta.`{table}` VALUES (6, 'f')")
run = run_until(evolve, deadline=timedelta(minutes=4))
answer["evolved"] = [run.ending, run.restarts, run.query.exception() is None]
answer["rows evolved"] = numbers(spark.read.format("delta").load(f"{folder / 'evolved'}"))

sql(f"CREATE TABLE {folder.name} (id LONG) USING delta")
named = deltasource.read_stream(spark, table, options=ReadOptions(start=Version(6)))
to = deltasource.write_stream(
    named.select("id"), folder.name, checkpoint=folder / "named-c", trigger="available_now"
)
to.awaitTermination()
answer["by name"] = numbers(spark.table(folder.name))
sql(f"DROP TABLE {folder.name}")
spark.stop()
print(json.dumps(answer))
