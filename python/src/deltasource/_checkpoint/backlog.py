# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Computes how far a batch is behind the log of a table."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from typing import Final, TypedDict

from deltasource._checkpoint.commit import Commit, Metadata
from deltasource._checkpoint.offset import BEGIN, Offset
from deltasource._checkpoint.offset_log import OR_NEW_CHECKPOINT, Batch
from deltasource._checkpoint.paths import ReadablePath
from deltasource._checkpoint.retention import file_retention, retention
from deltasource._checkpoint.stored_files import first_missing
from deltasource._checkpoint.table_log import TableLog
from deltasource._checkpoint.unread_files import UnreadFiles
from deltasource._errors import (
    BeyondTableError,
    NoOffsetError,
    OtherTableError,
)
from deltasource._lag import CheckpointLag, DataLossLimit
from deltasource._options import change_feed_property
from deltasource._options.start import TIME_ALLOWED, is_time
from deltasource._options.validation import FLAG_ALLOWED, Rule, validate

SOURCE_ALLOWED: Final = "must be the name of a source as text"
NO_FEED: Final = f"must be False: {{}} has no change feed ({change_feed_property.PROPERTY})"
EXISTENCE_CHECKS: Final = 3
"""How many removed files are looked for: VACUUM deletes those that were removed first."""


def compute(
    batch: Batch | None,
    table: ReadablePath,
    *,
    source: str | None,
    now: datetime | None,
    change_feed: bool,
) -> CheckpointLag:
    """Compute what a table contains after a batch; see `Checkpoint.backlog`."""
    validate(
        source_rule(source),
        ("now", now, now is None or is_time(now), TIME_ALLOWED),
        ("change_feed", change_feed, isinstance(change_feed, bool), FLAG_ALLOWED),
    )
    if batch is None:
        raise NoOffsetError(
            f"no batch of the checkpoint is committed yet, so nothing of {table} was read: run the "
            "query first"
        )
    log = TableLog.of(table)
    metadata = log.metadata()
    has_feed = metadata is None or change_feed_property.is_enabled(metadata.properties)
    validate(("change_feed", change_feed, has_feed or not change_feed, NO_FEED.format(table)))
    table_id = None if metadata is None else metadata.id
    stored = source_offset(batch, table_id, table, source)[1].normalized
    require_within(stored, log.latest, table)
    offset = _past_read_commit(stored, log, change_feed)
    log.require_unbroken(offset.version + offset.is_initial_snapshot)
    until = (now or datetime.now(timezone.utc)).timestamp()
    return _lag(offset, log, table, until, metadata, change_feed)


def source_rule(source: object) -> Rule:
    """Return the rule for the name of a source, which looks like a number."""
    named = source is None or isinstance(source, str)
    return "source", source, named, f'{SOURCE_ALLOWED}, such as "{source}"'


def source_offset(
    batch: Batch, table_id: str | None, table: ReadablePath, source: str | None
) -> tuple[str, Offset]:
    """Return the source that reads a table, and how far; NoOffsetError or OtherTableError."""
    known = {name: end for name, end in batch.sources.items() if isinstance(end, Offset)}
    chosen = {name: end for name, end in known.items() if source in (None, name)}
    if not chosen:
        wanted = "Delta source" if source is None else f"Delta source {source!r}"
        raise NoOffsetError(f"batch {batch.id} has no offset of a {wanted}{_only(batch, known)}")
    fitting = {name: end for name, end in chosen.items() if table_id in (None, end.table_id)}
    if not fitting:
        raise OtherTableError(
            f"{table} is table {table_id}, but the checkpoint has read {_named(chosen)}. Give "
            "the folder of the table that the query reads. If it was deleted and created again, "
            "use a new checkpoint, and a new or emptied target"
        )
    if len(fitting) > 1:
        raise NoOffsetError(
            f"several sources of batch {batch.id} may read {table}: choose with `source` "
            "(`--source`) one of "
            f"{_named(fitting)}"
        )
    return next(iter(fitting.items()))


def _only(batch: Batch, known: dict[str, Offset]) -> str:
    """Say what a batch has instead of the offset that was asked for."""
    if known:
        return f", only of {_named(known)}: choose one of them"
    others = ", ".join(f"{end} (source {name!r})" for name, end in batch.sources.items())
    if not others:
        return ": the query has not read anything yet"
    return (
        f", but has {others}. If the query reads a Delta table, the file offsets/{batch.id} is "
        "damaged: restore it from a copy"
    )


