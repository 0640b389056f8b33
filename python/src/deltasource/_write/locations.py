# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Folders that a query must not use together: its checkpoint, its target, its sources.

VACUUM deletes every file in the folder of a table that the table does not know. It leaves folders
alone whose names begin with `_` or `.`, except those that Delta itself uses.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import Rule
from deltasource._session import conf, connect_plan, jvm
from deltasource._session.requirements import require_our_jar_in
from deltasource._types import is_stream
from deltasource._write.table_location import TableLocation, locate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HIDDEN: Final = 'choose a folder outside the table, or one in it whose name begins with "_" or "."'
SAME_TABLE: Final = (
    "must not be a table that the stream reads: each batch would be read again, without end. "
    "Choose another table"
)
NESTED: Final = (
    "must not be in the table {table}, which the stream reads: VACUUM of that table deletes its "
    "files. Choose a folder outside of it"
)
NO_FILE: Final = "must be a folder, and {} is a file"

_OF_DELTA: Final = ("_delta_log", "_delta_index", "_change_data")
_S3: Final = re.compile(r"s3[an]?")


def rules_of(
    frame: object, checkpoint: object, target: object, argument: str = "path_or_table"
) -> Sequence[Rule]:
    """Return the rules of the folders of a query, as far as they are known.

    There are none if an argument is invalid, which other rules say.

    Args:
        frame: The stream that the query writes.
        checkpoint: The folder of its checkpoint.
        target: The path or name of the table that it writes.
        argument: The name of the argument for the table.

    Raises RemotePathError if Spark does not have the file system of the target, NotLoadedError or
    ShadowedError if the session runs without our jar.
    """
    if not (is_stream(frame) and is_location(checkpoint) and is_location(target)):
        return ()
    require_our_jar_in(frame.sparkSession)
    read = _streamed_folders(frame)
    located = locate(frame.sparkSession, target)
    folders = rules(os.fspath(checkpoint), located.folder, read, argument, given=located.given)
    return [*located.rules(argument), *folders]


def rules(
    checkpoint: str,
    target: str | None,
    sources: Sequence[str],
    argument: str = "path_or_table",
    *,
    given: str | None = None,
) -> Sequence[Rule]:
    """Return the rules of the folders of a query.

    Args:
        checkpoint: The folder of its checkpoint.
        target: The folder of the table that it writes; None if that is not known.
        sources: The folders of the tables that it reads, as far as they are known.
        argument: The name of the argument for the table.
        given: What the caller gave for it, if that is not its folder.
    """
    value = target if given is None else given
    read = [folder for folder in sources if target is not None and _same(folder, target)]
    around = [one for one in sources if target is not None and is_swept(target, one)]
    nested = None if read else next(iter(around), None)
    tables = [*([] if target is None else [target]), *sources]
    swept = next((table for table in tables if is_swept(checkpoint, table)), None)
    in_target = None if target is None else _file_above(target)
    in_checkpoint = _file_above(checkpoint)
    why = f"must not be in the table {swept}, because VACUUM deletes it there: {HIDDEN}"
    return (
        (argument, value, not read, SAME_TABLE),
        (argument, value, nested is None, NESTED.format(table=nested)),
        (argument, value, in_target is None, NO_FILE.format(in_target)),
        ("checkpoint", checkpoint, in_checkpoint is None, NO_FILE.format(in_checkpoint)),
        ("checkpoint", checkpoint, swept is None, why),
    )


def _streamed_folders(frame: DataFrame) -> Sequence[str]:
    """Return the folders of the Delta tables that a stream reads, as far as they are known."""
    session = jvm.classic_session(frame.sparkSession)
    if session is not None:
        tables = session.streamed_tables(frame)
        return [one.path for one in tables if one.format == jvm.DELTA and one.path is not None]
    located = [locate(frame.sparkSession, one) for one in connect_plan.streamed_tables(frame)]
    return [one.folder for one in located if one.folder is not None]


def same_table(one: TableLocation, other: TableLocation) -> bool:
    """Whether two tables are the same, as far as their folders, or else their names, say."""
    if one.folder is None or other.folder is None:
        return one.folder is other.folder and one.given.lower() == other.given.lower()
    return _same(one.folder, other.folder)


def is_within(folder: str, outer: str) -> bool:
    """Whether a folder is another one or inside it, as far as texts can say."""
    return _normalized(folder).is_relative_to(_normalized(outer))


def is_swept(folder: str, table: str) -> bool:
    """Whether VACUUM of a table deletes the files of a folder."""
    inner, outer = _normalized(folder), _normalized(table)
    if not inner.is_relative_to(outer):
        return False
    return not any(map(_is_hidden, inner.relative_to(outer).parts))


def _file_above(text: str) -> Path | None:
    """Return the local file that is at a path, or that stands for one of its folders, or None."""
    if urlsplit(text).scheme not in ("", "file"):
        return None
    path = Path(conf.local_path(text))
    # Unlike Path.is_file, this is False in a folder that cannot be read.
    files = (one for one in (path, *path.parents) if os.path.isfile(one))  # noqa: PTH113
    return next(files, None)


def _is_hidden(name: str) -> bool:
    return name.startswith(("_", ".")) and not name.startswith(_OF_DELTA)


def _same(one: str, other: str) -> bool:
    return _normalized(one) == _normalized(other)


def _normalized(text: str) -> PurePosixPath:
    """Return a path that is equal for texts that name one folder, as far as texts can say."""
    parts = urlsplit(text)
    if parts.scheme in ("", "file"):
        return PurePosixPath(os.path.realpath(conf.local_path(text)))
    scheme = "s3a" if _S3.fullmatch(parts.scheme) else parts.scheme
    return PurePosixPath(f"/{scheme}:/{parts.netloc}{posixpath.normpath('/' + parts.path)}")
