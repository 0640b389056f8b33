# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The net change of each key between two versions of a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from deltasource._apply.column_names import ColumnNames
from deltasource._apply.settings_rules import FEED_COLUMNS
from deltasource._options.validation import validate
from deltasource._read.change_feed import Bound, read_changes
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

CHANGE, VERSION, _ = FEED_COLUMNS
BEFORE: Final = ("delete", "update_preimage")
TWO_ROWS: Final = "net_changes: two rows have one key in one version; keys must identify a row: "

_WITHOUT_EQUALITY: Final = ("map<", "variant")


def net_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    keys: Sequence[str],
    start: Bound,
    end: Bound | None = None,
) -> DataFrame:
    """Read the net change of each key between two commits of a table, both included, as a batch.

    Compares the last state of each key with its state before the first commit. A key that was
    inserted and deleted in between is left out, and so is one with the same values at both ends.
    The table needs `delta.enableChangeDataFeed = true`.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table, as for `read_stream`.
        keys: The columns that identify a row. If two rows have one key, the query fails when it
            runs.
        start: The first commit to read: a version such as 7, a `datetime` with a time zone,
            Version(7) or Time(at).
        end: The last commit to read, in the same forms; None reads up to the latest version.

    Returns:
        A DataFrame with a row for each key that changed: the columns of the table, followed by
        `_change_type` (string): "insert", "update" or "delete". A deleted key has its values
        before the first commit, the others have their last values.

    Raises:
        OptionsError: An argument is invalid; the keys are compared with the columns of the table.
        TableError: There is no Delta table at the path, as for `read_stream`.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> from deltasource import Version
        >>> changes = deltasource.net_changes(
        ...     spark, "/tables/customers", keys=["id"], start=3, end=9
        ... )  # doctest: +SKIP
    """
    feed = read_changes(spark, path_or_table, start=start, end=end)
    columns = ColumnNames([one for one in feed.dtypes if one[0] not in FEED_COLUMNS])
    validate(*columns.rules("keys", keys))
    found = [one for one in map(columns.find, keys) if one is not None]
    validate(*columns.key_rules("keys", keys))
    return _net(feed, [name for name, _ in found], columns)


def _net(feed: DataFrame, keys: Sequence[str], columns: ColumnNames) -> DataFrame:
    from pyspark.sql import functions as sql

    by = [_column(name) for name in keys]
    rest = [name for name, _ in columns.dtypes if name not in keys]
    # A key may be the only column, and a struct needs one.
    values = sql.struct(sql.lit(1).alias("_"), *map(_column, rest))
    is_before = sql.col(CHANGE).isin(*BEFORE)
    ends = feed.groupBy(*by, VERSION).agg(
        sql.count_if(is_before).alias("_befores"),
        sql.count_if(~is_before).alias("_afters"),
        sql.first(sql.when(is_before, values), ignorenulls=True).alias("_before"),
        sql.first(sql.when(~is_before, values), ignorenulls=True).alias("_after"),
    )
    two = (sql.col("_befores") > 1) | (sql.col("_afters") > 1)
    key = sql.to_json(sql.struct(*by, sql.col(VERSION)))
    error = sql.when(two, sql.raise_error(sql.concat(sql.lit(TWO_ROWS), key)).cast("boolean"))
    checked = ends.where(sql.coalesce(error, sql.lit(True)))
    states = checked.groupBy(*by).agg(
        sql.min_by("_before", VERSION).alias("_before"),
        sql.max_by("_after", VERSION).alias("_after"),
    )
    return states.where(~_equal(columns, rest)).select(
        *[_chosen(name, keys) for name, _ in columns.dtypes], _change_type()
    )


def _change_type() -> Column:
    from pyspark.sql import functions as sql

    deleted = sql.when(sql.col("_after").isNull(), "delete")
    return deleted.when(sql.col("_before").isNull(), "insert").otherwise("update").alias(CHANGE)


def _chosen(name: str, keys: Sequence[str]) -> Column:
    from pyspark.sql import functions as sql

    if name in keys:
        return _column(name)
    after, before = sql.col("_after"), sql.col("_before")
    value = sql.when(after.isNull(), before.getField(name)).otherwise(after.getField(name))
    return value.alias(name)


def _equal(columns: ColumnNames, names: Sequence[str]) -> Column:
    """Whether both states are the same; two that do not exist are."""
    from pyspark.sql import functions as sql

    def same(name: str) -> Column:
        kind = dict(columns.dtypes)[name]
        before, after = sql.col("_before").getField(name), sql.col("_after").getField(name)
        if any(one in kind for one in _WITHOUT_EQUALITY):
            # Spark does not compare these. Maps whose entries have another order count as changed.
            before, after = sql.to_json(sql.struct(before)), sql.to_json(sql.struct(after))
        return before.eqNullSafe(after)

    exist = sql.col("_before").isNull() == sql.col("_after").isNull()
    return reduce(lambda one, other: one & other, map(same, names), exist)


def _column(name: str) -> Column:
    from pyspark.sql import functions as sql

    return sql.col("`" + name.replace("`", "``") + "`")
