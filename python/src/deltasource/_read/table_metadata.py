# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The columns and properties of a table, read without a job, unlike DESCRIBE DETAIL."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from deltasource._errors import CommitError, DeltaSourceError
from deltasource._log_gaps import MissingCommitError
from deltasource._read.stream import load
from deltasource._read.table_features import UnsupportedReadFeatureError
from deltasource._session import jvm
from deltasource._session.quiet_errors import not_logged
from deltasource._session.scala_collections import elements
from deltasource._text import is_path
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Columns: TypeAlias = Sequence[tuple[str, str]]
"""The name and the type of each, as `DataFrame.dtypes` returns them."""

_PARTITIONS: Final = "# Partition Information"
_REDACTED: Final = "(redacted)"


@dataclass(frozen=True)
class TableMetadata:
    """The names and types of a table's columns, its properties, and its partition columns.

    Properties that look like secrets may be missing.
    """

    columns: Columns
    properties: Mapping[str, str]
    partitioned_by: Sequence[str]


def table_metadata(
    spark: SessionLike, path_or_table: str | os.PathLike[str], opened: DataFrame | None = None
) -> TableMetadata | None:
    """Return what the latest version of a table says; None if it cannot be opened.

    That is left to the query, which says what is wrong. None also over Connect for a relative path.
    Raises MissingCommitError, CommitError or UnsupportedReadFeatureError.

    Args:
        spark: The session.
        path_or_table: The table.
        opened: A DataFrame of the table that was loaded just now, whose columns are returned; None
            loads one.
    """
    from pyspark.errors import PySparkException

    text, session = os.fspath(path_or_table), jvm.classic_session(spark)
    try:
        with not_logged(), jvm.os_errors(text):
            rows = load(spark.read, path_or_table) if opened is None else opened
            columns = rows.dtypes
            if session is not None and is_path(path_or_table):
                # A question in SQL would create the folder of Spark's warehouse.
                return _of_log(columns, session.delta_log(text).unsafeVolatileSnapshot().metadata())
            table = table_in_sql(spark, path_or_table)
            return None if table is None else _of_sql(columns, spark, table)
    except (MissingCommitError, CommitError, UnsupportedReadFeatureError):
        raise
    except (OSError, PySparkException, DeltaSourceError):
        return None


def table_in_sql(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> str | None:
    """Return a table for SQL, which takes no relative paths; None if the working folder counts."""
    text = os.fspath(path_or_table)
    if not is_path(path_or_table):
        return text
    if urlsplit(text).scheme == "" and not text.startswith("/"):
        session = jvm.classic_session(spark)
        if session is None:
            return None
        text = str(session.working_folder() / text)
    return f"delta.`{text.replace('`', '``')}`"


def _of_log(columns: Columns, metadata: Any) -> TableMetadata:
    properties = {one._1(): one._2() for one in elements(metadata.configuration())}
    return TableMetadata(columns, properties, list(elements(metadata.partitionColumns())))


def _of_sql(columns: Columns, spark: SessionLike, table: str) -> TableMetadata:
    properties = {
        row["key"]: row["value"]
        for row in spark.sql(f"SHOW TBLPROPERTIES {table}").collect()
        if not row["value"].endswith(_REDACTED)
    }
    names = [row["col_name"] for row in spark.sql(f"DESCRIBE TABLE {table}").collect()]
    if _PARTITIONS not in names:
        return TableMetadata(columns, properties, [])
    # The line after the heading has the titles of its columns; the next heading begins with #.
    after = names[names.index(_PARTITIONS) + 2 :]
    partitions = takewhile(lambda name: name and name[0] != "#", after)
    return TableMetadata(columns, properties, [_unquoted(one) for one in partitions])


def _unquoted(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name
