# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a stream reads the tables that the last batch of its checkpoint has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deltasource._checkpoint.backlog import last_read, require_within
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.offset_log import OR_NEW_CHECKPOINT
from deltasource._errors import CheckpointError, OtherTableError
from deltasource._read.stream import load
from deltasource._session import jvm
from deltasource._session.streamed_table import StreamedTable
from deltasource._text import parse_int, short_repr
from deltasource._types import SessionLike

OTHER_CHECKPOINT = "Use the checkpoint of this stream, or a new one"


def require_same_tables(
    session: jvm.Session,
    streamed: Sequence[StreamedTable],
    offsets: Mapping[str, Offset | str],
    checkpoint: str,
) -> None:
    """Raise OtherTableError if a batch has read a table that the stream does not read.

    Raises CheckpointError if an offset is none of a Delta table, or if only the offset is of one.

    Delta's own error comes with the first batch, and advises to delete the checkpoint.

    Args:
        session: The session of the stream.
        streamed: What the stream reads. Nothing is checked if it reads something that is not a
            Delta table, or a table whose folder is not known.
        offsets: The end of the batch in each source that has one.
        checkpoint: The folder of the checkpoint, for the message.
    """
    _require_delta(streamed, offsets, checkpoint)
    tables = _tables(session, streamed)
    if tables is None:
        return
    ids = [None, *(one for one, _ in tables)]
    for name, end in offsets.items():
        if not isinstance(end, Offset):
            raise CheckpointError(
                f"the last offset of source {name} in the checkpoint {checkpoint} is damaged, or "
                f"not of a Delta table: {short_repr(end)}. Restore it from a copy, "
                f"{OR_NEW_CHECKPOINT}"
            )
        if end.table_id not in ids:
            now = ", ".join(f"{path} (id {one})" for one, path in tables)
            raise OtherTableError(
                f"the checkpoint {checkpoint} belongs to another table: its source {name} has read "
                f"the table with the id {end.table_id}, and the stream reads {now}. Use the "
                "checkpoint of this stream, or a new one. If the table was deleted and created "
                "again, use a new checkpoint, and a new or emptied target"
            )
        _require_same_position(name, end, tables, checkpoint)


def _require_same_position(
    name: str, end: Offset, tables: Sequence[tuple[str, str]], checkpoint: str
) -> None:
    """Raise OtherTableError if a source without a name reads another table of the stream."""
    position = parse_int(name)
    if position is None or position >= len(tables) or not end.table_id:
        return
    table_id, path = tables[position]
    if table_id != end.table_id:
        raise OtherTableError(
            f"the checkpoint {checkpoint} belongs to a query that reads the same tables in another "
            f"order: its source {name} has read the table with the id {end.table_id}, and source "
            f"{name} of the stream is {path} (id {table_id}). Write the sources in the order of "
            "before, for example in `union`"
        )


def require_versions(
    spark: SessionLike,
    session: jvm.Session,
    streamed: Sequence[StreamedTable],
    offsets: Mapping[str, Offset | str],
) -> None:
    """Raise BeyondTableError if a committed batch has read more versions than its table has.

    The source's own error comes with the first batch.
    """
    ends = [end.normalized for end in offsets.values() if isinstance(end, Offset)]
    for table_id, path in _tables(session, streamed) or ():
        for end in ends:
            if end.table_id == table_id and last_read(end) > _latest(session, path):
                load(spark.read, path)  # Lists its log again.
                require_within(end, _latest(session, path), path)


def require_same_number(count: int, stored: int | None, checkpoint: str) -> None:
    """Raise CheckpointError if a query has had another number of sources; None is unknown."""
    if stored not in (None, count):
        raise CheckpointError(
            f"the checkpoint {checkpoint} belongs to another query: its last batch has the offsets "
            f"of {_sources(stored)}, and the stream reads {_sources(count)}. {OTHER_CHECKPOINT}"
        )


def _require_delta(
    streamed: Sequence[StreamedTable], offsets: Mapping[str, Offset | str], checkpoint: str
) -> None:
    """Raise CheckpointError if the checkpoint has read a Delta table, and the stream reads none."""
    read = [name for name, end in offsets.items() if isinstance(end, Offset)]
    if read and not any(one.format == jvm.DELTA for one in streamed):
        now = ", ".join(one.format for one in streamed)
        raise CheckpointError(
            f"the checkpoint {checkpoint} belongs to another query: its source {read[0]} has read "
            f"a Delta table, and the stream reads {now}. {OTHER_CHECKPOINT}"
        )


def _sources(count: int | None) -> str:
    return "1 source" if count == 1 else f"{count} sources"


def _latest(session: jvm.Session, path: str) -> int:
    return int(session.delta_log(path).unsafeVolatileSnapshot().version())


def _tables(
    session: jvm.Session, streamed: Sequence[StreamedTable]
) -> Sequence[tuple[str, str]] | None:
    """Return the id and the path of each table that a stream reads; None if one is not known."""
    found: list[tuple[str, str]] = []
    for one in streamed:
        if one.format != jvm.DELTA or one.path is None:
            return None
        snapshot = session.delta_log(one.path).unsafeVolatileSnapshot()
        found.append((snapshot.metadata().id(), one.path))
    return found or None
