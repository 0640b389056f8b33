# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Uses of functions that apply changes that type checkers must accept, and must refuse.

This file is never run, only read by mypy and pyright. An unneeded ignore is an error in mypy.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from typing_extensions import assert_type

import deltasource
from deltasource import AppliedSnapshot, Version


def changes_are_applied(frame: DataFrame, spark: SparkSession) -> StreamingQuery:
    deltasource.apply_changes(frame, Path("t"), checkpoint=Path("c"), keys=["id"])
    deltasource.apply_changes(frame, "t", checkpoint="c", keys=("id",), sequence_by=["a", "b"])
    deltasource.apply_changes(frame, "t", checkpoint="c", keys=["id"], stored_as_scd_type="2")
    deltasource.apply_changes(frame, "t", checkpoint="c", keys=["id"], tombstones="forever")
    net = deltasource.net_changes(spark, "t", keys=["id"], start=Version(3), end=Version(9))
    assert_type(net, DataFrame)
    applied = deltasource.apply_snapshots(
        spark, "t", source=Path("s"), keys=["id"], checkpoint="c", stored_as_scd_type=2
    )
    assert_type(applied, AppliedSnapshot)
    return deltasource.apply_changes(
        frame,
        "t",
        checkpoint="c",
        keys=["id"],
        sequence_by="at",
        apply_as_deletes=frame["op"] == "D",
        ignore_null_updates=["name"],
        tombstones=timedelta(days=1),
        mode="update",
    )


def wrong_types_of_changes_are_refused(frame: DataFrame, spark: SparkSession) -> None:
    deltasource.apply_changes(frame, "t", checkpoint="c")  # type: ignore[call-arg]
    deltasource.apply_changes(
        frame,
        "t",
        checkpoint="c",
        keys=["id"],
        stored_as_scd_type=3,  # type: ignore[arg-type]
        mode="complete",  # type: ignore[arg-type]
        tombstones=7,  # type: ignore[arg-type]
    )
    deltasource.net_changes(spark, "t", keys=["id"], start="3")  # type: ignore[arg-type]
    deltasource.apply_snapshots(spark, "t", source="s", keys=["id"])  # type: ignore[call-arg]
