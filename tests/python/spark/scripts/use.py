# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Build a session; print the doctor's report and the outcome of using it.

Called with the path of a table, then settings (KEY=VALUE) to make before `configure`, then `--`,
then settings to make after it.
"""

from __future__ import annotations

import json
import sys

from pyspark.sql import SparkSession

import deltasource
from deltasource._session import jvm
from tried import small, tried


def with_settings(builder: SparkSession.Builder, settings: list[str]) -> SparkSession.Builder:
    for setting in settings:
        key, value = setting.split("=", 1)
        builder.config(key, value)
    return builder


table, *settings = sys.argv[1:]
split = settings.index("--")
builder = deltasource.configure(with_settings(small(), settings[:split]))
spark = with_settings(builder, settings[split + 1 :]).getOrCreate()

session = jvm.Session(spark)
answer = {
    "doctor": deltasource.doctor(spark).to_dict(),
    "read stream": tried(lambda: deltasource.read_stream(spark, table)),
    "plain stream": tried(lambda: spark.readStream.format("delta").load(table)),
    "batch": tried(lambda: spark.read.format("delta").load(table).collect()),
    "missing table": tried(lambda: spark.sql("SELECT * FROM nowhere")),
    "executor jars": [jar.rsplit("/", 1)[1] for jar in session.executor_jars()],
    "user file": session._loader.getResource("user.txt") is not None,
}
print(json.dumps(answer))
