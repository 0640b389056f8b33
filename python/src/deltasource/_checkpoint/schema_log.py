# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the logs of schema tracking, in the format of delta-spark.

The tracking location contains a folder `_schema_log_<table id>[_<tracking id>]` for each log, with
one file for each entry, numbered from 0: a line `v1`, then JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from deltasource._checkpoint.paths import (
    ReadablePath,
    absolute,
    is_checkpoint,
    list_children,
    not_a_folder,
    numbered_files,
    os_errors_as,
    resolve_path,
    unreadable,
)
from deltasource._checkpoint.schema_types import parse_struct
from deltasource._checkpoint.tracked_schema import TrackedSchema
from deltasource._errors import CheckpointError, SchemaError, SchemaLogError
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._text import short_repr
from deltasource._types import SessionLike

_PREFIX: Final = "_schema_log_"
_FIELDS: Final = {
    "tableId": str,
    "deltaCommitVersion": int,
    "dataSchemaJson": str,
    "partitionSchemaJson": str,
}


@with_keyword_hints
def schema_log(
    location: str | os.PathLike[str], *, spark: SessionLike | None = None
) -> Sequence[TrackedSchema]:
    """Read the schemas that a stream with schema tracking has recorded.

    Args:
        location: The `schemaTrackingLocation` of the stream, one log in it, or the checkpoint of
            the stream, which contains it: a local path, a file: URI or a URI that fsspec can read,
            as for `Checkpoint`; with `spark`, any path that `spark.read` accepts.
        spark: The classic session whose file systems are used.

    Returns:
        The entries, in the order in which they were written; none if there is no log.

    Raises:
        OptionsError: The location is empty.
        RemotePathError: The path is not local, and fsspec or the session cannot open it.
        ConnectError: The session is of Spark Connect.
        CheckpointError: The location does not exist, or is a file or a table.
        SchemaLogError: A file cannot be read, or is damaged.

    Example:
        >>> import deltasource
        >>> entries = deltasource.schema_log("/checkpoints/orders/schemas")  # doctest: +SKIP
        >>> entries[-1].version  # doctest: +SKIP
        7
    """
    return schema_log_at(resolve_path(location, spark, argument="location"))


def schema_log_at(location: ReadablePath) -> Sequence[TrackedSchema]:
    """Read the logs in a location or a checkpoint, or the location itself if it is a log."""
    return [entry for entry, _ in schema_log_files(location)]


def schema_log_files(location: ReadablePath) -> Sequence[tuple[TrackedSchema, ReadablePath]]:
    """Read the logs as `schema_log_at` does; each entry is returned with its file."""
    with os_errors_as(SchemaLogError, location):
        problem = not_a_folder(location)
        logs = _logs(location)
        if problem is None and not logs and (location / "_delta_log").exists():
            problem = "is the folder of a table"
    if problem is not None:
        # Not SchemaLogError: its condition says that an entry is damaged.
        raise CheckpointError(
            f"{absolute(location)} {problem}: give the schemaTrackingLocation of the stream, or "
            "its checkpoint"
        )
    return [entry for log in logs for entry in _entries(log)]


def _logs(location: ReadablePath) -> list[ReadablePath]:
    if location.name.startswith(_PREFIX):
        return [location]
    # In a checkpoint, the tracking location is the checkpoint itself or a subfolder.
    folders = [location, *(list_children(location) if is_checkpoint(location) else ())]
    return [
        log for folder in folders for log in list_children(folder) if log.name.startswith(_PREFIX)
    ]


def _entries(log: ReadablePath) -> Iterator[tuple[TrackedSchema, ReadablePath]]:
    for number, file in numbered_files(log).items():
        yield _entry(log.name, number, file), file


def _entry(log: str, number: int, file: ReadablePath) -> TrackedSchema:
    values = _values(file)
    for name, kind in _FIELDS.items():
        if type(values.get(name)) is not kind:
            raise _damaged(
                file, f"{name} must be of type {kind.__name__}, got {short_repr(values.get(name))}"
            )
    # Only set if an entry replaces the one before it; -1 means that there is no previous entry.
    previous = values.get("previousMetadataSeqNum", number - 1)
    if type(previous) is not int:
        raise _damaged(
            file, f"previousMetadataSeqNum must be an integer, got {short_repr(previous)}"
        )
    try:
        for name in ("dataSchemaJson", "partitionSchemaJson"):
            parse_struct(values[name])
    except SchemaError as error:
        raise _damaged(file, error.args[0]) from error
    return TrackedSchema(
        log=log,
        number=number,
        table_id=values["tableId"],
        version=values["deltaCommitVersion"],
        schema=values["dataSchemaJson"],
        partition_schema=values["partitionSchemaJson"],
        previous=previous if previous >= 0 else None,
    )


def _values(file: ReadablePath) -> dict[str, Any]:
    try:
        lines = file.read_text("utf-8").removesuffix("\n").split("\n")
        if lines[0] != "v1":
            raise _damaged(file, f"its first line must be v1, got {short_repr(lines[0])}")
        values = json.loads("\n".join(lines[1:]))
    except OSError as error:
        raise unreadable(SchemaLogError, file, error) from error
    except (ValueError, RecursionError) as error:
        raise _damaged(file, str(error)) from error
    if not isinstance(values, dict):
        raise _damaged(file, f"{short_repr(values)} is not a JSON object")
    return values


def _damaged(file: ReadablePath, why: str) -> SchemaLogError:
    return SchemaLogError(
        f"cannot read {file}: {why}. Restore it from a copy, or start the stream with a new "
        "checkpoint and a new schemaTrackingLocation"
    )
