# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Uses every part of Delta Lake once and prints the results as one line of JSON.

Usage: workout.py FOLDER [CONF=VALUE ...]. Tables are written to the folder, and the confs are
set on the session's builder. The caller puts the jar on the class path.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

SOURCE = "org.apache.spark.sql.delta.sources.DeltaSource"


def main(folder: Path, confs: dict[str, str]) -> None:
    builder = SparkSession.builder
    for key, value in confs.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    try:
        seen = {**_origin(spark), **_files(spark, folder), **_table(spark)}
        print(json.dumps(seen))
    finally:
        spark.stop()


def _origin(spark: SparkSession) -> dict[str, Any]:
    """Where the driver loads DeltaSource from, and which process runs the tasks."""
    jvm: Any = spark.sparkContext._jvm
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    source = jvm.java.lang.Class.forName(SOURCE, True, loader)
    copies = loader.getResources(SOURCE.replace(".", "/") + ".class")
    places = set()
    while copies.hasMoreElements():
        places.add(copies.nextElement().toString())
    command = "java_method('java.lang.System', 'getProperty', 'sun.java.command')"
    ran = spark.range(1).repartition(1).selectExpr(f"{command} AS command").first()
    assert ran is not None
    return {
        "origin": source.getProtectionDomain().getCodeSource().getLocation().getPath(),
        "copies": len(places),
        "executor": str(ran["command"]).split(" ")[0],
    }


def _files(spark: SparkSession, folder: Path) -> dict[str, Any]:
    """Batch write, batch read and a stream, by path."""
    table, copy, checkpoint = (str(folder / name) for name in ("table", "copy", "checkpoint"))
    spark.range(0, 10, 1, 1).write.format("delta").save(table)
    spark.range(10, 15, 1, 1).write.format("delta").mode("append").save(table)
    query = (
        spark.readStream.format("delta")
        .option("maxFilesPerTrigger", "1")
        .load(table)
        .writeStream.format("delta")
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start(copy)
    )
    query.awaitTermination()
    progress: Any = query.lastProgress
    return {
        "batch read": spark.read.format("delta").load(table).count(),
        "streamed": spark.read.format("delta").load(copy).distinct().count(),
        "stream": progress["sources"][0]["description"].split("[")[0],
        "several batches": progress["batchId"] > 0,
    }


def _table(spark: SparkSession) -> dict[str, Any]:
    """CREATE TABLE, MERGE, time travel, the change feed and OPTIMIZE, by name."""
    spark.sql(
        "CREATE TABLE people (id BIGINT, name STRING) USING delta "
        "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    )
    spark.sql("INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cyd')")
    spark.sql(
        "MERGE INTO people USING (SELECT * FROM VALUES (2, 'Ben'), (4, 'Dan') AS t(id, name)) new "
        "ON people.id = new.id "
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )
    changes = (
        spark.read.format("delta")
        .option("readChangeFeed", "true")
        .option("startingVersion", 2)
        .table("people")
        .collect()
    )
    optimized = spark.sql("OPTIMIZE people").select("metrics.numFilesAdded").first()
    assert optimized is not None
    return {
        "merged": [row["name"] for row in spark.table("people").orderBy("id").collect()],
        "time travel": spark.sql("SELECT * FROM people VERSION AS OF 1").count(),
        "changes": dict(sorted(Counter(row["_change_type"] for row in changes).items())),
        "optimized files": optimized[0],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), dict(conf.split("=", 1) for conf in sys.argv[2:]))
