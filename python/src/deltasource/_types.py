# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Types that public signatures share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeGuard

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SESSION_ALLOWED: Final = "must be a session, as SparkSession.builder.getOrCreate() returns it"


def is_session(value: object) -> bool:
    """Whether this is a session, classic or Spark Connect, and not the class of one."""
    return hasattr(value, "sql") and not isinstance(value, type)


def is_stream(value: object) -> TypeGuard[DataFrame]:
    """Whether this is a streaming DataFrame."""
    return bool(getattr(value, "isStreaming", False))


class SessionLike(Protocol):
    """A Spark session, classic or Spark Connect.

    The two classes of PySpark have no common base class, so functions that accept both take this
    protocol. Both session classes satisfy it already; you never implement it yourself.

    Example:
        >>> import deltasource
        >>> def orders(spark: deltasource.SessionLike):
        ...     return deltasource.read_stream(spark, "/tables/orders")
    """

    @property
    def read(self) -> Any:
        """Spark's `DataFrameReader`."""
        ...

    @property
    def readStream(self) -> Any:  # noqa: N802 - Spark's name
        """Spark's `DataStreamReader`."""
        ...

    @property
    def streams(self) -> Any:
        """Spark's `StreamingQueryManager`, which lists the active queries of the session."""
        ...

    def sql(self, sqlQuery: str) -> Any:  # noqa: N803 - Spark's name
        """Run a SQL query.

        Args:
            sqlQuery: The text of the query.

        Returns:
            A DataFrame with the result.

        Example:
            >>> spark.sql("SELECT 1 AS one").collect()  # doctest: +SKIP
            [Row(one=1)]
        """
        ...
