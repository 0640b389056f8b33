# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The process that writes: it runs statements, and finds out whether one was committed."""

import json
import sys
from typing import Any

from pyspark.sql import SparkSession

from object_stores.phases import session
from support.json_calls import serve

NUMBER = "spark.databricks.delta.commitInfo.userMetadata"
"""The number of an operation, in its commit."""


class Writer:
    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark

    def run(self, *, sql: str, number: int) -> None:
        """Run a statement whose commit has this number."""
        self._spark.conf.set(NUMBER, str(number))
        self._spark.sql(sql)

    def committed(self, *, uri: str, number: int) -> bool:
        """Whether the table has a commit with this number."""
        history = self._spark.sql(f"DESCRIBE HISTORY delta.`{uri}` LIMIT 10")
        return any(row["userMetadata"] == str(number) for row in history.collect())

    def close(self) -> None:
        self._spark.stop()


def main() -> None:
    def start() -> Writer:
        task: dict[str, Any] = json.loads(sys.argv[1])
        return Writer(session(task["jars"], task["confs"]))

    serve(start, str)


if __name__ == "__main__":
    main()
