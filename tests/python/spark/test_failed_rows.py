# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the error of a query says whose own code fails for a row."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

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
