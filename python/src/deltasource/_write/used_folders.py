# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the checkpoint and the target of a query contain before it starts.

Spark's own errors for a damaged checkpoint name no file. It starts with a checkpoint whose target
is lost, and Delta creates a table among files of another format.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from deltasource._checkpoint import commit_log, offset_log
from deltasource._checkpoint.paths import (
    CHECKPOINT_SIGNS,
    ReadablePath,
    list_children,
    numbered_files,
    os_errors_as,
    resolve_path,
)
from deltasource._errors import CheckpointError
from deltasource._options.validation import Rule
from deltasource._session import jvm
from deltasource._session.checksum_error import ChecksumError
from deltasource._text import is_path
from deltasource._write import earlier_batches, start_position
from deltasource._write.read_tables import (
    require_same_number,
    require_same_tables,
    require_versions,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OTHER_FILES: Final = (
    "must be a Delta table or an empty folder, and has other files, such as {name}, which VACUUM "
    "of the table would delete: choose another folder, or convert them first with CONVERT TO DELTA"
)

_LOG: Final = "_delta_log"

FOREIGN_CHECKPOINT: Final = (
    "must be a new folder or the checkpoint of a query, and has other files, such as {name}: "
    "choose another folder"
)


def rules(
    frame: DataFrame,
    checkpoint: str | os.PathLike[str],
    target: str | os.PathLike[str],
    argument: str,
    *,
    replaces_table: bool = False,
) -> Iterator[Rule]:
    """Return the rules of the two folders, and of the start of a query without a checkpoint.

    There are none over Spark Connect, which cannot read the folders. The target has been opened
    before, if it exists. With `replaces_table`, each batch replaces all its rows.

    Raises CheckpointError if a file that Spark reads at the start is missing or damaged,
    OtherTableError if the last planned batch has read a table that the stream does not read,
    BeyondTableError if it is committed and has read more versions than the table has, and
    OtherTargetError if the target lacks committed batches. A file system that fails is left to the
    query, which reports it.
    """
    spark = frame.sparkSession
    session = jvm.classic_session(spark)
    if session is None:
        return
    folder = resolve_path(checkpoint, spark)
    try:
        committed = numbered_files(folder / "commits")
        planned = numbered_files(folder / "offsets")
    except OSError:
        return
    query_id, last = _stored_query(folder, committed, planned)
    tables = session.streamed_tables(frame)
    if last is not None:
        require_same_number(len(tables), last.count, os.fspath(checkpoint))
        require_same_tables(session, tables, last.sources, os.fspath(checkpoint))
        if max(planned) in committed:
            require_versions(spark, session, tables, last.sources)
    if committed:
        earlier_batches.require_batches(
            spark,
            checkpoint,
            target,
            query_id=query_id,
            latest=max(committed),
            replaces_table=replaces_table,
        )
    if not planned:
        yield from start_position.rules(spark, tables)
        other = _file_of_others(folder)
        allowed = FOREIGN_CHECKPOINT.format(name=other)
        yield "checkpoint", os.fspath(checkpoint), other is None, allowed
    if not committed and is_path(target):
        other = _other_file(resolve_path(target, spark), folder if planned else None)
        yield argument, os.fspath(target), other is None, OTHER_FILES.format(name=other)


def _stored_query(
    folder: ReadablePath, committed: Mapping[int, ReadablePath], planned: Mapping[int, ReadablePath]
) -> tuple[str | None, offset_log.Entry | None]:
    """Return the id of the query, and the offsets of its last planned batch.

    None without one, or if the file system fails.

    Raises CheckpointError if a file that Spark reads at the start is missing or damaged.
    """
    query_id: str | None = None
    last: offset_log.Entry | None = None
    for missing in offset_log.missing_offsets(committed, planned, folder, is_synchronous=True):
        raise missing
    latest = max(committed, default=-1)
    with _unless_unreachable():
        query_id = _query_id(folder, missing_allowed=not planned)
        if committed:
            commit_log.require_readable(committed[latest])
        last_planned = max(planned, default=-1)
        for batch in sorted({latest, last_planned - 1, last_planned} & set(planned)):
            last = offset_log.read(planned[batch])
    return query_id, last


def _query_id(folder: ReadablePath, *, missing_allowed: bool) -> str | None:
    file, problem = folder / "metadata", "is damaged"
    with os_errors_as(CheckpointError, folder):
        try:
            return str(uuid.UUID(json.loads(file.read_text("utf-8"))["id"]))
        except FileNotFoundError:
            if missing_allowed:
                return None
            problem = "is missing"
        except ChecksumError:
            problem = f"is damaged: {offset_log.checksum_differs(file)}"
        except (ValueError, TypeError, KeyError, AttributeError):
            pass
    raise CheckpointError(
        f"{file} {problem}. It has the id of the query: restore it from a copy, or write "
        f"{offset_log.QUERY_ID} again, with the queryId in DESCRIBE HISTORY of the target"
    )


@contextmanager
def _unless_unreachable() -> Generator[None, None, None]:
    try:
        yield
    except FileNotFoundError:
        pass  # The query that runs with the checkpoint deletes its oldest batches.
    except CheckpointError as error:
        if not isinstance(error.__cause__, OSError):
            raise


def _file_of_others(folder: ReadablePath) -> str | None:
    """Return the name of what Spark does not write into a new checkpoint, or None.

    A schema log may be there before the query starts, but that is a folder. The log of a table and
    the folder of a partition are none.
    """
    with suppress(OSError):  # The query reports what is wrong with the folder.
        children = list_children(folder)
        if any(one.name == _LOG for one in children):
            return _LOG
        visible = [one for one in children if not _is_hidden(one)]
        if not any(one.name in CHECKPOINT_SIGNS for one in visible):
            others = (one.name for one in visible if "=" in one.name or not one.is_dir())
            return next(others, None)
    return None


def _other_file(folder: ReadablePath, checkpoint: ReadablePath | None) -> str | None:
    """Return the name of a file or folder that VACUUM would delete; None if this is a table.

    Args:
        folder: The folder of the target.
        checkpoint: That of a query that has planned a batch, or None. A query that was killed in
            its first batch leaves files, which are not older than its checkpoint.
    """
    with suppress(OSError):  # The query reports what is wrong with the folder.
        children = list_children(folder)
        if any(one.name == _LOG for one in children):
            return None
        begun = None if checkpoint is None else (checkpoint / "metadata").stat().st_mtime
        for one in children:
            if not _is_hidden(one) and (begun is None or one.stat().st_mtime < begun):
                return one.name
    return None


def _is_hidden(child: ReadablePath) -> bool:
    return child.name.startswith(("_", "."))
