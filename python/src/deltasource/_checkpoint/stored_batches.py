# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The batches of a checkpoint, as far as they can be read, and the times of their files.

Unlike `Checkpoint.batches`, this reports a damaged file and reads the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from deltasource._checkpoint import commit_log, offset_log
from deltasource._checkpoint.offset_log import Batch
from deltasource._checkpoint.paths import (
    ReadablePath,
    numbered_files,
    os_errors_as,
    require_checkpoint,
)
from deltasource._errors import CheckpointError, DeltaSourceError, NewerOffsetError


@dataclass(frozen=True, kw_only=True)
class StoredBatches:
    """The batches of a checkpoint, oldest first, and an error for each file that is damaged.

    Args:
        batches: The batches that could be read.
        commits: The files of the commit log by batch.
        offsets: The files of the offset log by batch.
        errors: What could not be read, or is missing.
    """

    batches: Sequence[Batch]
    commits: Mapping[int, ReadablePath]
    offsets: Mapping[int, ReadablePath]
    errors: Sequence[DeltaSourceError]


@dataclass(frozen=True, kw_only=True)
class TimedBatch:
    """A batch, and when its files were written; None if a file is gone.

    Args:
        batch: The batch.
        offsets_at: The modification time of its file in `offsets`: it was planned then.
        commit_at: The modification time of its file in `commits`: it was done then.
    """

    batch: Batch
    offsets_at: datetime | None
    commit_at: datetime | None


def list_batch_files(
    checkpoint: ReadablePath,
) -> tuple[Mapping[int, ReadablePath], Mapping[int, ReadablePath]]:
    """Return the commit files and the offset files by batch; CheckpointError if there are none."""
    require_checkpoint(checkpoint)
    with os_errors_as(CheckpointError, checkpoint):
        # In this order, a batch that is committed in between counts as planned, not as missing.
        commits = numbered_files(checkpoint / "commits")
        offsets = numbered_files(checkpoint / "offsets")
    return commits, offsets


def latest_files(
    files: Mapping[int, ReadablePath], last: int | None
) -> Sequence[tuple[int, ReadablePath]]:
    """Return the files of the latest batches with their numbers, oldest first; None returns all."""
    first = 0 if last is None else max(0, len(files) - last)
    return list(files.items())[first:]


def read_stored_batches(checkpoint: ReadablePath, *, last: int | None = None) -> StoredBatches:
    """Read the latest batches, all by default; CheckpointError if this is no checkpoint."""
    commits, offsets = list_batch_files(checkpoint)
    batches: list[Batch] = []
    errors: list[DeltaSourceError] = []
    latest_committed = max(commits, default=-1)
    for numbered in latest_files(offsets, last):
        try:
            batch = offset_log.read_batch(latest_committed, numbered)
        except (CheckpointError, NewerOffsetError) as error:
            errors.append(error)
            continue
        if batch is not None:
            batches.append(batch)
    errors += offset_log.missing_offsets(commits, offsets, checkpoint)
    errors += offset_log.damaged_offsets(batches, checkpoint)
    try:
        if commits:
            commit_log.require_readable(commits[latest_committed])
    except CheckpointError as error:
        errors.append(error)
    return StoredBatches(
        batches=tuple(batches), commits=commits, offsets=offsets, errors=tuple(errors)
    )


def timed_batches(stored: StoredBatches) -> Sequence[TimedBatch]:
    """Look up the times of the files."""
    return [
        TimedBatch(
            batch=batch,
            offsets_at=modified_at(stored.offsets.get(batch.id)),
            commit_at=modified_at(stored.commits.get(batch.id)),
        )
        for batch in stored.batches
    ]


def modified_at(file: ReadablePath | None) -> datetime | None:
    """Return when a file was modified; None if it does not exist or cannot be reached."""
    try:
        return None if file is None else datetime.fromtimestamp(file.stat().st_mtime, timezone.utc)
    except (OSError, OverflowError, ValueError):
        return None


def query_id(checkpoint: ReadablePath) -> str | None:
    """Return the id of the query; None if the file `metadata` is missing or damaged."""
    try:
        values: object = json.loads((checkpoint / "metadata").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    found = values.get("id") if isinstance(values, Mapping) else None
    return found if isinstance(found, str) else None
