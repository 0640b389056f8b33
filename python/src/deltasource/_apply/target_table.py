# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The target of `apply_changes` as a table of the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deltasource._apply.settings import ApplySettings
from deltasource._apply.settings_rules import RESERVED, SettingsRules
from deltasource._options.column_names import ColumnNames, same
from deltasource._read.table_metadata import Columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType, StructType

START_AT, END_AT, SEQUENCE = RESERVED


def create_if_missing(changes: DataFrame, table: str, settings: ApplySettings) -> None:
    """Create a table for the changes.

    Spark's `toTable` would create it with the columns of the events, not with those of the target.
    """
    catalog = changes.sparkSession.catalog
    if not catalog.tableExists(table):
        catalog.createTable(table, source="delta", schema=target_schema(changes, settings))


def target_schema(changes: DataFrame, settings: ApplySettings) -> StructType:
    """Return the columns of a new target, as the sink creates it at a path."""
    from pyspark.sql.types import StructField, StructType

    # Without the metadata of the columns, which is about the source's table.
    names = [name for name, _ in kept_columns(changes, settings)]
    kept = [StructField(one.name, one.dataType) for one in changes.schema if one.name in names]
    fields = {one.name.lower(): one for one in changes.schema}
    sequence = [fields[name.lower()] for name in settings.sequence_by or ()]
    kind = _sequence_type([(one.name, one.dataType) for one in sequence])
    if settings.stored_as_scd_type == 2:
        return StructType([*kept, StructField(START_AT, kind), StructField(END_AT, kind)])
    stored = bool(sequence) and all(one.name in names for one in sequence)
    return StructType(kept if stored else [*kept, StructField(SEQUENCE, kind)])


def kept_columns(changes: DataFrame, settings: ApplySettings) -> Columns:
    """Return the columns of the events that the target keeps."""
    columns = ColumnNames(changes.dtypes)
    return [one for one in changes.dtypes if _is_kept(one[0], columns, settings)]


def _is_kept(name: str, columns: ColumnNames, settings: ApplySettings) -> bool:
    """Whether the target keeps a column of the events."""
    if settings.column_list is not None:
        return any(same(name, one) for one in settings.column_list)
    excluded = [*(settings.except_column_list or ())]
    excluded += SettingsRules(settings, columns, "append").feed_columns
    return not any(same(name, one) for one in excluded)


def _sequence_type(sequence: Sequence[tuple[str, DataType]]) -> DataType:
    from pyspark.sql.types import LongType, StructField, StructType

    if len(sequence) == 1:
        return sequence[0][1]
    return StructType([StructField(*one) for one in sequence]) if sequence else LongType()
