# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Starts a query that writes into a table: its checkpoint, trigger and name."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from deltasource._checkpoint.offset_log import OR_NEW_CHECKPOINT, QUERY_ID
from deltasource._errors import CheckpointError, OptionsError
from deltasource._intervals import parse_interval
from deltasource._invalid_option import InvalidOption
from deltasource._options import keys
from deltasource._options.hints import nearest_trigger, with_hint
from deltasource._options.schema_tracking import is_location, spark_path_rule
from deltasource._options.validation import Rule, validate
from deltasource._session import connect_errors, jvm, own_confs
from deltasource._session.file_systems import named_if_unknown
from deltasource._session.table_names import named_if_not_a_name
from deltasource._text import is_path, short_repr
from deltasource._types import SessionLike
from deltasource._write.checkpoint_in_use import (
    active_queries,
    named_if_in_use,
    warn_if_replaced,
)

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery
    from pyspark.sql.streaming.readwriter import DataStreamWriter

Trigger: TypeAlias = Literal["available_now"] | str | timedelta
"""When batches start: until all available data is written, or at an interval: "5 minutes"."""

CHECKPOINT_ALLOWED = "must be the path of a folder that no other query uses"
TRIGGER_ALLOWED = (
    'must be "available_now", an interval such as "5 minutes", or a timedelta of whole '
    "milliseconds that is not negative"
)
NAME_ALLOWED = "must be a string that is not empty"
_JSON = "com.fasterxml.jackson."
SCHEMAS_ALLOWED = (
    "must contain the folder of schema_tracking of the stream, because Delta accepts no other: "
    "give SchemaTracking a location in the checkpoint, such as"
)
SCHEMAS_SHARED = (
    "must differ between two streams of one table in a query: give each SchemaTracking a source_id "
    "or a location of its own"
)
NEEDS_APPEND = 'must be "append" for this query, which does not aggregate rows'
NEEDS_COMPLETE = (
    'must be "complete" for this query, which aggregates rows without a watermark: each batch then '
    'replaces the table. To update only the groups that changed, use apply_changes(mode="update")'
)
FOLDER_IN_USE = (
    "must be a table, or the name of a new one: there is no such table, but its folder has files. "
    "Choose another name, or move the files away"
)
NAME_TAKEN = "must not be the name of a query that runs: stop that query, or choose another name"

_NAME_TAKEN = "as a query with that name is already active"

MILLISECOND = timedelta(milliseconds=1)


def start_rules(checkpoint: object, trigger: object, name: object) -> Iterator[Rule]:
    """Return the rules for the arguments of `start_query`."""
    yield "checkpoint", checkpoint, is_location(checkpoint), CHECKPOINT_ALLOWED
    yield spark_path_rule("checkpoint", checkpoint)
    trigger_allowed = with_hint(TRIGGER_ALLOWED, "trigger", nearest_trigger(trigger))
    yield "trigger", trigger, _is_trigger(trigger), trigger_allowed
    yield "name", name, name is None or _is_name(name), NAME_ALLOWED


def start_query(
    writer: DataStreamWriter,
    path_or_table: str | os.PathLike[str],
    *,
    spark: SessionLike,
    checkpoint: str | os.PathLike[str],
    trigger: Trigger,
    name: str | None,
) -> StreamingQuery:
    """Start a query.

    Raises TableError if Spark cannot parse the name of the table, CheckpointError if its checkpoint
    cannot be used, CheckpointInUseError if a query runs with it. If Spark stops that query instead,
    a warning says so.
    """
    writer = writer.option(keys.CHECKPOINT_LOCATION, os.fspath(checkpoint))
    writer = writer.trigger(**_spark_trigger(trigger))
    if name is not None:
        writer = writer.queryName(name)
    validate(*_conf_rules(spark))
    before = active_queries(spark)
    taken = name is not None and name in {query.name for query in before}
    validate(("name", name, not taken, NAME_TAKEN))
    with (
        _named_if_name_is_taken(name),
        named_if_in_use(spark, checkpoint),
        _named_if_refused(checkpoint, path_or_table),
    ):
        query = _started(writer, path_or_table, checkpoint)
    warn_if_replaced(before, query, checkpoint)
    return query


