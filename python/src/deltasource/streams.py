# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reading a table as a stream."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from deltasource import session
from deltasource._options.rules import check
from deltasource._session import jvm
from deltasource.options import ReadOptions
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SOURCE_NAME_ALLOWED = 'ASCII letters, digits and "_", at least one'

_SOURCE_NAME: Final = re.compile(r"[A-Za-z0-9_]+")


def read_stream(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
    source_name: str | None = None,
) -> DataFrame:
    """Read a Delta table as a stream.

    path_or_table  a path is an `os.PathLike`, or text with a slash or a scheme in it; any other
                   text is the name of a table
    options        where to begin, how much a batch takes, what to do at changes
    source_name    the name by which checkpoints know this source instead of its position, as
                   `DataStreamReader.name` of Spark 4.2 gives it: ASCII letters, digits and "_".
                   Spark refuses it unless its setting
                   `spark.sql.streaming.queryEvolution.enableSourceEvolution` is on

    Raises OptionsError for a name that cannot be; NotLoadedError or ShadowedError where a classic
    session does not run on our jar. What Delta refuses is raised as it is.
    """
    reader = stream_reader(spark, options.to_spark(), source_name)
    return frame(reader, path_or_table)


def stream_reader(spark: SessionLike, options: Mapping[str, str], source_name: str | None) -> Any:
    """Answer Spark's reader of streams, with options and a name, if our jar is there."""
    check(("source_name", source_name, _is_source_name(source_name), SOURCE_NAME_ALLOWED))
    require_ours(spark)
    reader = spark.readStream.options(**options)
    return reader if source_name is None else reader.name(source_name)


def _is_source_name(name: object) -> bool:
    return name is None or (isinstance(name, str) and bool(_SOURCE_NAME.fullmatch(name)))


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
