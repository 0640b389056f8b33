# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors for what is no table to stream: Delta's own do not contain the path."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from deltasource._errors import OptionsError, TableError
from deltasource._invalid_option import InvalidOption
from deltasource._session import conf
from deltasource._session.table_names import (
    is_table,
    named_if_not_a_name,
    nearest_name,
    nearest_table,
)
from deltasource._text import short_repr
from deltasource._types import SessionLike

ONE_VERSION: Final = (
    "must not have a version or a time after @, which only a batch can read: a stream begins there "
    "with the argument start, such as start=Version(7)"
)

_TIME_TRAVEL: Final = "DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS"
_QUOTED: Final = re.compile(r"delta\.`(.+)`")
_CONDITIONS: Final = (
    "DELTA_MISSING_DELTA_TABLE",
    "DELTA_PATH_DOES_NOT_EXIST",
    "DELTA_SCHEMA_NOT_SET",
    "DELTA_TABLE_NOT_FOUND",
    "PATH_NOT_FOUND",
)

_NO_NAME: Final = "TABLE_OR_VIEW_NOT_FOUND"
_VIEWS: Final[Mapping[str | None, str]] = {
    "_LEGACY_ERROR_TEMP_1018": "a view",
    "_LEGACY_ERROR_TEMP_1008": "a temporary view of a batch",
}
"""The conditions for what Spark reads only in batches."""


@contextmanager
def named_if_missing(path: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Raise TableError, with the path and the nearest table, if Delta finds no table at a path.

    Raises OptionsError if the path has a version or a time.
    """
    from pyspark.errors import AnalysisException

    try:
        yield
    except AnalysisException as error:
        if error.getCondition() == _TIME_TRAVEL and "@" in os.fspath(path):
            given = InvalidOption("path_or_table", short_repr(os.fspath(path)), ONE_VERSION)
            raise OptionsError([given]) from error
        if error.getCondition() not in _CONDITIONS:
            raise
        raise TableError(_explain(path)) from error


@contextmanager
def named_if_not_in_catalog(name: str, spark: SessionLike | None) -> Generator[None, None, None]:
    """Raise TableError if there is no table of a name, or a view that Spark does not stream.

    The error has the nearest name in the catalog of the session.
    """
    from pyspark.errors import AnalysisException

    try:
        with named_if_not_a_name(name):
            yield
    except AnalysisException as error:
        view = _VIEWS.get(error.getCondition())
        if view is not None:
            raise TableError(
                f"{name} is {view}, which Spark does not read as a stream. Stream the Delta table "
                "that it selects from, and apply its query to that stream"
            ) from error
        if error.getCondition() != _NO_NAME:
            raise
        raise TableError(f"there is no table named {name}{_advice(name, spark)}") from error


def _advice(name: str, spark: SessionLike | None) -> str:
    folder = Path(name)
    if is_table(folder):
        return (
            f", but {folder.absolute()} is one: text without a slash is a name, so give './{name}'"
        )
    near = None if spark is None else nearest_name(spark, name)
    if near is not None:
        return f" in the catalog. Did you mean {near}?"
    return f" in the catalog. Check the name, or give the path of a folder as './{name}'"


def _explain(path: str | os.PathLike[str]) -> str:
    quoted = _QUOTED.fullmatch(os.fspath(path))
    if quoted is not None:
        return f"there is no Delta table at {path}. Give the path alone: {quoted[1]!r}"
    local = _local(os.fspath(path))
    if local is None:
        return f"there is no Delta table at {os.fspath(path)}. Check the path"
    has_log = is_table(local)
    what = f"{local} " + ("has no schema yet" if has_log else _problem(local))
    near = nearest_table(local)
    # The files of a table, such as those of a partition, are not a table of their own.
    is_inside = near is not None and local.is_relative_to(near)
    if not has_log and not is_inside and _has_parquet(local):
        advice = f"Its Parquet files become a Delta table with CONVERT TO DELTA parquet.`{local}`"
    else:
        advice = "Check the path" if near is None else f"Did you mean {near}?"
    return f"there is no Delta table at {os.fspath(path)}: {what}. {advice}"


def _problem(folder: Path) -> str:
    if folder.is_file():
        return "is a file, not the folder of a table"
    return "contains no _delta_log" if folder.exists() else "does not exist"


def _has_parquet(folder: Path) -> bool:
    with suppress(OSError):
        return any(one.suffix == ".parquet" for one in folder.iterdir())
    return False


def _local(text: str) -> Path | None:
    if urlsplit(text).scheme not in ("", "file"):
        return None
    return Path(conf.local_path(text)).absolute()
