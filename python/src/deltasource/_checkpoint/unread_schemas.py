# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The recorded schema changes that a stream has not read past, from the checkpoint of its query."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from deltasource._checkpoint.checkpoint import Checkpoint
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.paths import is_checkpoint, resolve_path
from deltasource._checkpoint.tracked_schema import TrackedSchema, changes_by_entry
from deltasource._schema_change import SchemaChange
from deltasource._types import SessionLike


def reached_by(
    location: str | os.PathLike[str], spark: SessionLike | None = None
) -> dict[str, Offset]:
    """Return how far the latest batch of a query goes in each table, by table id.

    The query is that of the checkpoint which contains the schema log; empty if there is none.
    """
    above = (path for path in _with_parents(location) if is_checkpoint(resolve_path(path, spark)))
    found = next(above, None)
    batch = None if found is None else next(Checkpoint(found, spark).batches(last=1), None)
    reached: dict[str, Offset] = {}
    for end in () if batch is None else batch.sources.values():
        if isinstance(end, Offset):
            reached[end.table_id] = max(end, reached.get(end.table_id, end))
    return reached


def unread_changes(
    entries: Sequence[TrackedSchema], reached: dict[str, Offset]
) -> dict[int, tuple[SchemaChange, ...]]:
    """Return the changes whose version is not read yet, by that version."""
    by_number = {(entry.log, entry.number): entry for entry in entries}
    found: dict[int, tuple[SchemaChange, ...]] = {}
    for key, changes in changes_by_entry(entries).items():
        entry = by_number[key]
        end = reached.get(entry.table_id)
        if end is not None and end < Offset(entry.version, 0):
            found[entry.version] = found.get(entry.version, ()) + changes
    return found


def _with_parents(location: str | os.PathLike[str]) -> Iterator[str | os.PathLike[str]]:
    """Return a path and the folders above it; text stays text, because it may be a URI."""
    text = os.fspath(location).rstrip("/")
    while text and not text.endswith(":"):
        yield text if isinstance(location, str) else Path(text)
        text = text.rpartition("/")[0].rstrip("/")
