# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Keeps a table up to date with the snapshots of another one."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from deltasource._apply.apply_changes import apply_changes, scd_number
from deltasource._apply.key_changes import CHANGE, KeyChanges, column, key_errors_named
from deltasource._apply.settings import ApplySettings
from deltasource._apply.settings_rules import SettingsRules
from deltasource._apply.staged_changes import StagedChanges, TableVersion
from deltasource._apply.target_table import END_AT
from deltasource._errors import OtherTableError
from deltasource._options.column_names import ColumnNames
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import FLAG_ALLOWED, TABLE_ALLOWED, Rule, validate
from deltasource._read.stream import load, load_if_exists, read_stream
from deltasource._session.requirements import require_our_jar_in
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session
from deltasource._write.locations import same_table
from deltasource._write.query_start import start_rules
from deltasource._write.table_location import locate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Metrics: TypeAlias = Mapping[str, str]

SNAPSHOT: Final = "_snapshot_version"
SAME_TABLE: Final = "must not be the source: its changes would be applied to itself"
NAME_RESERVED: Final = "must not have a column with a name that the changes have: rename it"
RECREATED: Final = (
    "{source} is not the table whose version {version} was applied: it is another one, or was "
    "dropped and created again. Overwrite a table instead (mode overwrite, or CREATE OR REPLACE "
    "TABLE); to follow this one, use a new target and a new checkpoint"
)


@dataclass(frozen=True, kw_only=True)
class AppliedSnapshot:
    """What `apply_snapshots` has done.

    Args:
        version: The version of the source that the target shows now.
        previous_version: The version that was applied before; None at the first call with a
            checkpoint.
        rows_inserted: Rows that were inserted into the target.
        rows_updated: Rows of the target that were replaced.
        rows_deleted: Rows that were deleted from the target.

    Example:
        >>> from deltasource import AppliedSnapshot
        >>> applied = AppliedSnapshot(
        ...     version=8, previous_version=7, rows_inserted=2, rows_updated=1, rows_deleted=0
        ... )
        >>> applied.version
        8
    """

    version: int
    previous_version: int | None
    rows_inserted: int
    rows_updated: int
    rows_deleted: int


@with_keyword_hints
def apply_snapshots(
    spark: SessionLike,
    target: str | os.PathLike[str],
    *,
    source: str | os.PathLike[str],
    keys: str | Sequence[str],
    checkpoint: str | os.PathLike[str],
    stored_as_scd_type: Literal[1, 2, "1", "2"] = 1,
    track_history_column_list: str | Sequence[str] | None = None,
    track_history_except_column_list: str | Sequence[str] | None = None,
    merge_schema: bool = False,
) -> AppliedSnapshot:
    """Make a table show the latest version of another one that is overwritten now and then.

    The source is a Delta table that is overwritten with all rows each time, such as a nightly dump.
    Its latest version is compared with the target by keys. New keys are inserted, rows with other
    values are updated, and keys that are absent are deleted. Nothing happens if that version has
    been applied already. With type 2, the history has a step for each call, not for each version of
    the source: `__START_AT` and `__END_AT` are versions of the source.

    The call returns when the target is up to date. If it fails or is killed, call it again: each
    change is applied exactly once. Do not call it twice at the same time with one checkpoint.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        target: The table, as for `apply_changes`. Rows that it has before the first call are
            compared as well.
        source: The table to follow, as for `read_stream`.
        keys: The columns that identify a row of the source: a name or a list of names.
        checkpoint: The folder that records what has been applied, which nothing else uses.
        stored_as_scd_type: 1 for the last values of each key, 2 for their history.
        track_history_column_list: For type 2, the columns whose change begins a new row, as for
            `apply_changes`.
        track_history_except_column_list: The columns whose change does not begin a new row.
        merge_schema: True adds columns that the target does not have yet.

    Returns:
        The version that the target shows now, and how many rows changed.

    Raises:
        OptionsError: An argument is invalid; the error lists all of them. Or the keys do not
            identify the rows of the source: two rows have one key, or a key is null.
        TableError: There is no Delta table at the path of the source.
        OtherTableError: The source was dropped and created again.
        NotLoadedError: A session runs without our jar, or without Delta's SQL, as after `attach`.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> applied = deltasource.apply_snapshots(
        ...     spark,
        ...     "shop.customers",
        ...     source="crm.dump",
        ...     keys=["id"],
        ...     checkpoint="/checkpoints/customers",
        ... )  # doctest: +SKIP
    """
    settings = ApplySettings(
        keys=keys,
        sequence_by=[SNAPSHOT],
        apply_as_deletes=f"{CHANGE} = 'delete'",
        apply_as_truncates=None,
        column_list=None,
        except_column_list=[CHANGE, SNAPSHOT],
        stored_as_scd_type=scd_number(stored_as_scd_type),
        track_history_column_list=track_history_column_list,
        track_history_except_column_list=track_history_except_column_list,
        ignore_null_updates=False,
        tombstones="forever",
    )
    given_rules = (
        ("spark", spark, is_session(spark), SESSION_ALLOWED),
        ("target", target, is_location(target), TABLE_ALLOWED),
        ("source", source, is_location(source), TABLE_ALLOWED),
        *start_rules(checkpoint, "available_now", None),
        ("merge_schema", merge_schema, isinstance(merge_schema, bool), FLAG_ALLOWED),
    )
    if not (is_session(spark) and is_location(source) and is_location(target)):
        # The columns of the source are not known.
        validate(
            *given_rules, *SettingsRules(settings, ColumnNames([]), "append").without_columns()
        )
    require_our_jar_in(spark)
    followed, shown = locate(spark, source), locate(spark, target)
    validate(*followed.rules("source"))
    columns = ColumnNames(load(spark.read, source, spark).dtypes)
    validate(
        *given_rules,
        *_rules(columns, settings),
        *shown.rules("target"),
        ("target", target, not same_table(shown, followed), SAME_TABLE),
    )
    staged = StagedChanges(spark, os.fspath(checkpoint))
    last, latest = staged.last(), TableVersion.latest(spark, source)
    if last is not None and last.table_id != latest.table_id:
        raise OtherTableError(RECREATED.format(source=os.fspath(source), version=last.version))
    # What an interrupted call has stored is applied first: the target is compared with below.
    counts = [] if last is None else _apply(staged, target, settings, merge_schema)
    if last is None or last.version < latest.version:
        after = load(spark.read.option("versionAsOf", latest.version), source)
        before = _current(spark, target, columns, is_history=settings.stored_as_scd_type == 2)
        compared = KeyChanges(columns, columns.all_found(settings.keys), "apply_snapshots")
        changes = compared.between(before, after)
        with key_errors_named(settings.keys, f"{os.fspath(source)}, version {latest.version}"):
            staged.append(_with_version(changes, latest.version), latest)
        counts += _apply(staged, target, settings, merge_schema)
    return AppliedSnapshot(
        version=latest.version,
        previous_version=None if last is None else last.version,
        rows_inserted=_sum(counts, "numRowsInserted"),
        rows_updated=_sum(counts, "numRowsUpdated"),
        rows_deleted=_sum(counts, "numRowsDeleted"),
    )


