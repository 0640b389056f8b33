# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a table has a change feed now: without one, a stream fails at the next commit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from deltasource._errors import TableError
from deltasource._session import jvm
from deltasource._session.quiet_errors import not_logged
from deltasource._text import is_path
from deltasource._types import SessionLike

PROPERTY: Final = "delta.enableChangeDataFeed"


def require_enabled(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> None:
    """Raise TableError if the property of a table says that it has no change feed."""
    from pyspark.errors import PySparkException

    table = _in_sql(spark, path_or_table)
    if table is None:
        return
    try:
        with not_logged():
            # It runs no job, unlike DESCRIBE DETAIL.
            rows: list[Any] = spark.sql(f"SHOW TBLPROPERTIES {table} ('{PROPERTY}')").collect()
    except PySparkException:
        return  # The query reports what is wrong with the table.
    if [row["value"].lower() for row in rows] != ["true"]:
        raise TableError(
            f"{os.fspath(path_or_table)} has no change feed. Turn it on with ALTER TABLE {table} "
            f"SET TBLPROPERTIES ({PROPERTY} = true): it then has the changes of later commits"
        )


def _in_sql(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> str | None:
    """Return a table for SQL, which takes no relative paths; None if the working folder counts."""
    text = os.fspath(path_or_table)
    if not is_path(path_or_table):
        return text
    if urlsplit(text).scheme == "" and not text.startswith("/"):
        if jvm.classic_session(spark) is None:
            return None
        text = str(Path(text).absolute())
    return f"delta.`{text.replace('`', '``')}`"
