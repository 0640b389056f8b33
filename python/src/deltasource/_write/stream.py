# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a stream into a table."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from deltasource._errors import CheckpointError
from deltasource._options.validation import validate
from deltasource._options.write_options import WriteOptions
from deltasource._session import jvm
from deltasource._session.requirements import require_our_jar_in
from deltasource._text import is_path

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

Trigger: TypeAlias = Literal["available_now"] | timedelta
"""When batches start: until all available data is written, or at an interval."""

CHECKPOINT_ALLOWED = "must be the path of a folder that no other query uses"
TRIGGER_ALLOWED = (
    'must be "available_now", or a timedelta of whole milliseconds that is not negative'
)

_MILLISECOND = timedelta(milliseconds=1)


def write_stream(
    frame: DataFrame,
    path_or_table: str | os.PathLike[str],
    *,
    checkpoint: str | os.PathLike[str],
    options: WriteOptions = WriteOptions(),
    trigger: Trigger = timedelta(0),
) -> StreamingQuery:
    """Start writing a stream into a Delta table.

    Creates the table if it does not exist. The checkpoint records how far the query has read: when
    it is started again with the same checkpoint, it continues from there.

    Args:
        frame: A streaming DataFrame.
        path_or_table: The table. An `os.PathLike` is a path, and so is text with a slash or a
            scheme; any other text is the name of a table.
        checkpoint: The checkpoint folder of this query, which no other query uses.
        options: How to write: output mode, schema changes, metadata of commits.
        trigger: When batches start: a `timedelta` of whole milliseconds between their starts, or
            "available_now" to write all data that is available and then stop. By default a batch
            starts as soon as the one before it has finished.

    Returns:
        The query, which runs in the background.

    Raises:
        OptionsError: The checkpoint or the trigger is invalid.
        CheckpointError: The checkpoint cannot be read or written (classic sessions, and if the
            table is given by its path).
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> orders = deltasource.read_stream(spark, "/tables/orders")  # doctest: +SKIP
        >>> query = deltasource.write_stream(
        ...     orders, "/tables/copy", checkpoint="/checkpoints/copy", trigger="available_now"
        ... )  # doctest: +SKIP
        >>> query.awaitTermination()  # doctest: +SKIP
    """
    validate(
        ("checkpoint", checkpoint, _is_folder(checkpoint), CHECKPOINT_ALLOWED),
        ("trigger", trigger, _is_trigger(trigger), TRIGGER_ALLOWED),
    )
    require_our_jar_in(frame.sparkSession)
    writer = frame.writeStream.format("delta").outputMode(options.mode)
    writer = writer.options(**options.to_spark(), checkpointLocation=os.fspath(checkpoint))
    if isinstance(trigger, timedelta):
        writer = writer.trigger(processingTime=f"{trigger // _MILLISECOND} milliseconds")
    else:
        writer = writer.trigger(availableNow=True)
    if not is_path(path_or_table):
        return writer.toTable(os.fspath(path_or_table))
    try:
        with jvm.io_errors():
            return writer.start(os.fspath(path_or_table))
    except OSError as error:
        # The table is not opened yet, and the source has its own errors.
        raise CheckpointError(
            f"cannot use the checkpoint {os.fspath(checkpoint)}: {error.strerror}. Check that it "
            "can be reached and that the query may list, read and write it"
        ) from error


def _is_folder(checkpoint: object) -> bool:
    return isinstance(checkpoint, str | os.PathLike) and os.fspath(checkpoint) != ""


def _is_trigger(trigger: object) -> bool:
    if isinstance(trigger, timedelta):
        # Spark's resolution is a millisecond.
        return trigger >= timedelta(0) and trigger % _MILLISECOND == timedelta(0)
    return trigger == "available_now"
