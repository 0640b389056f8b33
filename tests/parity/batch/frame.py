# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the DataFrame of a write, in the worker."""

import re
from collections.abc import Callable, Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import expr

from parity.batch.script import Call, Save


def frame(spark: SparkSession, step: Save, table: str) -> DataFrame:
    if re.search(r"\btarget\b", f"{step.frame} {step.calls}"):
        spark.read.format("delta").load(table).createOrReplaceTempView("target")
    found = spark.sql(step.frame.format(table=f"delta.`{table}`"))
    for call in step.calls:
        found = _called(spark, found, call)
    return found


def _called(spark: SparkSession, frame: DataFrame, call: Call) -> DataFrame:
    name, *arguments = call
    if name == "join":
        other, alias, condition = arguments
        return frame.join(spark.sql(other).alias(alias), expr(condition))
    if name == "union":
        return frame.union(spark.sql(arguments[0]))
    if name == "withColumn":
        column, value = arguments
        return frame.withColumn(column, expr(value))
    if name == "repartition":
        return frame.repartition(int(arguments[0]))
    found: DataFrame = SIMPLE[name](frame, *arguments)
    return found


SIMPLE: Mapping[str, Callable[..., DataFrame]] = {
    "alias": DataFrame.alias,
    "distinct": DataFrame.distinct,
    "drop": DataFrame.drop,
    "selectExpr": DataFrame.selectExpr,
    "sort": DataFrame.sort,
    "where": DataFrame.where,
    "withColumnRenamed": DataFrame.withColumnRenamed,
}
