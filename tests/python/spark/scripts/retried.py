# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Write a batch in which a task's first attempt fails, after nearly all of its rows.

Local mode retries tasks only with a master such as local[2,2], which needs its own session.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark import TaskContext
from pyspark.sql import functions as f
from pyspark.sql.types import LongType

import deltasource
from tried import small

PARTS, ROWS = 3, 10_000
table, checkpoint, failed = sys.argv[1:]


def late(number: int) -> int:
    """Return the number; fail the first attempt of a task near its end."""
    task = TaskContext.get()
    if task is not None and task.attemptNumber() == 0 and number == ROWS - PARTS:
        Path(failed).touch()
        raise ValueError("late")
    return number


spark = deltasource.configure(small().master("local[2,2]")).getOrCreate()
rows = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", ROWS)
stream = (
    rows.option("numPartitions", PARTS).load().select(f.udf(late, LongType())("value").alias("id"))
)
writer = stream.writeStream.format("delta").option("checkpointLocation", checkpoint)
query = writer.trigger(once=True).start(table)
query.awaitTermination()
found = spark.read.format("delta").load(table)
answer = {
    "failed": Path(failed).exists(),
    "rows": found.count(),
    "different": found.distinct().count(),
    "files": len(found.inputFiles()),
    "metrics": query.recentProgress[0].sink.metrics,
}
print(json.dumps(answer))
