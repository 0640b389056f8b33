# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Tables of the catalog that are not Delta tables: Spark reads them without our source."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from deltasource._errors import TableError
from deltasource._session import jvm
from deltasource._session.streamed_table import OTHER
from deltasource._text import is_path
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def require_delta(
    spark: SessionLike, rows: DataFrame, path_or_table: str | os.PathLike[str]
) -> None:
    """Raise TableError if a classic session streams only tables of other formats."""
    if is_path(path_or_table):
        return  # It was loaded in the format delta.
    session = jvm.classic_session(spark)
    streamed = [] if session is None else session.streamed_tables(rows)
    formats = [one.format for one in streamed if one.format != OTHER]
    if formats and jvm.DELTA not in formats:
        raise TableError(
            f"{os.fspath(path_or_table)} is not a Delta table: its format is {formats[0]}. Read it "
            f"with `spark.readStream.table`, or convert it with `CONVERT TO DELTA`"
        )


def require_feed(rows: DataFrame, path_or_table: str | os.PathLike[str]) -> None:
    """Raise TableError for a table that Spark has read without the columns of a change feed."""
    if "_change_type" not in rows.columns:
        raise TableError(
            f"{os.fspath(path_or_table)} is not a Delta table, so it has no change feed. Give a "
            "Delta table with `delta.enableChangeDataFeed = true`"
        )
