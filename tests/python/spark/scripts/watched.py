# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Watches the queries of a session of Spark Connect from a second client."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path

from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from deltasource import Event, Progress, QueryFailed, read_stream
from deltasource._views.connect_queries import ConnectQueries

server = os.environ.pop("SPARK_REMOTE")
address = f"{server}/;user_id=ann;session_id={uuid.uuid4()}"
spark = SparkSession.builder.remote(address).getOrCreate()
folder = Path.cwd()
spark.range(3).write.format("delta").save(f"{folder}/t")


def start(name: str, condition: str) -> StreamingQuery:
    rows = read_stream(spark, folder / "t").where(condition)
    writer = rows.writeStream.format("delta").queryName(name)
    return writer.option("checkpointLocation", f"{folder}/{name}").start(f"{folder}/to_{name}")


def kinds(events: list[Event]) -> list[list[str | None]]:
    """Return the kind of each event and its query, without waiting and repeated progress."""
    told = [one for one in events if not isinstance(one, Progress) or one.executed]
    return sorted([type(one).__name__, one.name] for one in told)


copy, fails, stops = (
    start("copy", "true"),
    start("fails", "assert_true(id < 3) IS NULL"),
    start("stops", "true"),
)
for query in (copy, fails, stops):
    query.processAllAvailable()
other = ConnectQueries(address)
first = list(other.poll())
again = list(other.poll())
command = (sys.executable, "-m", "deltasource", "watch", address, "--format", "json")
printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
stops.stop()
spark.range(7, 8).write.format("delta").mode("append").save(f"{folder}/t")
with contextlib.suppress(StreamingQueryException):
    fails.processAllAvailable()
copy.processAllAvailable()
second = list(other.poll())
failed = [one for one in second if isinstance(one, QueryFailed)]
other.close()
stranger = ConnectQueries(f"{server}/;user_id=ann;session_id={uuid.uuid4()}")
answer = {
    "first": kinds(first),
    "again": kinds(again),
    "second": kinds(second),
    "error": [[one.condition, one.message] for one in failed],
    "printed": sorted([row["query"], row["batch"]] for row in json.loads(printed)["rows"]),
    "stranger": kinds(list(stranger.poll())),
    "still running": copy.isActive,
}
stranger.close()
spark.stop()
print(json.dumps(answer))
