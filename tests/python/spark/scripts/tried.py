# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Helpers of the scripts: a small session, and the outcome of a call."""

from __future__ import annotations

from collections.abc import Callable

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from deltasource import DeltaSourceError


def small() -> SparkSession.Builder:
    """Return a builder for a small local session."""
    return (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        # Compiling code for a query takes longer than running it on a few rows.
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.codegen.wholeStage", "false")
    )


def tried(act: Callable[[], object]) -> tuple[str, str]:
    """Call it; return the condition and the first line of its error, or "fine"."""
    try:
        act()
    except DeltaSourceError as error:
        return error.condition, str(error)
    except PySparkException as error:
        return error.getCondition() or type(error).__name__, str(error).split("\n", 1)[0]
    except Py4JJavaError as error:
        return type(error).__name__, str(error).split("\n", 1)[0]
    return "fine", ""