def _rules(columns: ColumnNames, settings: ApplySettings) -> Sequence[Rule]:
    reserved = [
        ("source", name, columns.find(name) is None, NAME_RESERVED) for name in (CHANGE, SNAPSHOT)
    ]
    added = ((CHANGE, "string"), (SNAPSHOT, "bigint"))
    staged = ColumnNames([*columns.dtypes, *added], internal=(CHANGE, SNAPSHOT))
    return [*reserved, *SettingsRules(settings, staged, "append").all()]


def _with_version(changes: DataFrame, version: int) -> DataFrame:
    from pyspark.sql import functions as sql

    return changes.withColumn(SNAPSHOT, sql.lit(version).cast("bigint"))


def _apply(
    staged: StagedChanges,
    target: str | os.PathLike[str],
    settings: ApplySettings,
    merge_schema: bool,
) -> list[Metrics]:
    """Apply what is stored and has not been applied; return the sink's metrics of each batch."""
    given: dict[str, Any] = {one.name: getattr(settings, one.name) for one in fields(settings)}
    query = apply_changes(
        read_stream(staged.spark, staged.path),
        target,
        checkpoint=staged.checkpoint,
        merge_schema=merge_schema,
        trigger="available_now",
        **given,
    )
    query.awaitTermination()
    return [one["sink"]["metrics"] or {} for one in query.recentProgress]


def _sum(batches: Sequence[Metrics], name: str) -> int:
    return sum(int(metrics.get(name, 0)) for metrics in batches)


def _current(
    spark: SessionLike,
    target: str | os.PathLike[str],
    columns: ColumnNames,
    *,
    is_history: bool,
) -> DataFrame | None:
    """Return the rows that the target shows, with the columns and types of the source."""
    from pyspark.sql import functions as sql

    rows = load_if_exists(spark, target)
    if rows is None:
        return None
    existing = ColumnNames(rows.dtypes)
    if is_history and existing.find(END_AT) is not None:
        rows = rows.where(column(END_AT).isNull())
    return rows.select(
        *(
            (column(name) if existing.find(name) else sql.lit(None)).cast(kind).alias(name)
            for name, kind in columns.dtypes
        )
    )
