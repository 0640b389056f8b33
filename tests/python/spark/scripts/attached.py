# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Attach the jar to a session that was built without it, and use it.

Called with a folder, then settings (KEY=VALUE) of the session.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import deltasource
from deltasource import ReadOptions, Version
from tried import small, tried

folder, *settings = sys.argv[1:]
table, copy = Path(folder, "t"), Path(folder, "copy")
builder = small()
for setting in settings:
    builder.config(*setting.split("=", 1))
spark = builder.getOrCreate()


def use() -> None:
    rows = spark.range(3).repartition(2).write.format("delta")
    rows.option("delta.enableChangeDataFeed", "true").save(str(table))
    options = ReadOptions(start=Version(0))
    rows_read = deltasource.read_stream(spark, table, options=options)
    query = deltasource.write_stream(
        rows_read, copy, checkpoint=f"{folder}/c", trigger="available_now"
    )
    query.awaitTermination()
    found = spark.read.format("delta").load(str(copy)).collect()
    answer["rows"] = sorted(row["id"] for row in found)
    fed = deltasource.read_changes(spark, table, start=Version(0)).select("_change_type", "id")
    answer["changes"] = sorted(tuple(row) for row in fed.collect())
    spark.sql("CREATE TABLE named (id LONG) USING delta")
    named = deltasource.read_stream(spark, "named")
    query = deltasource.write_stream(
        deltasource.read_stream(spark, table), "named", checkpoint=f"{folder}/n"
    )
    query.processAllAvailable()
    query.stop()
    answer["named"] = named.columns
    query = deltasource.apply_changes(
        deltasource.stream_changes(spark, table, start=0),
        f"{folder}/kept",
        keys=["id"],
        checkpoint=f"{folder}/k",
        trigger="available_now",
    )
    query.awaitTermination()
    answer["kept"] = spark.read.format("delta").load(f"{folder}/kept").count()


answer: dict[str, object] = {
    "before": tried(lambda: spark.read.format("delta").load("/nowhere")),
    "attach": tried(lambda: deltasource.attach(spark)),
}
if answer["attach"] == ("fine", ""):
    answer["use"] = tried(use)
    answer["again"] = tried(lambda: deltasource.attach(spark))
    answer["other session"] = tried(lambda: deltasource.attach(spark.newSession()))
    answer["snapshots"] = tried(
        lambda: deltasource.apply_snapshots(
            spark, f"{folder}/followed", source=table, keys="id", checkpoint=f"{folder}/f"
        )
    )
    answer["sql"] = tried(lambda: spark.sql(f"SELECT * FROM delta.`{table}`").collect())
    answer["doctor"] = deltasource.doctor(spark).to_dict()
spark.stop()
answer["stopped"] = tried(lambda: deltasource.attach(spark))
answer["read after stop"] = tried(lambda: deltasource.read_stream(spark, "./orders"))
print(json.dumps(answer))
