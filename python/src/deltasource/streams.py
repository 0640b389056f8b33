# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reading a table as a stream."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from deltasource import session
from deltasource._session import jvm
from deltasource.options import ReadOptions
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def read_stream(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
) -> DataFrame:
    """Read a Delta table as a stream.

    A path is an `os.PathLike`, or text with a slash or a scheme in it; any other text is the name
    of a table.
    """
    require_ours(spark)
    return frame(spark.readStream.options(**options.to_spark()), path_or_table)


def require_ours(spark: SessionLike) -> None:
    """Fail if a session of this process runs without our jar; one elsewhere cannot be asked."""
    classic = jvm.session(spark)
    if classic is not None:
        session.require_ours(classic)


def frame(reader: Any, path_or_table: str | os.PathLike[str]) -> DataFrame:
    """Let Spark's reader, of batches or of streams, read a table."""
    rows: DataFrame
    if is_path(path_or_table):
        rows = reader.format("delta").load(os.fspath(path_or_table))
    else:
        rows = reader.table(path_or_table)
    return rows


def is_path(path_or_table: str | os.PathLike[str]) -> bool:
    """Whether this names a path rather than a table."""
    return not isinstance(path_or_table, str) or bool(
        re.search(r"/|^[A-Za-z][\w+.-]*:", path_or_table)
    )
