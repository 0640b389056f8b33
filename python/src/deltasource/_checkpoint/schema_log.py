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
from typing import Any, Final

from deltasource._checkpoint.places import Place, children, numbered, place, told
from deltasource._checkpoint.schema_types import struct
from deltasource._text import shown
from deltasource.errors import SchemaError, SchemaLogError
from deltasource.tracking import TrackedSchema
from deltasource.types import SessionLike

_PREFIX: Final = "_schema_log_"
_FIELDS: Final = {
    "tableId": str,
    "deltaCommitVersion": int,
    "dataSchemaJson": str,
    "partitionSchemaJson": str,
}


def schema_log(
    location: str | os.PathLike[str], *, spark: SessionLike | None = None
) -> Sequence[TrackedSchema]:
    """Answer the schemas that are tracked below a schema tracking location, in their order.

    location  what a stream was given as `schemaTrackingLocation`, or one log in it: a local path
              or a file: URI; with `spark` any path
    spark     the classic session that reaches it

    Raises RemotePathError for a path that is not reached, ConnectError for a session of Spark
    Connect, SchemaLogError where the location or a file of the log cannot be read. A location
    without a log has no entries.
    """
    return schema_log_at(place(location, spark))


def schema_log_at(location: Place) -> Sequence[TrackedSchema]:
    """Read the logs in a location, or the one log that it is."""
    with told(SchemaLogError, location):
        there = location.is_dir()
        logs = [location] if location.name.startswith(_PREFIX) else _logs(location)
    if not there:
        raise SchemaLogError(
            f"{location} is not there: give the folder that the stream has as its "
            "schemaTrackingLocation"
        )
    return [entry for log in logs for entry in _entries(log)]


def schema_logs_in(checkpoint: Place) -> Sequence[TrackedSchema]:
    """Read the logs in a checkpoint and in the folders right below it."""
    with told(SchemaLogError, checkpoint):
        logs = [log for at in (checkpoint, *children(checkpoint)) for log in _logs(at)]
    return [entry for log in logs for entry in _entries(log)]


def _logs(location: Place) -> list[Place]:
    return [log for log in children(location) if log.name.startswith(_PREFIX)]


def _entries(log: Place) -> Iterator[TrackedSchema]:
    for number, file in numbered(log).items():
        yield _entry(log.name, number, file)


def _entry(log: str, number: int, file: Place) -> TrackedSchema:
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


def _values(file: Place) -> dict[str, Any]:
    try:
        lines = file.read_text("utf-8").removesuffix("\n").split("\n")
        if lines[0] != "v1":
            raise _damaged(file, f"its first line is {shown(lines[0])}, not v1")
        values = json.loads("\n".join(lines[1:]))
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(file, str(error)) from error
    if not isinstance(values, dict):
        raise _damaged(file, f"{shown(values)} is no JSON object")
    return values


def _damaged(file: Place, why: str) -> SchemaLogError:
    return SchemaLogError(
        f"{file} cannot be read: {why}. Restore it from a copy, or start the stream with a new "
        "checkpoint and a new schemaTrackingLocation"
    )