def _conf_rules(spark: SessionLike) -> Iterator[Rule]:
    """Return a broken rule for each conf of ours that is unknown or has an invalid value.

    Spark accepts any name, and reads a value only when the query runs. None over Connect.
    """
    session = jvm.classic_session(spark)
    given = {} if session is None else session.settings_below(own_confs.PREFIX)
    for name, mistake in own_confs.mistakes(given).items():
        yield name, given[name], False, mistake


@contextmanager
def _named_if_name_is_taken(name: str | None) -> Generator[None, None, None]:
    """Raise OptionsError if another query has the name; over Connect, only the server knows."""
    try:
        yield
    except Exception as error:
        if name is None or _NAME_TAKEN not in str(error):
            raise
        raise OptionsError([InvalidOption("name", short_repr(name), NAME_TAKEN)]) from None


@contextmanager
def _named_if_refused(
    checkpoint: str | os.PathLike[str], path_or_table: str | os.PathLike[str]
) -> Generator[None, None, None]:
    """Raise OptionsError if Spark or Delta refuses the query: their errors name no argument."""
    from pyspark.errors import AnalysisException

    try:
        yield
    except AnalysisException as error:
        folder, target = os.fspath(checkpoint), os.fspath(path_or_table)
        match error.getCondition():
            case "DELTA_STREAMING_SCHEMA_LOCATION_NOT_UNDER_CHECKPOINT":
                allowed = f"{SCHEMAS_ALLOWED} {folder.rstrip('/')}/schemas"
                problem = InvalidOption("checkpoint", folder, allowed)
            case "DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT":
                problem = InvalidOption("schema_tracking", "the same for both", SCHEMAS_SHARED)
            case "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION":
                problem = _mode_problem(str(error))
            case "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION":
                problem = InvalidOption("path_or_table", target, FOLDER_IN_USE)
            case _:
                raise
        raise OptionsError([problem]) from error


def _mode_problem(text: str) -> InvalidOption:
    """Return what is wrong with an output mode, from Spark's text, which names the mode first."""
    if "complete" in text.lower().partition("this output mode")[0]:
        return InvalidOption("mode", "'complete'", NEEDS_APPEND)
    return InvalidOption("mode", "'append'", NEEDS_COMPLETE)


def _started(
    writer: DataStreamWriter,
    path_or_table: str | os.PathLike[str],
    checkpoint: str | os.PathLike[str],
) -> StreamingQuery:
    if not is_path(path_or_table):
        table = os.fspath(path_or_table)
        with named_if_not_a_name(table):
            return writer.toTable(table)
    try:
        with connect_errors.io_errors(), jvm.io_errors(), named_if_unknown():
            return writer.start(os.fspath(path_or_table))
    except OSError as error:
        # The table is not opened yet, and the source has its own errors. Java's stack adds nothing.
        raise CheckpointError(_why(os.fspath(checkpoint), str(error.strerror))) from None


def _why(checkpoint: str, reason: str) -> str:
    # The only file in JSON that Spark reads before the query runs.
    if _JSON in reason:
        what = reason.partition("\n")[0].partition(": ")[2]  # The next lines are about Jackson.
        return (
            f"the file {checkpoint}/metadata is damaged: {what}. It has the id of the query: "
            f"restore it from a copy, write {QUERY_ID} again, with the queryId in "
            f"DESCRIBE HISTORY of the target, {OR_NEW_CHECKPOINT}"
        )
    return (
        f"cannot use the checkpoint {checkpoint}: {reason}. Check that it can be reached and that "
        "the query may list, read and write it"
    )


def _spark_trigger(trigger: Trigger) -> dict[str, Any]:
    match trigger:
        case "available_now":
            return {"availableNow": True}
        case timedelta():
            return {"processingTime": f"{trigger // MILLISECOND} milliseconds"}
        case _:
            return {"processingTime": trigger}


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name != ""


def _is_trigger(trigger: object) -> bool:
    if isinstance(trigger, timedelta):
        # Spark's resolution is a millisecond.
        return trigger >= timedelta(0) and trigger % MILLISECOND == timedelta(0)
    if not isinstance(trigger, str):
        return False
    return trigger == "available_now" or parse_interval(trigger) is not None
