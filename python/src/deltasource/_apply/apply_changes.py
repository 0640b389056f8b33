# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Keeps a table up to date with a stream of events."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, cast

from deltasource._apply import bootstrap as first_rows
from deltasource._apply.conditions import EventsWithConditions
from deltasource._apply.settings import ApplySettings
from deltasource._apply.settings_rules import SettingsRules, tracked_sequence
from deltasource._apply.target_table import create_if_missing, kept_columns
from deltasource._errors import OptionsError
from deltasource._logger import LOG
from deltasource._options import keys as options
from deltasource._options.column_names import ColumnNames
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.schema_tracking import is_location, spark_path_rule
from deltasource._options.validation import (
    FLAG_ALLOWED,
    TABLE_ALLOWED,
    broken,
    invalid_extra_options,
    validate,
)
from deltasource._session.table_names import named_if_not_a_name
from deltasource._text import is_path
from deltasource._types import is_stream
from deltasource._write import existing_target, locations, used_folders
from deltasource._write.query_start import Trigger, start_query, start_rules

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.streaming.query import StreamingQuery

STREAM_ALLOWED = "must be a streaming DataFrame"
SEQUENCE_TRACKED = (
    "each event begins a new row of the history, because %s differs in every event and is tracked. "
    "Add it to except_column_list or track_history_except_column_list"
)


