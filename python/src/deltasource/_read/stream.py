# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads a table as a stream."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from deltasource._options.read_options import ReadOptions
from deltasource._options.validation import validate
from deltasource._session.requirements import require_our_jar_in
from deltasource._text import is_path
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SOURCE_NAME_ALLOWED = 'must be one or more ASCII letters, digits and "_"'

_SOURCE_NAME: Final = re.compile(r"[A-Za-z0-9_]+")


def read_stream(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
    source_name: str | None = None,
) -> DataFrame:
    """Read a Delta table as a stream.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table. An `os.PathLike` is a path, and so is text with a slash or a
            scheme; any other text is the name of a table.
        options: Where to start, how much to read in a batch, what to do at changes.
        source_name: Name that identifies this source in checkpoints instead of its position, as
            with `DataStreamReader.name` in Spark 4.2: ASCII letters, digits and "_". Spark refuses
            it unless `spark.sql.streaming.queryEvolution.enableSourceEvolution` is true.

    Returns:
        A streaming DataFrame with the columns of the table.

    Raises:
        OptionsError: The source name is invalid, or Spark is older than 4.2.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> from deltasource import ReadOptions, Version
        >>> options = ReadOptions(start=Version(7), max_files=100)
        >>> orders = deltasource.read_stream(
        ...     spark, "/tables/orders", options=options
        ... )  # doctest: +SKIP
    """
    reader = stream_reader(spark, options.to_spark(), source_name)
    return load(reader, path_or_table)


def stream_reader(spark: SessionLike, options: Mapping[str, str], source_name: str | None) -> Any:
    """Return Spark's stream reader with options and a name, after checking for our jar."""
    validate(("source_name", source_name, _is_source_name(source_name), SOURCE_NAME_ALLOWED))
    require_our_jar_in(spark)
    reader = spark.readStream.options(**options)
    if source_name is None:
        return reader
    validate(("source_name", source_name, hasattr(reader, "name"), "must be None before Spark 4.2"))
    return reader.name(source_name)


def load(reader: Any, path_or_table: str | os.PathLike[str]) -> DataFrame:
    """Load a table with Spark's reader of batches or of streams."""
    rows: DataFrame
    if is_path(path_or_table):
        rows = reader.format("delta").load(os.fspath(path_or_table))
    else:
        rows = reader.table(path_or_table)
    return rows


def _is_source_name(name: object) -> bool:
    return name is None or (isinstance(name, str) and bool(_SOURCE_NAME.fullmatch(name)))
