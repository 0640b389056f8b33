# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The changes of a table's rows, as a stream or up to now."""

from __future__ import annotations

import os
from enum import Enum
from typing import TYPE_CHECKING

from deltasource import streams
from deltasource._options import keys
from deltasource._options.rules import check
from deltasource.options import ReadOptions
from deltasource.starting import Time, Version, bound
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ON_CHANGE_ALLOWED = "a change feed gives every change: leave this out"
BOUND_ALLOWED = "Version(number) or Time(at)"
END_ALLOWED = f"{BOUND_ALLOWED}, or None for the newest version"
ORDER = "not before the start"


class ChangeType(str, Enum):
    """What a row of a change feed says in its column `_change_type`."""

    INSERT = "insert"
    DELETE = "delete"
    UPDATE_PREIMAGE = "update_preimage"
    UPDATE_POSTIMAGE = "update_postimage"

    # A mixed-in Enum shows its member's name, and Spark takes literals as they are shown.
    __str__ = str.__str__


def stream_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
    source_name: str | None = None,
) -> DataFrame:
    """Read the changes of a Delta table's rows as a stream.

    Behind the columns of the table a row has `_change_type` (string, one of ChangeType),
    `_commit_version` (long) and `_commit_timestamp` (timestamp). An update gives two rows, the one
    before it and the one after it. The rows of `Snapshot()`, where no other start is chosen, are
    inserts of its version.

    The table needs `delta.enableChangeDataFeed = true`. For the arguments and what is raised see
    read_stream; `on_change` must be left out, a feed gives every change.
    """
    check(("on_change", options.on_change, options.on_change == "fail", ON_CHANGE_ALLOWED))
    given = {keys.READ_CHANGE_FEED: "true"} | options.to_spark()
    return streams.frame(streams.stream_reader(spark, given, source_name), path_or_table)


def read_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    start: Version | Time,
    end: Version | Time | None = None,
) -> DataFrame:
    """Read the changes of a Delta table's rows from one commit to another, both included.

    Behind the columns of the table a row has `_change_type` (string, one of ChangeType),
    `_commit_version` (long) and `_commit_timestamp` (timestamp). An update gives two rows, the one
    before it and the one after it. Without an end the newest version is the last.

    The table needs `delta.enableChangeDataFeed = true`. What it is named by: see read_stream.
    """
    check(
        ("start", start, isinstance(start, Version | Time), BOUND_ALLOWED),
        ("end", end, isinstance(end, Version | Time | None), END_ALLOWED),
        ("end", end, not _before(end, start), ORDER),
    )
    given = {keys.READ_CHANGE_FEED: "true"}
    given |= bound(start, version=keys.STARTING_VERSION, time=keys.STARTING_TIMESTAMP)
    if end is not None:
        given |= bound(end, version=keys.ENDING_VERSION, time=keys.ENDING_TIMESTAMP)
    streams.require_ours(spark)
    return streams.frame(spark.read.options(**given), path_or_table)


def _before(one: object, other: object) -> bool:
    # A version and a time can be compared by the table alone.
    match one, other:
        case Version(end), Version(start):
            return end < start
        case Time(until), Time(since):
            return until < since
        case _:
            return False
