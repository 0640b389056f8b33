# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a target demands of a query, which would fail with its first batch otherwise.

The table may change before that, so the sink checks the same again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from deltasource._checkpoint.hadoop_path import resolve
from deltasource._options.validation import Rule
from deltasource._options.write_options import WriteOptions
from deltasource._read.table_metadata import Columns, TableMetadata, table_metadata
from deltasource._read.unopened_table import named_if_unopened
from deltasource._session import jvm
from deltasource._text import is_path
from deltasource._types import SessionLike
from deltasource._write import column_types, newest_commit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SETTINGS: Final = "deltasource.applyChanges."
"""The names of the properties of a target of `apply_changes` begin with this."""

APPLIED: Final = (
    "must not be a target of apply_changes, which has one row for each key: write with "
    "apply_changes, or to another table. If it is no longer a target, as a copy may be, remove its "
    f"property with ALTER TABLE ... UNSET TBLPROPERTIES ('{SETTINGS}keys')"
)
PARTITIONED: Final = "must be left out or {}, by which the table is partitioned"
NOT_PARTITIONED: Final = "must be left out: the table exists, and is not partitioned"
NEW_COLUMNS: Final = (
    "must be True to add columns of the stream that the table does not have: {}; or leave them out "
    "with {}"
)
WRITTEN_WITH: Final = (
    "must be {stored}, as before: {target} has been written with it. For other settings, use a new "
    "target and a new checkpoint"
)

_TYPE: Final = r"[A-Z_]+(\([\d,]+\))?( COLLATE [\w.]+)?"
"""A type that a key may have, in SQL."""
_MAPPING: Final = "delta.columnmapping.mode"
_MAPPED: Final = "spark.databricks.delta.properties.defaults.columnMapping.mode"
_MERGES: Final = "spark.databricks.delta.schema.autoMerge.enabled"


def rules(
    frame: DataFrame, target: str | os.PathLike[str], options: WriteOptions
) -> Iterator[Rule]:
    """Return the rules for writing a stream into a table, which may not exist yet.

    Raises MissingCommitError, CommitError, UnsupportedReadFeatureError or
    UnsupportedWriteFeatureError if the table cannot be opened or written.
    """
    spark = frame.sparkSession
    table = _writable(spark, target)
    if table is None:
        if _MAPPING not in {name.lower() for name in options.extra}:
            yield from _new_table_rules("frame", frame.dtypes, spark)
        return
    applied = f"{SETTINGS}keys" in table.properties
    yield "path_or_table", os.fspath(target), not applied, APPLIED
    if options.overwrite_schema:
        return
    if options.partition_by:
        by = table.partitioned_by
        allowed = PARTITIONED.format(list(by)) if by else NOT_PARTITIONED
        is_same = _folded(options.partition_by) == _folded(by)
        yield "partition_by", options.partition_by, is_same, allowed
    yield from _column_rules("frame", frame.dtypes, table.columns, options.merge_schema, spark)


def settings_rules(
    spark: SessionLike,
    target: str | os.PathLike[str],
    *,
    keys: Sequence[str],
    sequence: Sequence[str] | None,
    scd_type: int,
    kept: Columns,
    merge_schema: bool,
) -> Iterator[Rule]:
    """Return the rules for `apply_changes` to a table, which may not exist yet.

    The sink compares the types of the keys as well. Raises what `rules` raises.

    Args:
        spark: The session.
        target: The table.
        keys: The names of the keys.
        sequence: The names of the columns that order the events; None without.
        scd_type: 1 or 2.
        kept: The columns of the stream that the target keeps.
        merge_schema: Whether new columns may be added.
    """
    table = _writable(spark, target)
    if table is None:
        yield from _new_table_rules("changes", kept, spark)
        return
    yield from _column_rules("changes", kept, table.columns, merge_schema, spark)
    properties = table.properties
    stored_type = properties.get(f"{SETTINGS}storedAsScdType")
    if stored_type is not None:
        yield _same(
            "stored_as_scd_type", scd_type, stored_type == str(scd_type), stored_type, target
        )
    stored_keys = properties.get(f"{SETTINGS}keys")
    if stored_keys is not None:
        yield _same("keys", keys, _are_named(stored_keys, keys), stored_keys, target)
    stored_sequence = properties.get(f"{SETTINGS}sequenceBy")
    if stored_sequence is not None and sequence is not None:
        is_same = stored_sequence.lower() == ", ".join(sequence).lower()
        yield _same("sequence_by", sequence, is_same, stored_sequence, target)


def _writable(spark: SessionLike, target: str | os.PathLike[str]) -> TableMetadata | None:
    """Return what a table says that Delta can write to; None if it cannot be opened.

    The features of a table with a name, or of one over Connect, are left to the query.
    """
    table, session = table_metadata(spark, target), jvm.classic_session(spark)
    if table is not None and session is not None and is_path(target):
        log = session.delta_log(os.fspath(target))
        snapshot = log.unsafeVolatileSnapshot()
        with named_if_unopened(target):
            log.protocolWrite(snapshot.protocol())
        newest_commit.require_whole(resolve(spark, os.fspath(target)), int(snapshot.version()))
    return table


def _new_table_rules(argument: str, stream: Columns, spark: SessionLike) -> Iterator[Rule]:
    """Return the rules for the columns of a table that does not exist.

    Over Connect, it may exist, with any names.
    """
    yield from column_types.no_type_rules(argument, stream)
    if jvm.classic_session(spark) is not None and not _maps_columns(spark):
        yield from column_types.new_name_rules(argument, stream)


def _column_rules(
    argument: str, stream: Columns, table: Columns, merge_schema: bool, spark: SessionLike
) -> Iterator[Rule]:
    """Return the rules for the types of columns that a table has, and for those it lacks."""
    yield from column_types.no_type_rules(argument, stream)
    yield from column_types.rules(argument, stream, table)
    if not merge_schema and not _always_merges(spark):
        known = [name.lower() for name, _ in table]
        new = [name for name, _ in stream if name.lower() not in known]
        way = "`drop`" if argument == "frame" else "`column_list` or `except_column_list`"
        yield "merge_schema", merge_schema, not new, NEW_COLUMNS.format(", ".join(new), way)


def _same(
    argument: str, given: object, is_same: bool, stored: str, target: str | os.PathLike[str]
) -> Rule:
    return argument, given, is_same, WRITTEN_WITH.format(stored=stored, target=os.fspath(target))


def _are_named(stored: str, keys: Sequence[str]) -> bool:
    """Whether the stored keys, each with its type, have these names in this order.

    True for text of another form, such as a name with a comma: the sink compares it.
    """
    if not all(re.fullmatch(f".+ {_TYPE}", one) for one in stored.split(", ")):
        return True
    pattern = ", ".join(f"{re.escape(one)} {_TYPE}" for one in keys)
    return re.fullmatch(pattern, stored, re.IGNORECASE) is not None


def _always_merges(spark: SessionLike) -> bool:
    session: Any = spark
    return bool(session.conf.get(_MERGES, "false").lower() == "true")


def _maps_columns(spark: SessionLike) -> bool:
    """Whether new tables have column mapping, and so any names of columns."""
    session: Any = spark
    return bool(session.conf.get(_MAPPED, "none").lower() != "none")


def _folded(names: Sequence[str]) -> list[str]:
    return [one.lower() for one in names]
