# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the log of a table tells about a stream: how much its batches have read, and its lag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Final

from deltasource._checkpoint.backlog import source_offset
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.paths import ReadablePath
from deltasource._checkpoint.read_commits import (
    MAX_COMMITS,
    FilesRead,
    ReadCommit,
    files_between,
    read_commits,
)
from deltasource._checkpoint.stored_batches import TimedBatch
from deltasource._checkpoint.table_log import TableLog
from deltasource._report.checkpoint_story import planned_at
from deltasource._report.stream_life import Moment

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_GAPS: Final = 5
_YEAR_9999: Final = 253_370_764_800


@dataclass(frozen=True, kw_only=True)
class TableStory:
    """What the log of a table tells.

    Args:
        source: The source that reads the table, as in `Batch.sources`.
        files_read: What each batch has read, if that is known.
        versions: When the versions of the table were committed.
        operations: How many commits of each operation the stream has passed.
        moments: The commits that remove or rewrite rows and that the stream has passed.
        notes: What is missing.
        problem: Why the table could not be read; None if it was.
    """

    source: str | None = None
    files_read: Mapping[int, FilesRead] = field(default_factory=dict[int, FilesRead])
    versions: Sequence[tuple[int, datetime]] = ()
    operations: Mapping[str, int] = field(default_factory=dict[str, int])
    moments: Sequence[Moment] = ()
    notes: Sequence[str] = ()
    problem: str | None = None


def read_table(
    table: ReadablePath, batches: Sequence[TimedBatch], *, source: str | None, change_feed: bool
) -> TableStory:
    """Read the log of a table; raises what `Checkpoint.backlog` raises."""
    log = TableLog.of(table)
    if not batches:
        return TableStory()
    metadata = log.metadata()
    table_id = None if metadata is None else metadata.id
    key, latest = source_offset(batches[-1].batch, table_id, table, source)
    ends = {
        one.batch.id: end.normalized
        for one in batches
        if isinstance(end := one.batch.sources.get(key), Offset) and end.table_id == latest.table_id
    }
    first = min(end.version for end in ends.values())
    commits = read_commits(log, first, change_feed=change_feed)
    ranges = _ranges(ends)
    read = {batch: files_between(start, end, commits) for batch, (start, end) in ranges.items()}
    moments, operations = _passed(batches, ranges, commits, change_feed=change_feed)
    return TableStory(
        source=key,
        files_read={batch: one for batch, one in read.items() if one is not None},
        versions=_times(commits),
        operations=operations,
        moments=moments,
        notes=[*_missing(first, log.latest, commits), *_damage(log, first)],
    )


def _ranges(ends: Mapping[int, Offset]) -> dict[int, tuple[Offset | None, Offset]]:
    """Return where each batch begins and ends; a batch whose beginning is unknown is left out."""
    return {
        batch: (ends.get(batch - 1), end)
        for batch, end in ends.items()
        if batch == 0 or batch - 1 in ends
    }


def _passed(
    batches: Sequence[TimedBatch],
    ranges: Mapping[int, tuple[Offset | None, Offset]],
    commits: Mapping[int, ReadCommit],
    *,
    change_feed: bool,
) -> tuple[list[Moment], Mapping[str, int]]:
    """Return what the stream did at the commits that it has read to their end."""
    moments: list[Moment] = []
    operations: Counter[str] = Counter()
    for one in batches:
        start, end = ranges.get(one.batch.id, (None, None))
        if start is None or end is None or end.is_initial_snapshot or not one.batch.committed:
            continue
        # The initial snapshot contains its version.
        first = start.version + 1 if start.is_initial_snapshot else start.version
        passed = ((v, commit) for v, commit in commits.items() if first <= v < end.version)
        for version, commit in passed:
            operation = commit.operation or "unknown"
            operations[operation] += 1
            if commit.removes_data and not change_feed:
                text = (
                    f"batch {one.batch.id} passed version {version} ({operation}), which removes "
                    "or rewrites rows: the options of the stream allow that"
                )
                moments.append(Moment(planned_at(one), "decision", text))
    return moments, operations


def _missing(first: int, latest: int, commits: Mapping[int, ReadCommit]) -> list[str]:
    wanted = latest - first + 1
    if len(commits) >= wanted:
        return []
    if len(commits) >= MAX_COMMITS:
        return [
            f"Only the latest {MAX_COMMITS:,} commits of the table were read. What batches have "
            "read before them is unknown."
        ]
    return [
        f"Commits that are not in the log of the table any more: {wanted - len(commits):,} of "
        f"{wanted:,}, from version {first} on. What batches have read of them is unknown."
    ]


def _damage(log: TableLog, first: int) -> list[str]:
    return [f"The log of the table is damaged: {gap}." for gap in log.gaps(first)[:_GAPS]]


def _times(commits: Mapping[int, ReadCommit]) -> list[tuple[int, datetime]]:
    """Return the times of commits, without those that no calendar has."""
    return [
        (version, _EPOCH + timedelta(seconds=commit.seconds))
        for version, commit in commits.items()
        if 0 <= commit.seconds < _YEAR_9999
    ]
