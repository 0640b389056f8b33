# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a checkpoint tells about its stream: its batches and the schemas that it has tracked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.paths import ReadablePath
from deltasource._checkpoint.schema_log import schema_log_files
from deltasource._checkpoint.schema_types import parse_struct
from deltasource._checkpoint.stored_batches import (
    TimedBatch,
    modified_at,
    query_id,
    read_stored_batches,
    timed_batches,
)
from deltasource._checkpoint.tracked_schema import TrackedSchema, changes_by_entry
from deltasource._errors import DeltaSourceError
from deltasource._report.stream_life import BatchRecord, Moment

_GAPS: Final = 5


@dataclass(frozen=True, kw_only=True)
class CheckpointStory:
    """What a checkpoint tells.

    Args:
        query_id: The id of the query; None if unknown.
        batches: The batches, oldest first.
        moments: The schemas that were tracked, and a batch that is planned only.
        notes: What is missing.
    """

    query_id: str | None
    batches: Sequence[TimedBatch]
    moments: Sequence[Moment]
    notes: Sequence[str]


def read_checkpoint(folder: ReadablePath) -> CheckpointStory:
    """Read a checkpoint; CheckpointError if there is none."""
    stored = read_stored_batches(folder)
    batches = timed_batches(stored)
    schemas, schema_notes = _schemas(folder)
    planned = [
        Moment(
            planned_at(one),
            "decision",
            f"batch {one.batch.id} is planned and not committed: a restart runs it again",
        )
        for one in batches[-1:]
        if not one.batch.committed
    ]
    damaged = [f"A batch is unknown: {error.args[0]}." for error in stored.errors]
    return CheckpointStory(
        query_id=query_id(folder),
        batches=batches,
        moments=[*schemas, *planned],
        notes=[*_missing(batches), *damaged, *schema_notes],
    )


def planned_at(timed: TimedBatch) -> datetime | None:
    """Return when a batch was planned: Spark's time, or else that of the file."""
    return timed.batch.planned_at or timed.offsets_at


def batch_record(timed: TimedBatch, source: str | None) -> BatchRecord:
    """Return the record of a batch without events; `source` is the one that reads the table."""
    started, ended = planned_at(timed), timed.commit_at
    # A copy of a checkpoint may have the files of another order, or of the same time.
    known = started is not None and ended is not None and ended >= started
    ends = timed.batch.sources
    end = ends.get(source) if source is not None else next(iter(ends.values()), None)
    return BatchRecord(
        id=timed.batch.id,
        started=started,
        seconds=(ended - started).total_seconds() if known and started and ended else None,
        from_files=True,
        version=_version_reached(end) if isinstance(end, Offset) else None,
        end=_end(end) if isinstance(end, Offset) else end,
        committed=timed.batch.committed,
    )


def _end(end: Offset) -> str:
    inside = " of the initial snapshot" if end.is_initial_snapshot else ""
    return f"version {end.version}, {end.position}{inside}"


def _version_reached(end: Offset) -> int | None:
    """Return the latest version of which something was read; None if there is none."""
    stored = end.normalized
    entered = stored.index >= 0 or stored.is_initial_snapshot
    reached = stored.version if entered else stored.version - 1
    return reached if reached >= 0 else None


def _missing(batches: Sequence[TimedBatch]) -> list[str]:
    numbers = [one.batch.id for one in batches]
    if not numbers:
        return ["The checkpoint contains no batch: none was planned yet, or all were cleaned up."]
    notes: list[str] = []
    if numbers[0] > 0:
        notes.append(
            f"The checkpoint begins with batch {numbers[0]}: Spark keeps about the latest hundred "
            "and has deleted those before."
        )
    gaps = [(one, after) for one, after in pairwise(numbers) if after > one + 1]
    if gaps:
        shown = ", ".join(_range(one + 1, after - 1) for one, after in gaps[:_GAPS])
        more = ", …" if len(gaps) > _GAPS else ""
        notes.append(f"The checkpoint has no offsets of these batches: {shown}{more}.")
    return notes


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def _schemas(folder: ReadablePath) -> tuple[list[Moment], list[str]]:
    try:
        files = schema_log_files(folder)
        changes = changes_by_entry([entry for entry, _ in files])
    except DeltaSourceError as error:
        return [], [f"Schema changes are unknown: {error.args[0]}."]
    moments = [
        Moment(modified_at(file), "schema", _text(entry, changes.get((entry.log, entry.number))))
        for entry, file in files
    ]
    return moments, []


def _text(entry: TrackedSchema, changes: Sequence[object] | None) -> str:
    if changes is None:
        columns = ", ".join(field.name for field in parse_struct(entry.schema).fields)
        return f"schema tracking began at version {entry.version}, with the columns {columns}"
    changed = "; ".join(map(str, changes)) or "no column has changed"
    return f"schema of version {entry.version}: {changed}"
