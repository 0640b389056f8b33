# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Several queries, each copying the source into its own table."""

from pyspark.sql import SparkSession

from crashes.place import Place


def lay(spark: SparkSession, place: Place, rows: int, files: int) -> None:
    """Write the source: half of its files in one commit, half in another."""
    for part in range(2):
        frame = spark.range(part * rows // 2, (part + 1) * rows // 2).repartition(files // 2)
        frame.write.format("delta").mode("append").save(str(place.source))
    for target in place.targets:
        spark.sql(
            f"CREATE TABLE delta.`{target}` (id LONG) USING delta "
            "TBLPROPERTIES ('delta.checkpointInterval'='3')"
        )


def work(spark: SparkSession, place: Place) -> None:
    reader = spark.readStream.format("delta").option("maxFilesPerTrigger", 1)
    frame = reader.load(str(place.source))
    queries = [
        frame.writeStream.format("delta")
        .option("checkpointLocation", str(place.checkpoint(target)))
        .trigger(availableNow=True)
        .start(str(target))
        for target in place.targets
    ]
    for query in queries:
        query.awaitTermination()


def wrong(spark: SparkSession, place: Place) -> list[str]:
    """Return the targets that do not have each row of the source once."""
    counts = ("count(*)", "count(DISTINCT id)", "min(id)", "max(id)")
    expected, *found = (
        tuple(spark.read.format("delta").load(str(table)).selectExpr(*counts).head() or ())
        for table in (place.source, *place.targets)
    )
    return [
        f"{target.name} has {rows}, not {expected}"
        for target, rows in zip(place.targets, found, strict=True)
        if rows != expected
    ]