def _named(sources: dict[str, Offset]) -> str:
    return ", ".join(
        f"table {offset.table_id} (source {name!r})" for name, offset in sources.items()
    )


def last_read(offset: Offset) -> int:
    """Return the last version of which a batch with this end has read something; -1 for none."""
    entered = offset.index >= 0 or offset.is_initial_snapshot
    return offset.version if entered else offset.version - 1


def require_within(offset: Offset, latest: int, table: object) -> None:
    """Raise BeyondTableError if a batch has read more versions than a table has."""
    read = last_read(offset)
    if read > latest:
        raise BeyondTableError(
            f"the checkpoint has read version {read} of {table}, but the latest version is "
            f"{latest}. The table may have been restored from a copy: restore its log, "
            f"{OR_NEW_CHECKPOINT}"
        )


def _past_read_commit(offset: Offset, log: TableLog, change_feed: bool) -> Offset:
    """Return the start of the next version if the offset is the last file of its commit.

    A batch of change files ends there; the metrics of the stream do not count that version either.
    """
    if offset.is_initial_snapshot or offset.index < 0:
        return offset
    commit = log.commit(offset.version)
    if commit is None:
        return offset
    # A row stream has no number that is higher than its files: it is a change feed after all.
    is_feed = change_feed or offset.index >= len(commit.rows)
    if len(commit.read_by(change_feed=is_feed)) > offset.index + 1:
        return offset
    return Offset(offset.version + 1, BEGIN, table_id=offset.table_id)


def _lag(
    offset: Offset,
    log: TableLog,
    table: ReadablePath,
    until: float,
    metadata: Metadata | None,
    change_feed: bool,
) -> CheckpointLag:
    kept = None if metadata is None else retention(metadata.properties)
    versions = log.latest + 1 - offset.version
    if versions <= 0:
        return CheckpointLag(
            versions=0, files=0, bytes=0, seconds=0.0, **_data_loss(kept, math.inf)
        )
    oldest = log.commit(offset.version)
    later = (log.commit(version) for version in range(offset.version + 1, log.latest + 1))
    unread = UnreadFiles.after(offset, oldest, later, change_feed=change_feed)
    sizes = unread.sizes if unread.complete and not offset.is_initial_snapshot else None
    lost = first_missing(table, unread.oldest_removed(EXISTENCE_CHECKS))
    # What the log allows is an estimate; a file that is gone is not.
    log_left = math.inf if lost else _log_left(offset, oldest, until, kept)
    files_left = 0.0 if lost else _files_left(unread, until, metadata)
    return CheckpointLag(
        versions=versions,
        files=None if sizes is None else len(sizes),
        bytes=None if sizes is None else sum(sizes),
        seconds=None if oldest is None else max(0.0, until - oldest.seconds),
        lost_file=lost,
        **_data_loss(log_left, files_left),
    )


def _log_left(
    offset: Offset, oldest: Commit | None, until: float, kept: float | None
) -> float | None:
    """Return for how many seconds the oldest unread commit is kept at least."""
    if oldest is None:
        # A snapshot may still be in a checkpoint; a commit that was cleaned up is lost.
        return None if offset.is_initial_snapshot else 0.0
    return None if kept is None else max(0.0, oldest.seconds + kept - until)


def _files_left(unread: UnreadFiles, until: float, metadata: Metadata | None) -> float | None:
    """Return for how many seconds VACUUM keeps what is needed: infinity if nothing was removed."""
    if not unread.complete:
        # A commit that was cleaned up may have removed a file.
        return None
    if not unread.removed:
        return math.inf
    kept = None if metadata is None else file_retention(metadata.properties)
    if kept is None:
        return None
    if unread.vacuum_retention is not None:
        # The next VACUUM probably keeps files as long as the latest one.
        kept = min(kept, unread.vacuum_retention)
    return max(0.0, min(unread.removed.values()) + kept - until)


class _DataLoss(TypedDict):
    hours_to_data_loss: float | None
    data_loss_limit: DataLossLimit | None


def _data_loss(log_left: float | None, files_left: float | None) -> _DataLoss:
    """Return the shorter time, and which one it is; nothing is shorter than 0."""
    known = [one for one in (log_left, files_left) if one is not None]
    shortest = min(known, default=None)
    if shortest is None or (len(known) == 1 and shortest > 0):
        return {"hours_to_data_loss": None, "data_loss_limit": None}
    limit: DataLossLimit = "log" if shortest == log_left else "data_files"
    return {
        "hours_to_data_loss": shortest / 3600,
        "data_loss_limit": None if math.isinf(shortest) else limit,
    }
