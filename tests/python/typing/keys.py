# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Names of columns are a name or a list of names.

This file is never run, only read by mypy and pyright. An unneeded ignore is an error in mypy.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from typing_extensions import assert_type

import deltasource
from deltasource import AppliedSnapshot


def keys_are_names(spark: SparkSession) -> None:
    assert_type(deltasource.net_changes(spark, "t", keys="id", start=1), DataFrame)
    deltasource.net_changes(spark, "t", keys=("id", "day"), start=1)
    assert_type(
        deltasource.apply_snapshots(spark, "t", source="s", keys=("id",), checkpoint="c"),
        AppliedSnapshot,
    )
    deltasource.apply_snapshots(spark, "t", source="s", keys="id", checkpoint="c")
    rows = deltasource.read_stream(spark, "s")
    deltasource.apply_changes(rows, "t", checkpoint="c", keys="id", ignore_null_updates="note")
    deltasource.apply_changes(rows, "t", checkpoint="c", keys=["id"], column_list="id")
    deltasource.write_stream(rows, "t", checkpoint="c", partition_by="day")
    deltasource.write_stream(rows, "t", checkpoint="c", partition_by=("day",))


def others_are_refused(spark: SparkSession) -> None:
    deltasource.net_changes(spark, "t", keys=[1], start=1)  # type: ignore[list-item]
    deltasource.apply_snapshots(spark, "t", source="s", keys=1, checkpoint="c")  # type: ignore[arg-type]
    rows = deltasource.read_stream(spark, "s")
    deltasource.apply_changes(rows, "t", checkpoint="c", keys={"id"})  # type: ignore[arg-type]
    deltasource.write_stream(rows, "t", checkpoint="c", partition_by=True)  # type: ignore[arg-type]
