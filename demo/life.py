# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The life of one stream: a failure, a schema change, a commit that it skips, and a burst."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import deltasource
from deltasource import SchemaTracking, monitor

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

FILES: Final = 20
BURST: Final = 12


def live(spark: SparkSession, folder: Path) -> None:
    """Write a table and stream it; the events are in `events.jsonl`."""
    from pyspark.errors import StreamingQueryException

    orders = folder / "orders"
    spark.range(0, 20_000, 1, FILES).selectExpr("id", "id % 97 AS amount").write.format(
        "delta"
    ).save(str(orders))
    with monitor(spark, folder / "events.jsonl"):
        query = _start(spark, folder, fails=True)
        query.processAllAvailable()
        for number in range(1, 7):
            _append(spark, orders, 900 * (number % 4 + 1))
            query.processAllAvailable()
        spark.sql(f"DELETE FROM delta.`{orders}` WHERE id = 7")
        query.processAllAvailable()
        _append(spark, orders, 100, amount="-1")
        with suppress(StreamingQueryException):
            query.processAllAvailable()
            query.awaitTermination()

        query = _start(spark, folder, fails=False)
        query.processAllAvailable()
        spark.sql(f"ALTER TABLE delta.`{orders}` ADD COLUMNS (note STRING)")
        with suppress(StreamingQueryException):
            query.processAllAvailable()
            query.awaitTermination()

        query = _start(spark, folder, fails=False)
        for number in range(BURST):
            _append(spark, orders, 2_000 + 500 * (number % 3), amount="5", note="'new'")
        query.processAllAvailable()
        query.stop()
        # What the stream has not read when the report is written.
        for _ in range(3):
            _append(spark, orders, 1_500)


def _start(spark: SparkSession, folder: Path, *, fails: bool) -> StreamingQuery:
    rows = deltasource.read_stream(
        spark,
        folder / "orders",
        max_files=2,
        on_change="skip_commits",
        schema_tracking=SchemaTracking(location=str(folder / "checkpoint" / "schemas")),
    )
    if fails:
        checked = "CASE WHEN amount < 0 THEN raise_error('negative amount') ELSE amount END"
        rows = rows.selectExpr("id", f"CAST({checked} AS BIGINT) AS amount")
    return deltasource.write_stream(
        rows,
        folder / "copy",
        checkpoint=folder / "checkpoint",
        name="orders",
        merge_schema=True,
    )


def _append(
    spark: SparkSession, table: Path, rows: int, *, amount: str = "1", note: str = ""
) -> None:
    columns = ["id", f"CAST({amount} AS BIGINT) AS amount", *([f"{note} AS note"] if note else [])]
    batch = spark.range(rows).selectExpr(*columns)
    batch.repartition(3).write.format("delta").mode("append").save(str(table))
