# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a table has a change feed: otherwise a query fails only when it runs.

DeltaSourceError            the base class of all errors of this package
└── NoChangeFeedError       the table has no change feed, or not for the commits to read
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from deltasource._errors import DeltaSourceError
from deltasource._options.change_feed_property import PROPERTY, is_enabled
from deltasource._read.table_metadata import table_in_sql, table_metadata
from deltasource._session.quiet_errors import not_logged
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class NoChangeFeedError(DeltaSourceError):
    """The table has no change feed, or had none at a commit to read; the condition is Delta's.

    Example:
        >>> from deltasource import NoChangeFeedError
        >>> NoChangeFeedError.condition
        'DELTA_MISSING_CHANGE_DATA'
    """

    condition = "DELTA_MISSING_CHANGE_DATA"


def require_enabled(
    spark: SessionLike, changes: DataFrame, path_or_table: str | os.PathLike[str]
) -> None:
    """Raise NoChangeFeedError if the property of a table says that it has no change feed."""
    if not _is_enabled(spark, changes, path_or_table):
        advice = _advice(spark, path_or_table)
        raise NoChangeFeedError(f"{os.fspath(path_or_table)} has no change feed. {advice}")


def require_recorded(
    spark: SessionLike, changes: DataFrame, path_or_table: str | os.PathLike[str]
) -> None:
    """Raise NoChangeFeedError if a table has no change feed now, and had none for the changes.

    Only such a table costs a job, which reads a row.
    """
    from pyspark.errors import PySparkException

    if _is_enabled(spark, changes, path_or_table):
        return
    try:
        with not_logged():
            _ = changes.head(1)
    except PySparkException as error:
        if error.getCondition() != NoChangeFeedError.condition:
            raise
        raise NoChangeFeedError(
            f"{os.fspath(path_or_table)} had no change feed at a commit to read. "
            f"{_advice(spark, path_or_table)}"
        ) from error


def _advice(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> str:
    return (
        f"Turn it on with ALTER TABLE {table_in_sql(spark, path_or_table)} "
        f"SET TBLPROPERTIES ({PROPERTY} = true): it then has the changes of later commits"
    )


def _is_enabled(
    spark: SessionLike, changes: DataFrame, path_or_table: str | os.PathLike[str]
) -> bool:
    """Whether a table has a change feed now; True if that is not known: the query reports it."""
    found = table_metadata(spark, path_or_table, opened=changes)
    return found is None or is_enabled(found.properties)
