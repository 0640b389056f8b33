# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the error of a query says whose own code fails for a row."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import deltasource


def test_the_reason_is_in_the_exception_and_in_the_event(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Spark's message has only the table."""
    spark.range(1).write.format("delta").save(f"{tmp_path}/t")
    rows = deltasource.read_stream(spark, tmp_path / "t").selectExpr("1 / id AS value")
    seen: list[deltasource.Event] = []
    with deltasource.monitor(spark, seen.append):
        query = deltasource.write_stream(
            rows, tmp_path / "copy", checkpoint=tmp_path / "c", trigger="available_now"
        )
        with pytest.raises(StreamingQueryException, match=r"The reason is: \[DIVIDE_BY_ZERO\] Div"):
            query.awaitTermination()
    (failed,) = (one for one in seen if isinstance(one, deltasource.QueryFailed))
    assert failed.condition == "TASK_WRITE_FAILED"
    assert "The reason is: [DIVIDE_BY_ZERO] Division by zero." in failed.message


def test_the_reason_is_what_python_has_raised(spark: SparkSession, tmp_path: Path) -> None:
    """It is the last line of the traceback. With Arrow, Spark 4.2 may hang."""
    fails = sql.udf(lambda value: [][value], "long")
    spark.range(3).coalesce(1).write.format("delta").save(f"{tmp_path}/t")
    spark.conf.set("spark.sql.execution.pythonUDF.arrow.enabled", False)
    try:
        rows = deltasource.read_stream(spark, tmp_path / "t").select(fails("id"))
        query = deltasource.write_stream(
            rows.toDF("id"), tmp_path / "copy", checkpoint=tmp_path / "c", trigger="available_now"
        )
        with pytest.raises(StreamingQueryException, match="The reason is: IndexError: list index"):
            query.awaitTermination(60)
    finally:
        spark.conf.unset("spark.sql.execution.pythonUDF.arrow.enabled")
