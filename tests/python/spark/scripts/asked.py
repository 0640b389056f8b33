# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Attach to the Spark Connect server in SPARK_REMOTE and print the result."""

from __future__ import annotations

import json

from pyspark.sql import SparkSession

import deltasource
from tried import tried

spark = SparkSession.builder.getOrCreate()
answer: dict[str, object] = {
    "attach": tried(lambda: deltasource.attach(spark)),
    "doctor": tried(lambda: deltasource.doctor(spark)),
    "read": tried(lambda: spark.read.format("delta").load("/nowhere").schema),
}
if answer["attach"] != ("fine", "") and "SHADOWED" not in str(answer["attach"]):
    answer["jars"] = [row[0] for row in spark.sql("LIST JARS").collect()]
spark.stop()
print(json.dumps(answer))
