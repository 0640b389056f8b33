# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Several queries, each applying the source's events to its own table: types 1 and 2 in turn."""

from collections.abc import Iterator
from itertools import cycle
from typing import Literal

from pyspark.sql import DataFrame, SparkSession

from apply_changes.fold import END, START, Event, Kind, Row, Rules, fold
from crashes.place import Place

KEYS = 40

EVENTS = (
    f"pmod(xxhash64(n, 1), {KEYS}) AS id",
    "pmod(xxhash64(n, 2), 3) AS value",
    "if(pmod(xxhash64(n, 3), 5) = 0, 'D', 'U') AS op",
    # Each number is there once, in an order that has nothing to do with that of the events.
    "n * 7919 % 2000003 AS seq",
)


def types() -> Iterator[Literal[1, 2]]:
    """The types of the targets, in turn."""
    return cycle((1, 2))


def lay(spark: SparkSession, place: Place, rows: int, files: int) -> None:
    """Write the source, in which a tenth of the events is there twice, and empty targets."""
    for part in range(2):
        numbers = spark.range(part * rows // 2, (part + 1) * rows // 2)
        events = numbers.selectExpr(f"id % {rows * 9 // 10} AS n").selectExpr(*EVENTS)
        frame = events.repartition(files // 2)
        frame.write.format("delta").mode("append").save(str(place.source))
    for target in place.targets:
        spark.sql(
            f"CREATE TABLE delta.`{target}` (id LONG, value LONG) USING delta TBLPROPERTIES "
            "('delta.checkpointInterval'='3', 'delta.enableDeletionVectors'='true')"
        )


def work(spark: SparkSession, place: Place) -> None:
    import deltasource

    reader = spark.readStream.format("delta").option("maxFilesPerTrigger", 1)
    queries = [
        deltasource.apply_changes(
            reader.load(str(place.source)),
            target,
            checkpoint=place.checkpoint(target),
            keys=["id"],
            sequence_by="seq",
            apply_as_deletes="op = 'D'",
            column_list=["id", "value"],
            stored_as_scd_type=scd_type,
            trigger="available_now",
        )
        for target, scd_type in zip(place.targets, types(), strict=False)
    ]
    for query in queries:
        query.awaitTermination()


def wrong(spark: SparkSession, place: Place) -> list[str]:
    """Return the targets that differ from the fold over all events."""
    events = [
        Event((row["id"],), (row["seq"],), Kind(row["op"]), {"value": row["value"]})
        for row in _table(spark, place.source).collect()
    ]
    faults: list[str] = []
    for target, scd_type in zip(place.targets, types(), strict=False):
        rules = Rules(scd_type=scd_type, keys=("id",), columns=("value",), tracked=("value",))
        expected = fold(events, rules)
        assert isinstance(expected, list)
        period = (START, END) if scd_type == 2 else ()
        rows = _table(spark, target).select("id", "value", *period)
        found = rows.orderBy("id", *period).collect()
        if [tuple(row) for row in found] != [_values(row) for row in expected]:
            faults.append(f"{target.name} (type {scd_type}) has {found}, not {expected}")
    return faults


def _table(spark: SparkSession, path: object) -> DataFrame:
    return spark.read.format("delta").load(str(path))


def _values(row: Row) -> tuple[object, ...]:
    """The values of a row; the fold has sequences as tuples."""
    return tuple(value[0] if isinstance(value, tuple) else value for value in row.values())
