# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one batch read, in the worker."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import DataFrame, DataFrameReader, SparkSession

from parity.batch.script import Load
from parity.harness.exceptions import describe
from parity.harness.query import plain
from support.session_confs import session_confs


def load(spark: SparkSession, step: Load, table: str) -> dict[str, Any]:
    """Returns the result of the read, or `failure`."""
    try:
        with session_confs(spark, step.confs):
            reader = spark.read.format("delta").options(**step.options)
            reader = reader.schema(step.schema) if step.schema else reader
            return rows(_chosen(WAYS[step.way](reader, table + step.path), step))
    except Exception as error:
        return {"failure": describe("load", error)}


def rows(frame: DataFrame) -> dict[str, Any]:
    """The rows in an order that does not depend on files."""
    found = [json.dumps([plain(value) for value in row]) for row in frame.collect()]
    return {"schema": json.loads(frame.schema.json()), "rows": sorted(found)}


def _chosen(frame: DataFrame, step: Load) -> DataFrame:
    frame = frame.where(step.where) if step.where else frame
    return frame.selectExpr(*step.select) if step.select else frame


WAYS: Mapping[str, Callable[[DataFrameReader, str], DataFrame]] = {
    "load": lambda reader, path: reader.load(path),
    "load, path as an option": lambda reader, path: reader.option("path", path).load(),
    "load, no path": lambda reader, _: reader.load(),
    "load, two paths": lambda reader, path: reader.load([path, path]),
    "table": lambda reader, path: reader.table(f"delta.`{path}`"),
}
