# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs a stream to its end and returns its rows."""

from __future__ import annotations

import os
import uuid
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast, get_args

from deltasource._options import keys
from deltasource._options.column_names import as_names
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._options.write_options import MODE_ALLOWED, OutputMode
from deltasource._session.own_confs import FAIL_ON_OTHER_TARGET
from deltasource._types import is_stream

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row

FRAME_ALLOWED: Final = "must be a streaming DataFrame, as read_stream returns it"
CHECKPOINT_ALLOWED: Final = "must be the path of a folder that no other query uses"
ORDER_ALLOWED: Final = "must be columns of the frame"


@with_keyword_hints
def drain(
    frame: DataFrame,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    order_by: str | Sequence[str] = (),
    mode: OutputMode = "append",
) -> list[Row]:
    """Run a stream until it has read everything that is available; return its rows.

    With a checkpoint, the next call returns only the rows that are new, as a restart does. The
    trigger is AvailableNow. It works with any streaming DataFrame: rows, change feeds, joins and
    aggregations. It should work over Spark Connect, but we have tested it only with classic Spark.
    The rows of a call with a checkpoint go through a temporary Delta table in the session's current
    schema; that table is dropped at the end.

    Args:
        frame: A streaming DataFrame.
        checkpoint: The folder that records what was read; over Spark Connect a folder of the
            server. None reads from the start of the stream in each call.
        order_by: The columns to sort the rows by. Without it, they are in no particular order.
        mode: "append" (the default), or "complete" for an aggregation without a watermark: all
            rows of its result, or none if there was nothing new.

    Returns:
        The rows. If the query failed in an earlier call, the batches that it had finished are done:
        their rows are not returned again.

    Raises:
        OptionsError: The frame is not a stream, or another argument is invalid.
        StreamingQueryException: The query failed.

    Example:
        >>> import deltasource
        >>> from deltasource.testing import drain
        >>> orders = deltasource.read_stream(spark, "/tables/orders")  # doctest: +SKIP
        >>> drain(orders, checkpoint="/tmp/c", order_by="id")  # doctest: +SKIP
        [Row(id=1), Row(id=2)]
        >>> drain(orders, checkpoint="/tmp/c")  # doctest: +SKIP
        []
    """
    streams = is_stream(frame)
    columns = frame.columns if streams else []
    names = as_names(order_by)
    validate(
        ("frame", frame, streams, FRAME_ALLOWED),
        (
            "checkpoint",
            checkpoint,
            checkpoint is None or _is_folder(checkpoint),
            CHECKPOINT_ALLOWED,
        ),
        ("order_by", order_by, not streams or _are_columns(names, columns), ORDER_ALLOWED),
        ("mode", mode, mode in get_args(OutputMode), MODE_ALLOWED),
    )
    rows = _Rows(frame, mode)
    return rows.in_memory(names) if checkpoint is None else rows.in_table(names, checkpoint)


class _Rows:
    """The rows of a stream, in a place that exists for the duration of one call."""

    def __init__(self, frame: DataFrame, mode: OutputMode) -> None:
        self._frame = frame
        self._mode = mode
        self._spark = frame.sparkSession
        self._place = f"deltasource_drain_{uuid.uuid4().hex}"

    def in_memory(self, names: Sequence[str]) -> list[Row]:
        writer = self._writer(self._frame).format("memory").queryName(self._place)
        try:
            _wait(writer.start())
            return _sorted(self._spark.table(self._place), names)
        finally:
            self._spark.catalog.dropTempView(self._place)

    def in_table(self, names: Sequence[str], checkpoint: str | os.PathLike[str]) -> list[Row]:
        # Spark's memory sink cannot be restarted, and its file sinks not with another folder. A
        # Delta table does not accept every column name that a stream may have.
        columns = self._frame.columns
        renamed = self._frame.toDF(*(f"c{number}" for number in range(len(columns))))
        writer = self._writer(renamed).format("delta")
        writer = writer.option(keys.CHECKPOINT_LOCATION, os.fspath(checkpoint))
        try:
            with _other_targets_allowed(self._spark):
                query = writer.toTable(self._place)
            _wait(query)
            return _sorted(self._spark.table(self._place).toDF(*columns), names)
        finally:
            self._spark.sql(f"DROP TABLE IF EXISTS {self._place}")

    def _writer(self, frame: DataFrame) -> Any:
        return frame.writeStream.outputMode(self._mode).trigger(availableNow=True)


@contextmanager
def _other_targets_allowed(spark: Any) -> Generator[None, None, None]:
    """Let the queries that are started go on in a table that lacks their earlier batches."""
    before = spark.conf.get(FAIL_ON_OTHER_TARGET, None)
    spark.conf.set(FAIL_ON_OTHER_TARGET, "false")
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(FAIL_ON_OTHER_TARGET)
        else:
            spark.conf.set(FAIL_ON_OTHER_TARGET, before)


def _wait(query: Any) -> None:
    try:
        query.awaitTermination()
    finally:
        # It runs on if the wait was interrupted.
        query.stop()


def _sorted(frame: DataFrame, names: Sequence[str]) -> list[Row]:
    quoted = [f"`{name.replace('`', '``')}`" for name in names]
    return (frame.orderBy(*quoted) if quoted else frame).collect()


def _is_folder(checkpoint: object) -> bool:
    return isinstance(checkpoint, str | os.PathLike) and os.fspath(checkpoint) != ""


def _are_columns(names: object, columns: Sequence[str]) -> bool:
    return isinstance(names, Sequence) and all(one in columns for one in cast(Sequence[str], names))
