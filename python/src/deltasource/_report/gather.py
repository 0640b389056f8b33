# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Gathers what the checkpoint, the table and the events tell about a stream.

What cannot be read becomes a note: a page with a gap is better than none.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from deltasource._checkpoint.checkpoint import Checkpoint
from deltasource._checkpoint.paths import resolve_path
from deltasource._checkpoint.table_folder import resolve_table
from deltasource._errors import CheckpointError, DeltaSourceError, OtherTableError
from deltasource._lag import Lag
from deltasource._monitor.event_file import no_events
from deltasource._monitor.history import History
from deltasource._report.checkpoint_story import CheckpointStory, batch_record, read_checkpoint
from deltasource._report.query_events import KEPT, QueryEvents, events_of, find_query
from deltasource._report.stream_life import BatchRecord, Moment, StreamLife
from deltasource._report.table_story import TableStory, read_table
from deltasource._types import SessionLike

_LATE: Final = datetime.max.replace(tzinfo=timezone.utc)
_NAMED: Final = 5


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where a report comes from; see `report`."""

    checkpoint: str | os.PathLike[str]
    table: str | os.PathLike[str] | None
    events: str | os.PathLike[str] | History | None
    source: str | None
    change_feed: bool
    spark: SessionLike | None


def gather(given: Sources) -> StreamLife:
    """Gather the life of a stream.

    Raises CheckpointError if there is nothing to show, OtherTableError if the stream does not read
    the table, ProgressError if no line of the file of events is an event.
    """
    notes: list[str] = []
    warnings: list[str] = []
    checkpoint = Checkpoint(given.checkpoint, given.spark)
    stored, error = _checkpoint(given)
    if error is not None:
        notes.append(f"The checkpoint cannot be read: {error.args[0]}.")
    events = _events(given, stored.query_id, notes, warnings)
    if error is not None and events is None:
        raise error
    notes += stored.notes
    table, lag = _table(given, checkpoint, stored, notes)
    if table.problem is not None:
        warnings.append(f"the report lacks the table: {table.problem}")
    batches = _batches(stored, table, events, notes)
    batch_count = len(batches) + (events.batch_count - len(events.batches) if events else 0)
    if batch_count > KEPT:
        notes.append(f"Only the latest {KEPT:,} of {batch_count:,} batches are in the charts.")
    # A History has only progress: no failures, and no ends.
    complete = None if isinstance(given.events, History) else events
    moments = events.moments if events else ()
    ends = complete.runs_without_end() if complete else ()
    return StreamLife(
        name=_name(events) or stored.query_id or checkpoint.path,
        checkpoint=checkpoint.path,
        table=None if given.table is None else os.fspath(given.table),
        batches=batches[-KEPT:],
        batch_count=batch_count,
        rows=events.rows if events else None,
        moments=_sorted([*stored.moments, *table.moments, *moments, *ends, *_lost(lag)]),
        failures=tuple(complete.failures) if complete else (),
        failure_count=complete.failure_count if complete else None,
        run_count=events.run_count if events else None,
        lags=tuple(events.lags) if events else (),
        lag=lag,
        table_versions=table.versions,
        operations=table.operations,
        summary=complete.summary if complete else None,
        notes=notes,
        warnings=warnings,
        lacks_table=table.problem is not None,
    )


def _checkpoint(given: Sources) -> tuple[CheckpointStory, CheckpointError | None]:
    try:
        return read_checkpoint(resolve_path(given.checkpoint, given.spark)), None
    except CheckpointError as error:
        return CheckpointStory(query_id=None, batches=(), moments=(), notes=()), error


def _events(
    given: Sources, query_id: str | None, notes: list[str], warnings: list[str]
) -> QueryEvents | None:
    if given.events is None:
        notes.append(
            "No events were given. Rows, planning times, failures and restarts are therefore "
            "unknown, and the times of batches are those of the checkpoint and its files."
        )
        return None
    damaged: list[str] = []
    if isinstance(given.events, History):
        found = find_query(given.events, query_id)
        notes.append(
            "A History has neither failures nor the state of the query; a file of events has."
        )
    else:
        found = find_query(events_of(Path(given.events), damaged), query_id)
    if damaged and not found.names:
        raise no_events(given.events, damaged[0])
    if damaged:
        notes.append(
            f"Lines of the file of events that could not be read: {len(damaged):,}. The first is "
            f"{damaged[0]}."
        )
    if found.query is None:
        warnings.append(_no_events(query_id, found.names))
        notes.append(warnings[-1])
    elif query_id is None:
        notes.append(
            "The checkpoint does not say the id of its query. The events are those of the only "
            "query that they contain."
        )
    return found.query


def _no_events(query_id: str | None, names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:_NAMED])) + (", …" if len(names) > _NAMED else "")
    if not names:
        return "The events are empty, so only the checkpoint is shown."
    if query_id is None:
        return f"The events are of several queries ({shown}), and the id of this one is unknown."
    return f"The events are of other queries ({shown}), and none is of this one, {query_id}."


def _table(
    given: Sources, checkpoint: Checkpoint, stored: CheckpointStory, notes: list[str]
) -> tuple[TableStory, Lag | None]:
    if given.table is None:
        notes.append(
            "No table was given. The lag and what the batches have read are therefore unknown."
        )
        return TableStory(), None
    source, change_feed = given.source, given.change_feed
    try:
        folder = resolve_table(given.table, given.spark)
        story = read_table(folder, stored.batches, source=source, change_feed=change_feed)
        notes += story.notes
    except OtherTableError:
        # The page would be about two tables.
        raise
    except (DeltaSourceError, OSError) as error:
        notes.append(f"What the batches have read of the table is unknown: {_why(error)}.")
        story = TableStory(problem=_why(error))
    if not stored.batches:
        return story, None
    try:
        return story, checkpoint.backlog(given.table, source=source, change_feed=change_feed)
    except (DeltaSourceError, OSError) as error:
        notes.append(f"The lag behind the table is unknown: {_why(error)}.")
        return story, None


def _why(error: Exception) -> str:
    return str(error.args[0]) if isinstance(error, DeltaSourceError) else str(error)


def _batches(
    stored: CheckpointStory, table: TableStory, events: QueryEvents | None, notes: list[str]
) -> list[BatchRecord]:
    """Return the batches with events, completed from the checkpoint, and those without."""
    by_id = {one.batch.id: batch_record(one, table.source) for one in stored.batches}
    for batch, read in table.files_read.items():
        by_id[batch] = replace(by_id[batch], files_read=read.files, bytes_read=read.bytes)
    if events is None:
        return list(by_id.values())
    # A batch that was run again has several events: the latest is that of the checkpoint.
    latest_first = reversed(events.batches)
    reported = [_completed(record, by_id.pop(record.id, None)) for record in latest_first]
    if by_id:
        notes.append(
            f"Batches without an event: {len(by_id):,}. Their times are those of the checkpoint "
            "and its files."
        )
    return sorted([*by_id.values(), *reported[::-1]], key=_order)


def _completed(record: BatchRecord, stored: BatchRecord | None) -> BatchRecord:
    if stored is None:
        return record
    return replace(
        record,
        files_read=stored.files_read,
        bytes_read=stored.bytes_read,
        version=stored.version,
        end=stored.end,
        committed=stored.committed,
    )


def _order(record: BatchRecord) -> tuple[int, datetime]:
    return record.id, record.started or _LATE


def _lost(lag: Lag | None) -> Sequence[Moment]:
    if lag is None or lag.lost_file is None:
        return ()
    text = "a file that was not read yet is gone, probably deleted by VACUUM"
    return (Moment(None, "failure", f"{text}: {lag.lost_file}"),)


def _sorted(moments: Sequence[Moment]) -> Sequence[Moment]:
    return sorted(moments, key=lambda one: one.at or _LATE)


def _name(events: QueryEvents | None) -> str | None:
    return None if events is None or events.summary is None else events.summary.query
