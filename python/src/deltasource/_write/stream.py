# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a stream into a table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from deltasource._options.column_names import ColumnNames, are_names, as_names
from deltasource._options.keyword_hints import with_option_hints
from deltasource._options.schema_tracking import is_location, spark_path_rule
from deltasource._options.short_calls import with_keywords
from deltasource._options.validation import TABLE_ALLOWED, Rule, validate, validated
from deltasource._options.write_options import OutputMode, WriteOptions
from deltasource._types import is_stream
from deltasource._write import existing_target, locations, used_folders
from deltasource._write.query_start import Trigger, start_query, start_rules

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

FRAME_ALLOWED = "must be a streaming DataFrame, as read_stream returns it"

SAME_NAMES = (
    "must not have several columns of one name, also if the case differs: rename one of {} with "
    "`alias`"
)
ALL_COLUMNS = "must not be all columns of the stream: Delta stores no file without other columns"


@with_option_hints(WriteOptions)
def write_stream(
    frame: DataFrame,
    path_or_table: str | os.PathLike[str],
    *,
    checkpoint: str | os.PathLike[str],
    options: WriteOptions = WriteOptions(),
    trigger: Trigger = timedelta(0),
    name: str | None = None,
    mode: OutputMode | None = None,
    merge_schema: bool | None = None,
    overwrite_schema: bool | None = None,
    user_metadata: str | None = None,
    partition_by: str | Sequence[str] | None = None,
    extra: Mapping[str, str] | None = None,
) -> StreamingQuery:
    """Start writing a stream into a Delta table.

    Creates the table if it does not exist. The checkpoint records how far the query has read: when
    it is started again with the same checkpoint, it continues from there.

    Args:
        frame: A streaming DataFrame.
        path_or_table: The table. An `os.PathLike` is a path, and so is text with a slash or a
            scheme; any other text is the name of a table. Not a table that the stream reads: a
            query that reads what it writes never ends.
        checkpoint: The checkpoint folder of this query, which no other query uses. Not in the
            folder of a table that the query reads or writes, where VACUUM would delete it, unless
            the name of the folder begins with "_" or ".".
        options: How to write: output mode, schema changes, metadata of commits. A keyword replaces
            the option of the same name.
        trigger: When batches start: "available_now" writes all data that is available and then
            stops; an interval such as "5 minutes", or a `timedelta` of whole milliseconds, starts
            a batch each time this interval has passed. By default a batch starts as soon as the one
            before it has finished.
        name: The name of the query, in Spark's UI, its progress and metrics; no other active query
            of the session may have it.
        mode: "append" (the default), or "complete" to replace all rows with each batch. This
            argument and those after it are fields of `WriteOptions`.
        merge_schema: True adds columns that the table does not have yet.
        overwrite_schema: True makes each batch replace the schema too; needs mode "complete".
        user_metadata: Text that is stored with each commit.
        partition_by: The partition columns, a name or a list of names, if the query creates the
            table.
        extra: Options for Spark, Delta or a file system under their names in Spark.

    Returns:
        The query, which runs in the background.

    Raises:
        OptionsError: One of these. The stream, the table, the checkpoint, the trigger, the name or
            an option is invalid. The stream has a column without a type or, for a new table, a name
            with a space. The target is a view, or a table in another format. The stream records its
            schemas outside the checkpoint. The target is a table that the stream reads, or the
            checkpoint is in the folder of such a table. The target is one of `apply_changes`, has
            other partition columns, has a column whose type does not fit, or lacks a column of the
            stream, and `merge_schema` is not set. The query is new, and the folder of the target
            has files, but no table, or that of the checkpoint has files of others, or it starts
            after the latest version of a table (these three are reported only by classic sessions).
            A conf `spark.deltasource.*` is unknown. Over Connect, a target that exists is not
            checked if its path is relative.
        TableError: Spark cannot parse the name of the table.
        MissingCommitError, CommitError: The log of the target is damaged.
        UnsupportedReadFeatureError, UnsupportedWriteFeatureError: Delta Lake does not know a
            feature of the target.
        RemotePathError: Spark does not have the file system of the table or the checkpoint.
        CheckpointError: The checkpoint is damaged (reported only by classic sessions); or it cannot
            be read or written, and the table is given by its path.
        OtherTableError: The checkpoint has read another table than the stream, such as one that was
            deleted and created again (reported only by classic sessions).
        BeyondTableError: The checkpoint has read more versions than the table has, because an older
            copy of it was restored (reported only by classic sessions).
        OtherTargetError: The query has written batches with this checkpoint, and the target does
            not exist or lacks them (reported only by classic sessions).
        CheckpointInUseError: A query that runs uses the checkpoint, and Spark is set to refuse the
            second (`spark.sql.streaming.stopActiveRunOnRestart`) instead of stopping the first.
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
    chosen = validated(
        lambda: with_keywords(
            options,
            WriteOptions,
            mode=mode,
            merge_schema=merge_schema,
            overwrite_schema=overwrite_schema,
            user_metadata=user_metadata,
            partition_by=partition_by,
            extra=extra,
        ),
        ("frame", frame, is_stream(frame), FRAME_ALLOWED),
        ("path_or_table", path_or_table, is_location(path_or_table), TABLE_ALLOWED),
        spark_path_rule("path_or_table", path_or_table),
        *start_rules(checkpoint, trigger, name),
        *locations.rules_of(frame, checkpoint, path_or_table),
        *_column_rules(frame, partition_by or getattr(options, "partition_by", None)),
    )
    validate(
        *existing_target.rules(frame, path_or_table, chosen),
        *used_folders.rules(
            frame,
            checkpoint,
            path_or_table,
            "path_or_table",
            replaces_table=chosen.mode == "complete",
        ),
    )
    writer = _writer(frame, chosen)
    return start_query(
        writer,
        path_or_table,
        spark=frame.sparkSession,
        checkpoint=checkpoint,
        trigger=trigger,
        name=name,
    )


def _column_rules(frame: object, partition_by: object) -> Iterator[Rule]:
    """Return the rules for the columns of the stream, and for the partition columns."""
    if is_stream(frame):
        names = [one.lower() for one, _ in frame.dtypes]
        same = sorted({one for one in names if names.count(one) > 1})
        yield "frame", frame, not same, SAME_NAMES.format(", ".join(same))
    by = as_names(partition_by)
    if are_names(by) and is_stream(frame):
        yield from ColumnNames(frame.dtypes).rules("partition_by", by)
        others = {one.lower() for one, _ in frame.dtypes} - {one.lower() for one in by}
        yield "partition_by", by, bool(others), ALL_COLUMNS


def _writer(frame: DataFrame, options: WriteOptions) -> DataStreamWriter:
    writer = frame.writeStream.format("delta").outputMode(options.mode)
    writer = writer.options(**options.to_spark())
    if options.partition_by:
        writer = writer.partitionBy(*options.partition_by)
    return writer
