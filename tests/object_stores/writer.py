# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One of the drivers that append to a table: `object_stores.two_writers` starts it.

Its argument is a task as JSON. It waits for a line before each step, and prints a JSON array after
it: the session is there, the table is there, all rows are appended.
"""

import json
import sys
from collections.abc import Sequence

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException

from object_stores.phases import session


def main() -> None:
    task = json.loads(sys.argv[1])
    spark = session(task["jars"], task["confs"])
    empty = spark.range(0)
    _step([])
    empty.write.format("delta").mode("ignore").save(task["uri"])
    _step([])
    committed = []
    for row in task["rows"]:
        frame = spark.range(row, row + 1, numPartitions=1)
        try:
            frame.write.format("delta").mode("append").save(task["uri"])
            committed.append(row)
        except (Py4JJavaError, PySparkException) as error:
            print(f"row {row}: {error}", file=sys.stderr)
    print(json.dumps(committed), flush=True)
    spark.stop()


def _step(done: Sequence[int]) -> None:
    """Say that a step is done, and wait for the next one."""
    print(json.dumps(done), flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
