# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writing a stream into a table."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from deltasource import streams
from deltasource._options.rules import check
from deltasource.write_options import WriteOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

Trigger: TypeAlias = Literal["available_now"] | timedelta
"""When batches begin: at once until all that is there now is written, or so far apart."""

CHECKPOINT_ALLOWED = "the path of a folder for this stream alone"
TRIGGER_ALLOWED = '"available_now", or a timedelta of whole milliseconds, not negative'

_MILLISECOND = timedelta(milliseconds=1)


def write_stream(
    frame: DataFrame,
    path_or_table: str | os.PathLike[str],
    *,
    checkpoint: str | os.PathLike[str],
    options: WriteOptions = WriteOptions(),
    trigger: Trigger = timedelta(0),
) -> StreamingQuery:
    """Start to write a stream into a Delta table, which is made where there is none.

    The checkpoint remembers how far the stream has come: started again with it, it goes on from
    there. Where no trigger is given, a batch begins when the one before it is done. What the table
    is named by: see read_stream.
    """
    check(
        ("checkpoint", checkpoint, _is_folder(checkpoint), CHECKPOINT_ALLOWED),
        ("trigger", trigger, _is_trigger(trigger), TRIGGER_ALLOWED),
    )
    streams.require_ours(frame.sparkSession)
    writer = frame.writeStream.format("delta").outputMode(options.mode)
    writer = writer.options(**options.to_spark(), checkpointLocation=os.fspath(checkpoint))
    if isinstance(trigger, timedelta):
        writer = writer.trigger(processingTime=f"{trigger // _MILLISECOND} milliseconds")
    else:
        writer = writer.trigger(availableNow=True)
    if streams.is_path(path_or_table):
        return writer.start(os.fspath(path_or_table))
    return writer.toTable(os.fspath(path_or_table))


def _is_folder(checkpoint: object) -> bool:
    return isinstance(checkpoint, str | os.PathLike) and os.fspath(checkpoint) != ""


def _is_trigger(trigger: object) -> bool:
    if isinstance(trigger, timedelta):
        # Spark counts in milliseconds.
        return trigger >= timedelta(0) and trigger % _MILLISECOND == timedelta(0)
    return trigger == "available_now"
