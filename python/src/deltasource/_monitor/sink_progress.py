# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The progress of the sink of a query: what a batch has written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deltasource._monitor import progress_json as fields


@dataclass(frozen=True, kw_only=True)
class SinkProgress:
    """The progress of the sink of a query. What the sink does not report is None.

    Args:
        description: The sink as Spark describes it: "DeltaSink[/tables/copy]".
        skipped: Whether the table contained the batch already, from before a restart.
        version: The version of the table that the batch has committed.
        rows: Rows in the added files; None if the files have no statistics.
        bytes: Total size of the added files, in bytes.
        files: Number of added files.
        files_removed: Number of removed files, as in complete mode.
        rows_inserted: Rows that `apply_changes` inserted. This and all numbers below are None for
            other queries.
        rows_updated: Rows that `apply_changes` replaced.
        rows_deleted: Rows that `apply_changes` deleted.
        events_ignored: Events that changed nothing, because they were late, or had been applied
            already.
        events_stored: Events that were stored because no row shows them, such as deletes.
        late_after_tombstones: Inserted rows whose sequence is not greater than that of the newest
            delete, of any key, that is no longer remembered.
        files_read: Files of the target that may contain keys of the batch.
        files_pruned: Files of the target that were not read.
        files_changed: Files of the target from which rows were removed.

    Example:
        >>> from deltasource import SinkProgress
        >>> sink = SinkProgress(
        ...     description="DeltaSink[/tables/copy]", skipped=False, version=8, rows=5, bytes=900,
        ...     files=1, files_removed=0,
        ... )
        >>> sink.version
        8
    """

    description: str
    skipped: bool | None
    version: int | None
    rows: int | None
    bytes: int | None
    files: int | None
    files_removed: int | None
    rows_inserted: int | None = None
    rows_updated: int | None = None
    rows_deleted: int | None = None
    events_ignored: int | None = None
    events_stored: int | None = None
    late_after_tombstones: int | None = None
    files_read: int | None = None
    files_pruned: int | None = None
    files_changed: int | None = None


def read_sink(raw: Mapping[str, Any]) -> SinkProgress:
    """Read Spark's progress of a sink."""
    metrics = fields.Metrics("sink", raw.get("metrics"))
    return SinkProgress(
        description=fields.string(raw, "description"),
        skipped=metrics.boolean("batchSkipped"),
        version=metrics.integer("version"),
        rows=metrics.integer("numOutputRows"),
        bytes=metrics.integer("numOutputBytes"),
        files=metrics.integer("numAddedFiles"),
        files_removed=metrics.integer("numRemovedFiles"),
        rows_inserted=metrics.integer("numRowsInserted"),
        rows_updated=metrics.integer("numRowsUpdated"),
        rows_deleted=metrics.integer("numRowsDeleted"),
        events_ignored=metrics.integer("numEventsIgnored"),
        events_stored=metrics.integer("numEventsStored"),
        late_after_tombstones=metrics.integer("numLateAfterTombstones"),
        files_read=metrics.integer("numFilesRead"),
        files_pruned=metrics.integer("numFilesPruned"),
        files_changed=metrics.integer("numFilesChanged"),
    )


def format_sink(sink: SinkProgress) -> str:
    """Return the progress of a sink as text, or nothing if it reports nothing."""
    if sink.skipped:
        return "sink: the table contained the batch already"
    if sink.version is None:
        return ""
    changes = (
        (sink.rows_inserted, "inserted"),
        (sink.rows_updated, "updated"),
        (sink.rows_deleted, "deleted"),
    )
    applied = ", ".join(f"{number} {done}" for number, done in changes if number is not None)
    rows = "" if sink.rows is None else f"{sink.rows} rows"
    return f"sink: version {sink.version}" + "".join(
        f", {one}" for one in (applied or rows,) if one
    )