@with_keyword_hints
def apply_changes(
    changes: DataFrame,
    target: str | os.PathLike[str],
    *,
    checkpoint: str | os.PathLike[str],
    keys: str | Sequence[str],
    sequence_by: str | Sequence[str] | None = None,
    apply_as_deletes: str | Column | None = None,
    apply_as_truncates: str | Column | None = None,
    column_list: str | Sequence[str] | None = None,
    except_column_list: str | Sequence[str] | None = None,
    stored_as_scd_type: Literal[1, 2, "1", "2"] = 1,
    track_history_column_list: str | Sequence[str] | None = None,
    track_history_except_column_list: str | Sequence[str] | None = None,
    ignore_null_updates: bool | str | Sequence[str] = False,
    bootstrap: DataFrame | None = None,
    tombstones: timedelta | Literal["forever"] = timedelta(days=7),
    trigger: Trigger = timedelta(0),
    name: str | None = None,
    merge_schema: bool = False,
    mode: Literal["append", "update"] = "append",
    extra: Mapping[str, str] | None = None,
) -> StreamingQuery:
    """Keep a Delta table up to date with a stream of inserts, updates and deletes.

    Each row of `changes` is an event: the new values of a key, or its delete. The target depends
    only on the set of events, not on the order in which they arrive, on how they are divided into
    batches, on events that arrive twice, or on restarts of the query.

    With type 1, the target has one row for each key: its last event, unless that is a delete. With
    type 2, it has a row for each period in which the tracked columns of a key did not change.
    `__START_AT` is the sequence at the start of the period. `__END_AT` is the sequence at its end,
    or null if the period has not ended.

    For the result of `stream_changes`, only `keys` is needed: a change feed says which events are
    deletes, and in which order they happened.

    Args:
        changes: A streaming DataFrame.
        target: The table, created if it does not exist. An `os.PathLike` is a path, and so is text
            with a slash or a scheme; any other text is the name of a table.
        checkpoint: The checkpoint folder of this query, which no other query uses.
        keys: The columns that identify a row: a name or, as for all arguments with columns, a list
            of names.
        sequence_by: The columns that order the events of a key. Two events with one
            key, one sequence and different content are an error. Leave it out in update mode, where
            a later batch wins. Leave it out for a change feed, too: with a sequence, a change feed
            is accepted only if `apply_as_deletes` is given.
        apply_as_deletes: Which events delete their key: a SQL condition such as "op = 'D'", or a
            boolean `Column`.
        apply_as_truncates: Which events delete all rows whose sequence is not greater than their
            own; type 1 only.
        column_list: The columns that the target keeps, the keys among them. By default all, without
            the columns that a change feed adds.
        except_column_list: The columns that the target does not keep, instead of `column_list`.
        stored_as_scd_type: 1 for the last values of each key, 2 for their history.
        track_history_column_list: For type 2, the columns whose change begins a new row. By default
            all but the keys. A change of other columns overwrites them in the row of its period.
        track_history_except_column_list: The columns whose change does not begin a new row, instead
            of `track_history_column_list`.
        ignore_null_updates: True, or a list of columns: a null does not replace a value; type 1
            only.
        bootstrap: The rows that a new target has before any event, such as an export of another
            system: a batch DataFrame with the columns that the target keeps. A row is older than
            all events, unless `bootstrap` has the columns of `sequence_by`. Not applied again by
            the next call.
        tombstones: How long deletes are remembered, so that an older event which arrives later does
            not bring the row back: a `timedelta` of whole milliseconds, or "forever".
        trigger: When batches start, as for `write_stream`.
        name: The name of the query, as for `write_stream`.
        merge_schema: True adds columns that the target does not have yet.
        mode: "append", or "update" for an aggregation whose grouping columns are the keys.
        extra: Options for Spark, Delta or a file system under their names in Spark.

    Returns:
        The query, which runs in the background.

    Raises:
        OptionsError: An argument is invalid; the error lists all of them. Or the target is a table
            that the stream reads, or the name of a view or of a table in another format; or it has
            been written with other keys, another sequence or another type; or a column of the
            events has no type or, for a new target, a name with a space. Over Connect, that is not
            checked if its path is relative. Classic sessions also refuse a start
            after the latest version of a table.
        MissingCommitError, CommitError: The log of the target is damaged.
        UnsupportedReadFeatureError, UnsupportedWriteFeatureError: Delta Lake does not know a
            feature of the target.
        RemotePathError: Spark does not have the file system of the target or the checkpoint.
        CheckpointError: The checkpoint is damaged (reported only by classic sessions); or it cannot
            be read or written, and the target is given by its path.
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
        >>> feed = deltasource.stream_changes(spark, "/bronze/customers")  # doctest: +SKIP
        >>> query = deltasource.apply_changes(
        ...     feed, "/silver/customers", checkpoint="/checkpoints/customers", keys=["id"]
        ... )  # doctest: +SKIP
    """
    given_rules = (
        ("changes", changes, is_stream(changes), STREAM_ALLOWED),
        ("target", target, is_location(target), TABLE_ALLOWED),
        spark_path_rule("target", target),
        *start_rules(checkpoint, trigger, name),
        ("merge_schema", merge_schema, isinstance(merge_schema, bool), FLAG_ALLOWED),
        *locations.rules_of(changes, checkpoint, target, "target"),
    )
    has_columns = hasattr(changes, "isStreaming")
    with_conditions = EventsWithConditions(changes, {})
    if has_columns:
        with_conditions = with_conditions.adding("apply_as_deletes", apply_as_deletes)
        with_conditions = with_conditions.adding("apply_as_truncates", apply_as_truncates)
    settings = ApplySettings(
        keys=keys,
        sequence_by=sequence_by,
        apply_as_deletes=with_conditions.texts.get("apply_as_deletes"),
        apply_as_truncates=with_conditions.texts.get("apply_as_truncates"),
        column_list=column_list,
        except_column_list=except_column_list,
        stored_as_scd_type=scd_number(stored_as_scd_type),
        track_history_column_list=track_history_column_list,
        track_history_except_column_list=track_history_except_column_list,
        ignore_null_updates=ignore_null_updates,
        tombstones=tombstones,
    )
    if not has_columns:
        settings_rules = SettingsRules(settings, ColumnNames([]), mode).without_columns()
        validate(*given_rules, *settings_rules)
    unclear = broken(
        *SettingsRules(settings, ColumnNames(changes.dtypes), mode).all(), *with_conditions.rules
    )
    invalid = broken(*given_rules) + unclear
    # Which columns the first rows need depends on the settings.
    invalid += broken(*first_rows.rules(bootstrap, changes, None if unclear else settings))
    invalid += invalid_extra_options(extra or {}, options.APPLY_ARGUMENTS)
    if invalid:
        raise OptionsError(invalid)
    validate(
        *existing_target.settings_rules(
            changes.sparkSession,
            target,
            keys=settings.keys,
            sequence=settings.sequence_by,
            scd_type=settings.stored_as_scd_type,
            kept=kept_columns(changes, settings),
            merge_schema=merge_schema,
        ),
        *used_folders.rules(changes, checkpoint, target, "target"),
    )
    if tracked := tracked_sequence(settings):
        LOG.warning(SEQUENCE_TRACKED, ", ".join(tracked))
    if bootstrap is not None:
        first_rows.create_once(bootstrap, changes, target, settings)
    if not is_path(target):
        with named_if_not_a_name(os.fspath(target)):
            create_if_missing(changes, os.fspath(target), settings)
    given = settings.without(with_conditions.added).to_spark()
    if merge_schema:
        given[options.MERGE_SCHEMA] = "true"
    writer = with_conditions.events.writeStream.format("delta").outputMode(mode)
    writer = writer.options(**given, **(extra or {}))
    return start_query(
        writer,
        target,
        spark=changes.sparkSession,
        checkpoint=checkpoint,
        trigger=trigger,
        name=name,
    )


def scd_number(scd_type: int | str) -> int:
    """Return the type as a number; Databricks takes text, too. What is wrong is refused later."""
    return int(scd_type) if scd_type in ("1", "2") else cast(int, scd_type)
