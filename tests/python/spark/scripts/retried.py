# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Write a batch of which one task fails at its first attempt, behind nearly all of its rows.

Only a session of its own runs a task again.
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
    """Answer the number; its task fails if it is the last but one of the first attempt."""
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
    "told": query.recentProgress[0].sink.metrics,
}
print(json.dumps(answer))
