# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Finds the folder of a table, which is given by its path or by its name."""

from __future__ import annotations

import os

from deltasource._checkpoint.paths import ReadablePath, resolve_path
from deltasource._errors import ConnectError, TableError
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import TABLE_ALLOWED, validate
from deltasource._session import jvm
from deltasource._session.quiet_errors import not_logged
from deltasource._text import is_path
from deltasource._types import SessionLike

FOLDER_ALLOWED = (
    "must be the folder of the table, with a slash if it is text, as in './orders': text without a "
    "slash is the name of a table, which needs `spark`"
)


def resolve_table(path_or_table: str | os.PathLike[str], spark: SessionLike | None) -> ReadablePath:
    """Return the folder of a table; the rule for paths and names is that of `read_stream`."""
    validate(("table", path_or_table, is_location(path_or_table), TABLE_ALLOWED))
    if is_path(path_or_table):
        return resolve_path(path_or_table, spark)
    validate(("table", path_or_table, spark is not None, FOLDER_ALLOWED))
    name = os.fspath(path_or_table)
    session = None if spark is None else jvm.classic_session(spark)
    if session is None:
        raise ConnectError(
            f"cannot find the folder of table {name} through a Spark Connect session: use a "
            "classic session, or give the folder"
        )
    with not_logged():
        folder = session.table_folder(name)
    if folder is None:
        raise TableError(
            f"this session has no Delta table named {name}: check the name, or give the folder of "
            "the table, with a slash if it is text"
        )
    return resolve_path(folder, spark)
