# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The net change of each key between two versions of a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from deltasource._apply.key_changes import KeyChanges
from deltasource._apply.settings_rules import FEED_COLUMNS
from deltasource._errors import OptionsError
from deltasource._options.column_names import NAMES_ALLOWED, ColumnNames, are_names, as_names
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import TABLE_ALLOWED, validate, validated
from deltasource._read.change_feed import Bound, read_changes
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NOT_UNIQUE: Final = (
    "[{condition}] net_changes: keys must identify each row of {table} in each version, got "
    "{keys}: give more columns, or remove the duplicates and start after that version"
)
"""Raised by Spark when the query runs, with the version's two rows and their key after it."""


@with_keyword_hints
def net_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    keys: str | Sequence[str],
    start: Bound,
    end: Bound | None = None,
) -> DataFrame:
    """Read the net change of each key between two commits, both included, as a batch DataFrame.

    Compares the last state of each key with its state before the first commit. A key that was
    inserted and deleted in between is left out, and so is one with the same values at both ends.
    The table needs `delta.enableChangeDataFeed = true`.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table, as for `read_stream`.
        keys: The columns that identify a row: a name or a list of names. If two rows have one key
            in one version, the query fails when it runs, with DELTASOURCE_INVALID_OPTIONS in the
            message.
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
        NoChangeFeedError: The table has no change feed, as for `read_changes`.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> from deltasource import Version
        >>> changes = deltasource.net_changes(
        ...     spark, "/tables/customers", keys=["id"], start=3, end=9
        ... )  # doctest: +SKIP
    """
    names = as_names(keys)
    feed = validated(
        lambda: read_changes(spark, path_or_table, start=start, end=end),
        ("path_or_table", path_or_table, is_location(path_or_table), TABLE_ALLOWED),
        ("keys", keys, are_names(names), NAMES_ALLOWED),
    )
    columns = ColumnNames([one for one in feed.dtypes if one[0] not in FEED_COLUMNS])
    validate(*columns.rules("keys", names))
    validate(*columns.key_rules("keys", names))
    failing = NOT_UNIQUE.format(
        condition=OptionsError.condition, table=os.fspath(path_or_table), keys=list(names)
    )
    return KeyChanges(columns, columns.all_found(names), failing).in_order(feed)
