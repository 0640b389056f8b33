# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The process that is killed: several queries, each copying the source into its own table."""

import json
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from crashes.place import Place
from parity.harness.worker import session

# The default; parity runs turn it off, so that both sides list the log each time.
CONFS = {"spark.deltasource.log.listInterval": "10s"}


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


def copy(spark: SparkSession, place: Place) -> None:
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


def found(spark: SparkSession, place: Place) -> list[list[int]]:
    """For each target: how many rows, how many distinct ones, the least and the greatest."""
    return [
        list(
            spark.read.format("delta")
            .load(str(target))
            .selectExpr("count(*)", "count(DISTINCT id)", "min(id)", "max(id)")
            .head()
            or ()
        )
        for target in place.targets
    ]


def main() -> None:
    task = json.loads(sys.argv[1])
    place = Place(Path(task["folder"]), task["streams"])
    spark = session(task["jars"], place.folder, CONFS)
    spark.sparkContext.setLogLevel("ERROR")
    answer: object = None
    match task["action"]:
        case "lay":
            lay(spark, place, task["rows"], task["files"])
        case "copy":
            copy(spark, place)
        case "look":
            answer = found(spark, place)
        case other:
            raise ValueError(other)
    Path(task["answer"]).write_text(json.dumps(answer))
    spark.stop()


if __name__ == "__main__":
    main()
