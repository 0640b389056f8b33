# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Exceptions of queries as Spark 4.2 reports them in QueryTerminatedEvent, shortened."""

from __future__ import annotations

from typing import Final

RAISED: Final = (
    "org.apache.spark.SparkRuntimeException: [USER_RAISED_EXCEPTION] mine SQLSTATE: P0001\n"
    "\tat org.apache.spark.sql.errors.QueryExecutionErrors$.raiseError(Unknown Source)\n"
    "\tat org.apache.spark.sql.execution.BufferedRowIterator.hasNext(BufferedRowIterator.java:44)\n"
)
"""A task failed."""

PYTHON: Final = """\
py4j.Py4JException: An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):
  File "/lib/py4j/clientserver.py", line 644, in _call_proxy
    return_value = getattr(self.pool[obj_id], method)(*params)
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/app.py", line 25, in boom
    def boom(df, i): raise ValueError("boom\\nsecond line")
                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: boom
second line

\tat py4j.Protocol.getReturnValue(Protocol.java:476)
\tat org.apache.spark.sql.execution.streaming.sources.ForeachBatchSink.addBatch(ForeachBatchSink.scala:49)
"""  # noqa: E501 - as Spark prints it
"""A function of foreachBatch raised an error."""

PYTHON_CONDITION: Final = "FOREACH_BATCH_USER_FUNCTION_ERROR"

CONNECT_PYTHON: Final = """\
org.apache.spark.api.python.PythonException: [PYTHON_EXCEPTION] [session: 1] [userId: ] Found error inside foreachBatch Python process: Traceback (most recent call last):
  File "/lib/pyspark/sql/connect/streaming/worker/foreach_batch_worker.py", line 85, in main
  File "/app.py", line 27, in boom1
    if i==1: raise KeyError("x")
             ^^^^^^^^^^^^^^^^^^^
KeyError: 'x'
 SQLSTATE: 38000
\tat org.apache.spark.sql.connect.planner.StreamingForeachBatchHelper.foo(StreamingForeachBatchHelper.scala:1)
"""  # noqa: E501 - as Spark prints it
"""The same over Connect."""
