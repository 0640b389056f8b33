# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Call `configure` when Spark is already running: before a session, in one, and after it.

The JVM runs before there is a session only under spark-submit.
"""

from __future__ import annotations

import json
import os

import deltasource
from tried import small, tried


def configure() -> object:
    return deltasource.configure(small())


answer: dict[str, object] = {}
if "PYSPARK_GATEWAY_PORT" in os.environ:
    answer["before"] = tried(configure)
spark = small().getOrCreate()
answer["in"] = tried(configure)
answer["read stream"] = tried(lambda: deltasource.read_stream(spark, "/nowhere"))
answer["doctor"] = deltasource.doctor(spark).to_dict()
spark.stop()
answer["stopped doctor"] = deltasource.doctor(spark).to_dict()
answer["after"] = tried(configure)
if answer["after"] == ("fine", ""):
    again = deltasource.configure(small()).getOrCreate()
    answer["doctor after"] = deltasource.doctor(again).to_dict()
print(json.dumps(answer))
