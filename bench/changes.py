# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Keeps a table up to date with a stream of changes: `apply_changes` against MERGE by hand.

The table has deletion vectors, and files of 250,000 rows that are clustered by key. Each version of
the stream's table is a batch: 80 percent updates, 10 percent inserts, 10 percent deletes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

ROWS_PER_FILE: Final = 250_000
BATCHES: Final = 9
"""Batches of a run. The first is not counted."""

VALUES: Final = (
    "concat('name ', lower(hex(xxhash64(id, {0}, 1)))) AS name",
    "elt(CAST(1 + pmod(xxhash64(id, {0}, 2), 6) AS INT), 'AR','DE','IN','JP','MX','ZW') AS city",
    "pmod(xxhash64(id, {0}, 3), 200000) / 100 AS amount",
)
"""The columns of a row, which depend on its key and on the sequence of its last event."""

MERGE: Final = """
MERGE INTO delta.`{target}` AS t USING newest AS e ON t.id = e.id
WHEN MATCHED AND e.seq > t.seq AND e.op = 'D' THEN DELETE
WHEN MATCHED AND e.seq > t.seq
  THEN UPDATE SET name = e.name, city = e.city, amount = e.amount, seq = e.seq
WHEN NOT MATCHED AND e.op <> 'D' THEN
  INSERT (id, name, city, amount, seq) VALUES (e.id, e.name, e.city, e.amount, e.seq)
"""
"""What a careful user writes by hand. A late event of a deleted key would still bring it back."""


@dataclass(frozen=True, kw_only=True)
class Changes:
    """Which rows of the table the events of a batch change.

    where  `recent`: the last tenth of the keys, and so of the files; `random`: all keys
    share  of the table's rows; None for 10,000 events
    """

    where: Literal["recent", "random"]
    share: float | None = None

    def events(self, rows: int) -> int:
        """Return the number of events in a batch."""
        return 10_000 if self.share is None else round(rows * self.share)


def write(spark: SparkSession, task: Mapping[str, Any]) -> None:
    """Write the table, and the table with the events of all batches, each a version of one file."""
    rows, events = task["size"], task["events"]
    table = spark.range(0, rows, numPartitions=max(1, rows // ROWS_PER_FILE))
    filled = table.selectExpr(
        "id", *(value.format(0) for value in VALUES), "CAST(0 AS LONG) AS seq"
    )
    vectors = {"delta.enableDeletionVectors": "true"}
    filled.write.format("delta").options(**vectors).save(task["table"])
    since = rows * 9 // 10 if task["where"] == "recent" else 0
    for batch in range(BATCHES):
        numbers = spark.range(batch * events + 1, (batch + 1) * events + 1, numPartitions=1)
        found = numbers.selectExpr("id AS seq", "pmod(xxhash64(id, 9), 10) AS kind").selectExpr(
            f"CASE kind WHEN 1 THEN {rows} + seq"
            f" ELSE {since} + pmod(xxhash64(seq, 8), {rows - since}) END AS id",
            "seq",
            "CASE kind WHEN 0 THEN 'D' ELSE 'U' END AS op",
        )
        values = (value.format("seq") for value in VALUES)
        ready = found.selectExpr("id", *values, "seq", "op").coalesce(1)
        ready.write.format("delta").mode("append").save(task["waiting"])


def run(spark: SparkSession, task: Mapping[str, Any]) -> dict[str, Any]:
    """Apply all events; return the sink's milliseconds for each batch, and what reading takes.

    `rows` describes the rows of the table afterwards, which both sides must have.
    """
    before = reading(spark, task["target"])
    changes = spark.readStream.format("delta").option("maxFilesPerTrigger", 1).load(task["waiting"])
    query = (by_merge if task["side"] == "stock" else by_apply_changes)(changes, task)
    query.awaitTermination()
    after = reading(spark, task["target"])
    progress = [one for one in query.recentProgress if one.numInputRows > 0]
    if len(progress) != BATCHES:
        raise RuntimeError(f"{len(progress)} batches, not {BATCHES}")
    return {
        "added": [one.durationMs["addBatch"] for one in progress],
        "readNanos": [before[0], after[0]],
        "rows": after[1],
        "files": [_files(one.sink.metrics) for one in progress],
    }


def _files(metrics: Mapping[str, str]) -> list[int]:
    """Return how many files a batch read and did not read; empty for MERGE."""
    names = ("numFilesRead", "numFilesPruned")
    return [int(metrics[name]) for name in names if name in metrics]


def by_merge(changes: DataFrame, task: Mapping[str, Any]) -> StreamingQuery:
    def merge(batch: DataFrame, _: int) -> None:
        newest = batch.selectExpr("*", "row_number() OVER (PARTITION BY id ORDER BY seq DESC) AS n")
        newest.where("n = 1").createOrReplaceTempView("newest")
        batch.sparkSession.sql(MERGE.format(target=task["target"]))

    writer = changes.writeStream.foreachBatch(merge)
    return (
        writer.option("checkpointLocation", task["checkpoint"]).trigger(availableNow=True).start()
    )


def by_apply_changes(changes: DataFrame, task: Mapping[str, Any]) -> StreamingQuery:
    import deltasource

    return deltasource.apply_changes(
        changes,
        Path(task["target"]),
        checkpoint=task["checkpoint"],
        keys=["id"],
        sequence_by="seq",
        apply_as_deletes="op = 'D'",
        except_column_list=["op"],
        trigger="available_now",
    )


def reading(spark: SparkSession, table: str) -> tuple[int, str]:
    """Return the median nanoseconds of reading all rows, and their number and hash."""
    found = [_read(spark, table) for _ in range(3)]
    return int(median(nanos for nanos, _ in found)), found[-1][1]


def _read(spark: SparkSession, table: str) -> tuple[int, str]:
    started = time.perf_counter_ns()
    frame = spark.read.format("delta").load(table)
    hashed = "sum(CAST(xxhash64(id, name, city, amount, seq) AS DECIMAL(38, 0)))"
    (row,) = frame.selectExpr("count(*) AS rows", f"{hashed} AS hash").collect()
    return time.perf_counter_ns() - started, f"{row['rows']} rows, hash {row['hash']}"


def floor(spark: SparkSession, task: Mapping[str, Any]) -> int:
    """Return the median nanoseconds of what any implementation must do for a batch.

    It reads the keys of the files that the batch may change, with the positions of the rows, joins
    them with the keys of the batch, and writes the new rows.
    """
    return int(median(list(_floors(spark, task))[1:]))


def _floors(spark: SparkSession, task: Mapping[str, Any]) -> Iterator[int]:
    from pyspark.sql.functions import broadcast

    files = spark.read.parquet(*_files_to_read(spark, task))
    events = spark.read.format("delta").load(task["waiting"])
    for batch in range(BATCHES):
        first = batch * task["events"]
        of_batch = events.where(f"seq > {first} AND seq <= {first + task['events']}")
        started = time.perf_counter_ns()
        wanted = files.select("id", "_metadata.file_path", "_metadata.row_index")
        found = wanted.join(broadcast(of_batch.select("id").distinct()), "id")
        found.write.format("noop").mode("overwrite").save()
        of_batch.drop("op").coalesce(1).write.mode("append").parquet(f"{task['checkpoint']}-floor")
        yield time.perf_counter_ns() - started


def _files_to_read(spark: SparkSession, task: Mapping[str, Any]) -> list[str]:
    files = sorted(spark.read.format("delta").load(task["target"]).inputFiles())
    return files if task["where"] == "random" else files[len(files) * 9 // 10 :]
