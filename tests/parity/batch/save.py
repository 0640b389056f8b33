# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one batch write, in the worker."""

from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import DataFrame, DataFrameWriter, DataFrameWriterV2, SparkSession
from pyspark.sql.functions import expr

from parity.batch.frame import frame
from parity.batch.script import Save
from parity.harness.exceptions import describe
from support.session_confs import session_confs

ONE_TASK = {"spark.sql.leafNodeDefaultParallelism": "1"}
"""If two tasks fail, the message may have the rows of either."""


def save(spark: SparkSession, step: Save, table: str) -> dict[str, Any] | None:
    """Returns the failure, if the write failed."""
    try:
        with session_confs(spark, {**ONE_TASK, **step.confs}):
            source = frame(spark, step, table)
            if step.way in SECOND:
                SECOND[step.way](_second(source, step, table), step)
            else:
                FIRST[step.way](_first(source, step), table + step.path)
    except Exception as error:
        return describe("save", error)
    return None


def _first(source: DataFrame, step: Save) -> DataFrameWriter:
    writer = source.write.format("delta").options(**step.options)
    writer = writer.mode(step.mode) if step.mode else writer
    writer = writer.clusterBy(*step.cluster_by) if step.cluster_by else writer
    return writer.partitionBy(*step.partition_by) if step.partition_by else writer


def _second(source: DataFrame, step: Save, table: str) -> DataFrameWriterV2:
    writer = source.writeTo(f"delta.`{table}`").using("delta").options(**step.options)
    return writer.partitionedBy(*map(expr, step.partition_by)) if step.partition_by else writer


FIRST: Mapping[str, Callable[[DataFrameWriter, str], None]] = {
    "save": lambda writer, path: writer.save(path),
    "save, path as an option": lambda writer, path: writer.option("path", path).save(),
    "save, no path": lambda writer, _: writer.save(),
    "saveAsTable": lambda writer, path: writer.saveAsTable(f"delta.`{path}`"),
    "insertInto": lambda writer, path: writer.insertInto(f"delta.`{path}`"),
}
SECOND: Mapping[str, Callable[[DataFrameWriterV2, Save], None]] = {
    "append": lambda writer, _: writer.append(),
    "overwrite": lambda writer, step: writer.overwrite(expr(step.condition)),
    "overwritePartitions": lambda writer, _: writer.overwritePartitions(),
    "create": lambda writer, _: writer.create(),
    "replace": lambda writer, _: writer.replace(),
    "createOrReplace": lambda writer, _: writer.createOrReplace(),
}
