# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where a table is, by its path or its name, and whether Spark can write it with Delta."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, Final
from urllib.parse import urlsplit

from deltasource._options.validation import Rule
from deltasource._session import jvm
from deltasource._session.file_systems import named_if_unknown
from deltasource._session.hadoop_files import HadoopFiles
from deltasource._session.quiet_errors import not_logged
from deltasource._text import is_path
from deltasource._types import SessionLike

DELTA_ALLOWED: Final = (
    "must be a Delta table, and is {kind}: choose another name, or give the path of a Delta table"
)

_DETAILS: Final = "# Detailed Table Information"


@dataclass(frozen=True)
class TableLocation:
    """Where a table is.

    Args:
        given: Its path or its name, as the caller gave it.
        folder: Its folder; None if the name has no table yet, or the folder is not known.
        other: What it is instead of a Delta table, such as "a view"; None if that is not known.
    """

    given: str
    folder: str | None
    other: str | None = None

    def rules(self, argument: str) -> Iterator[Rule]:
        """Return the rule that this is a Delta table, as far as the catalog says."""
        yield argument, self.given, self.other is None, DELTA_ALLOWED.format(kind=self.other)


def locate(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> TableLocation:
    """Return where a table is; without a Spark job, but the catalog opens a table with a name.

    Raises RemotePathError if Spark does not have the file system of the table; for a path, only in
    a classic session.
    """
    text = os.fspath(path_or_table)
    if is_path(path_or_table):
        _require_file_system(spark, text)
        return TableLocation(text, text)
    return _described(spark, text)


def _require_file_system(spark: SessionLike, path: str) -> None:
    session = jvm.classic_session(spark)
    if session is None or urlsplit(path).scheme in ("", "file"):
        return
    # The query reports what else is wrong with the path.
    with suppress(OSError), named_if_unknown():
        HadoopFiles(session).qualified(path)


def _described(spark: SessionLike, name: str) -> TableLocation:
    from pyspark.errors import AnalysisException

    nowhere = TableLocation(name, None)
    try:
        with named_if_unknown(), not_logged():
            # Unlike DESCRIBE DETAIL, it runs no job, and describes views and other formats, too.
            described = spark.sql(f"DESCRIBE TABLE EXTENDED {name}")
            rows: list[tuple[Any, ...]] = described.collect()
    except AnalysisException:
        return nowhere  # There is no such table, or Spark cannot parse the name.
    if described.columns[0] != "col_name":
        return nowhere  # Text such as "table column" is not a name.
    # Columns may have the names of details.
    details = {row[0]: row[1] for row in dropwhile(lambda row: row[0] != _DETAILS, rows)}
    if not details:
        return TableLocation(name, None, "a temporary view")
    if "VIEW" in details.get("Type", ""):
        return TableLocation(name, None, "a view")
    table_format = details.get("Provider", jvm.DELTA)
    is_delta = table_format.lower() == jvm.DELTA
    other = None if is_delta else f"a table of the format {table_format}"
    return TableLocation(name, details.get("Location"), other)
