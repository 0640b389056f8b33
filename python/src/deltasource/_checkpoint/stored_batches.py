# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The batches of a checkpoint with the times of its files, as far as they can be read.

Unlike `Checkpoint.batches`, this reports a damaged file and reads the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from deltasource._checkpoint import offset_log
from deltasource._checkpoint.offset_log import Batch
from deltasource._checkpoint.paths import (
    ReadablePath,
    numbered_files,
    os_errors_as,
    require_checkpoint,
)
from deltasource._errors import CheckpointError, NewerOffsetError


@dataclass(frozen=True, kw_only=True)
class StoredBatch:
    """A batch, and when its files were written; None if a file is gone.

    Args:
        batch: The batch.
        offsets_at: The modification time of its file in `offsets`: it was planned then.
        commit_at: The modification time of its file in `commits`: it was done then.
    """

    batch: Batch
    offsets_at: datetime | None
    commit_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class StoredBatches:
    """The batches of a checkpoint, oldest first, and an error for each file that is damaged.

    Args:
        batches: The batches that could be read.
        query_id: The id of the query; None if the file `metadata` is missing or damaged.
        errors: What could not be read.
    """

    batches: Sequence[StoredBatch]
    query_id: str | None
    errors: Sequence[str]


def read_stored_batches(checkpoint: ReadablePath) -> StoredBatches:
    """Read a checkpoint; CheckpointError if there is none, or its folders cannot be listed."""
    require_checkpoint(checkpoint)
    with os_errors_as(CheckpointError, checkpoint):
        commits = numbered_files(checkpoint / "commits")
        offsets = numbered_files(checkpoint / "offsets")
    latest_committed = max(commits, default=-1)
    batches: list[StoredBatch] = []
    errors: list[str] = []
    for number, file in offsets.items():
        try:
            entry = offset_log.read(file)
        except FileNotFoundError:
            # A running query deletes its oldest batches.
            continue
        except (CheckpointError, NewerOffsetError) as error:
            errors.append(error.args[0])
            continue
        batch = Batch(number, number <= latest_committed, entry.sources, entry.planned_at)
        offsets_at, commit_at = modified_at(file), modified_at(commits.get(number))
        batches.append(StoredBatch(batch=batch, offsets_at=offsets_at, commit_at=commit_at))
    try:
        offset_log.require_file_of(latest_committed, offsets, checkpoint)
    except CheckpointError as error:
        errors.append(error.args[0])
    errors += offset_log.damaged_offsets([one.batch for one in batches], checkpoint)
    return StoredBatches(
        batches=tuple(batches), query_id=_query_id(checkpoint / "metadata"), errors=tuple(errors)
    )


def modified_at(file: ReadablePath | None) -> datetime | None:
    """Return when a file was modified; None if it does not exist or cannot be reached."""
    try:
        return None if file is None else datetime.fromtimestamp(file.stat().st_mtime, timezone.utc)
    except (OSError, OverflowError, ValueError):
        return None


def _query_id(metadata: ReadablePath) -> str | None:
    try:
        values: object = json.loads(metadata.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    found = values.get("id") if isinstance(values, Mapping) else None
    return found if isinstance(found, str) else None
