# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files in which a stream with schema tracking records schemas, as delta-spark writes them.

Below the tracking location stands a folder `_schema_log_<table id>[_<tracking id>]`; in it a file
for each entry, numbered from 0: a line `v1`, then one of JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from deltasource._checkpoint.local_files import folder, numbered, told
from deltasource._checkpoint.schema_types import struct
from deltasource._text import shown
from deltasource.errors import SchemaError, SchemaLogError
from deltasource.tracking import TrackedSchema

_PREFIX: Final = "_schema_log_"
_FIELDS: Final = {
    "tableId": str,
    "deltaCommitVersion": int,
    "dataSchemaJson": str,
    "partitionSchemaJson": str,
}


def schema_log(location: str | os.PathLike[str]) -> Sequence[TrackedSchema]:
    """Answer the schemas that are tracked below a schema tracking location, in their order.

    location  what a stream was given as `schemaTrackingLocation`, or one log in it: a local path
              or a file: URI

    Raises RemotePathError for any other path, SchemaLogError where the location or a file of the
    log cannot be read. A location without a log has no entries.
    """
    return _below(folder(location))


def _below(location: Path) -> Sequence[TrackedSchema]:
    with told(SchemaLogError, location):
        there = location.is_dir()
    if not there:
        raise SchemaLogError(
            f"{location} is not there: give the folder that the stream has as its "
            "schemaTrackingLocation"
        )
    own = location.name.startswith(_PREFIX)
    logs = [location] if own else sorted(location.glob(f"{_PREFIX}*"))
    return [entry for log in logs for entry in _entries(log)]


def schema_logs_in(checkpoint: Path) -> Sequence[TrackedSchema]:
    """Read the logs in a checkpoint and in the folders right below it."""
    logs = sorted([*checkpoint.glob(f"{_PREFIX}*"), *checkpoint.glob(f"*/{_PREFIX}*")])
    return [entry for log in logs for entry in _entries(log)]


def _entries(log: Path) -> Iterator[TrackedSchema]:
    for number, file in numbered(log).items():
        yield _entry(log.name, number, file)


def _entry(log: str, number: int, file: Path) -> TrackedSchema:
    values = _values(file)
    for name, kind in _FIELDS.items():
        if type(values.get(name)) is not kind:
            raise _damaged(file, f"{name} = {shown(values.get(name))} is not what belongs there")
    # Absent unless an entry replaces the one before it; -1 then means that it is the first.
    previous = values.get("previousMetadataSeqNum", number - 1)
    if type(previous) is not int:
        raise _damaged(file, f"previousMetadataSeqNum = {shown(previous)} is no number")
    try:
        for name in ("dataSchemaJson", "partitionSchemaJson"):
            struct(values[name])
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


def _values(file: Path) -> dict[str, Any]:
    try:
        lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        if lines[0] != "v1":
            raise _damaged(file, f"its first line is {shown(lines[0])}, not v1")
        values = json.loads("\n".join(lines[1:]))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(file, str(error)) from error
    if not isinstance(values, dict):
        raise _damaged(file, f"{shown(values)} is no JSON object")
    return values


def _damaged(file: Path, why: str) -> SchemaLogError:
    return SchemaLogError(
        f"{file} cannot be read: {why}. Restore it from a copy, or start the stream with a new "
        "checkpoint and a new schemaTrackingLocation"
    )
