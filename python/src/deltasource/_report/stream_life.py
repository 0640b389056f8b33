# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is known about the life of a stream, as values. What is unknown is None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from deltasource._lag import Lag
from deltasource._monitor.events import QueryFailed
from deltasource._monitor.progress import Progress
from deltasource._views.query_summary import QuerySummary

MomentKind: TypeAlias = Literal["start", "end", "failure", "schema", "decision"]


@dataclass(frozen=True, kw_only=True)
class BatchRecord:
    """A batch, as its progress and the checkpoint describe it.

    Args:
        id: The number of the batch.
        started: When it began; from a checkpoint alone, when it was planned.
        seconds: How long it took; from a checkpoint alone, until its file in `commits` was written.
        from_files: Whether these times are those of the checkpoint and its files.
        planning_seconds: How long the sources took to plan it.
        rows: Rows read from all sources.
        files_read: Files between its offsets, in the log of the table.
        bytes_read: Their size.
        files_written: Files that the sink has added.
        bytes_written: Their size.
        closed_by: Why it ends where it does.
        version: The latest version of the table of which something was read.
        end: Its end offset: the version and the position of a Delta source, or the text of another.
        committed: Whether it is done.
    """

    id: int
    started: datetime | None
    seconds: float | None = None
    from_files: bool = False
    planning_seconds: float | None = None
    rows: int | None = None
    files_read: int | None = None
    bytes_read: int | None = None
    files_written: int | None = None
    bytes_written: int | None = None
    closed_by: str | None = None
    version: int | None = None
    end: str | None = None
    committed: bool = True

    @classmethod
    def of(cls, progress: Progress) -> BatchRecord:
        """Return the record of an executed batch."""
        ends = {one.closed_by for one in progress.sources.values() if one.closed_by is not None}
        return cls(
            id=progress.batch_id,
            started=progress.timestamp,
            seconds=_seconds(progress.duration_ms),
            planning_seconds=_seconds(progress.planning_ms),
            rows=progress.rows,
            files_written=progress.sink.files,
            bytes_written=progress.sink.bytes,
            closed_by=", ".join(sorted(ends)) or None,
        )


@dataclass(frozen=True)
class Moment:
    """Something that happened to the stream; `at` is None if nobody knows when."""

    at: datetime | None
    kind: MomentKind
    text: str


@dataclass(frozen=True)
class LagPoint:
    """The lag of a source, as a progress report says."""

    at: datetime
    source: str
    lag: Lag


@dataclass(frozen=True, kw_only=True)
class StreamLife:
    """Everything that a page about a stream shows.

    Args:
        name: The name of the query, or else its id, or else the path of the checkpoint.
        checkpoint: The path of the checkpoint.
        table: The path or the name of the table.
        batches: The batches, oldest first.
        batch_count: How many batches were found; `batches` has at most the latest 2,000.
        rows: Rows of all batches that were found.
        moments: What happened, oldest first; those without a time are last.
        failures: The latest failures, oldest first.
        failure_count: How many failures were found.
        run_count: How many runs were found.
        lags: The lag over time.
        lag: The lag behind the log of the table when the page was written.
        table_versions: When the versions of the table were committed.
        operations: How many commits of each operation the stream has passed.
        summary: The state of the query after its latest event.
        notes: What is missing, and why.
        warnings: Those of what the report was asked for: the table, or the events of the query.
        lacks_table: Whether the table was given and could not be read.
    """

    name: str
    checkpoint: str
    table: str | None
    batches: Sequence[BatchRecord] = ()
    batch_count: int = 0
    rows: int | None = None
    moments: Sequence[Moment] = ()
    failures: Sequence[QueryFailed] = ()
    failure_count: int | None = None
    run_count: int | None = None
    lags: Sequence[LagPoint] = ()
    lag: Lag | None = None
    table_versions: Sequence[tuple[int, datetime]] = ()
    operations: Mapping[str, int]
    summary: QuerySummary | None = None
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    lacks_table: bool = False


def _seconds(millis: int | None) -> float | None:
    return None if millis is None else millis / 1000
