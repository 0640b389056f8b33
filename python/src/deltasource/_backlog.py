# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Holding the end of a batch against the log of a table."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from deltasource._table_log import TableLog
from deltasource._text import shown
from deltasource.errors import (
    BeyondTableError,
    NoOffsetError,
    OptionsError,
    OtherTableError,
    Problem,
)
from deltasource.lag import Lag
from deltasource.offsets import Offset
from deltasource.starting import TIME_ALLOWED, is_time

if TYPE_CHECKING:
    from deltasource.checkpoints import Batch


def of(batch: Batch | None, table: Path, *, source: str | None, now: datetime | None) -> Lag:
    """Answer what lies behind a batch in a table; see `Checkpoint.backlog`."""
    if now is not None and not is_time(now):
        raise OptionsError([Problem("now", shown(now), TIME_ALLOWED)])
    if batch is None:
        raise NoOffsetError("no batch of this checkpoint is done yet: nothing says what was read")
    log = TableLog.of(table)
    offset = _offset(batch, log, table, source).settled
    _require_within(offset, log, table)
    until = (now or datetime.now(timezone.utc)).timestamp()
    return _lag(offset, log, until)


def _offset(batch: Batch, log: TableLog, table: Path, source: str | None) -> Offset:
    known = {name: at for name, at in batch.sources.items() if isinstance(at, Offset)}
    asked = known if source is None else {name: at for name, at in known.items() if name == source}
    if not asked:
        wanted = "Delta source" if source is None else f"Delta source {source!r}"
        raise NoOffsetError(
            f"batch {batch.id} has no offset of a {wanted}: it has {_named(known) or 'none'}"
        )
    table_id = log.table_id()
    fitting = {name: at for name, at in asked.items() if table_id in (None, at.table_id)}
    if not fitting:
        raise OtherTableError(
            f"{table} is table {table_id}, but batch {batch.id} has read {_named(asked)}: give the "
            "folder of the table that the query reads"
        )
    if len(fitting) > 1:
        raise NoOffsetError(
            f"several sources of batch {batch.id} may read {table}: name one of {_named(fitting)}"
        )
    return next(iter(fitting.values()))


def _named(sources: dict[str, Offset]) -> str:
    return ", ".join(f"{name!r} (table {at.table_id})" for name, at in sources.items())


def _require_within(offset: Offset, log: TableLog, table: Path) -> None:
    entered = offset.index >= 0 or offset.is_initial_snapshot
    read = offset.version if entered else offset.version - 1
    if read > log.newest:
        raise BeyondTableError(
            f"the checkpoint has read the table up to version {read}, but its newest version is "
            f"{log.newest}: {table}. The table may have been restored from a copy. Bring back its "
            "log, or start with a new checkpoint"
        )


def _lag(offset: Offset, log: TableLog, until: float) -> Lag:
    waiting = range(offset.version, log.newest + 1)
    oldest = log.commit(offset.version) if waiting else None
    seconds = 0.0 if not waiting else max(0.0, until - oldest.seconds) if oldest else None
    sizes = None if offset.is_initial_snapshot else _sizes(offset, log, waiting)
    return Lag(
        versions=len(waiting),
        files=None if sizes is None else len(sizes),
        bytes=None if sizes is None else sum(sizes),
        seconds=seconds,
    )


def _sizes(offset: Offset, log: TableLog, waiting: range) -> list[int] | None:
    """Answer the sizes of the files behind an offset; None where a commit was cleaned up."""
    found: list[int] = []
    for version in waiting:
        commit = log.commit(version)
        if commit is None:
            return None
        found += commit.sizes[max(0, offset.index + 1) if version == offset.version else 0 :]
    return found
