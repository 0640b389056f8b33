# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reading a table as a stream."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from deltasource import _jvm, session
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
    classic = _jvm.session(spark)
    if classic is not None:
        session.require_ours(classic)
    reader = spark.readStream.options(**options.to_spark())
    frame: DataFrame
    if is_path(path_or_table):
        frame = reader.format("delta").load(os.fspath(path_or_table))
    else:
        frame = reader.table(path_or_table)
    return frame


def is_path(path_or_table: str | os.PathLike[str]) -> bool:
    """Whether this names a path rather than a table."""
    return not isinstance(path_or_table, str) or bool(
        re.search(r"/|^[A-Za-z][\w+.-]*:", path_or_table)
    )
