# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""`offsets` and `explain-offset`: how far the batches of a checkpoint have come."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Final

from deltasource._commands import rows
from deltasource._commands.outcome import Outcome
from deltasource._commands.parser import Commands, count
from deltasource.checkpoints import Batch, Checkpoint
from deltasource.offsets import Offset

_PLACE: Final = ("version", "index", "in_snapshot", "table_id")
_SHOWN: Final = ("batch", "committed", "planned_at", "source", *_PLACE[:-1])
_BATCH: Final = (*_SHOWN, "table_id", "other")


def add(commands: Commands) -> None:
    """Declare the commands."""
    listing = commands.add_parser("offsets", help="list the batches of a checkpoint, newest last")
    listing.add_argument("checkpoint", help="the local folder of the checkpoint")
    listing.add_argument("--last", type=count, metavar="N", help="only the newest N batches")
    rows.add_format(listing)
    listing.set_defaults(run=_offsets)
    one = commands.add_parser("explain-offset", help="say in a sentence what an offset means")
    one.add_argument("json", help="the offset, as checkpoint or progress have it")
    rows.add_format(one)
    one.set_defaults(run=_explain)


def _offsets(given: argparse.Namespace) -> Outcome:
    batches = Checkpoint(given.checkpoint).batches(last=given.last)
    found = [row for batch in batches for row in _rows(batch)]
    notes = () if found else (f"{given.checkpoint}: no batch has been planned yet",)
    foreign = any(row["other"] is not None for row in found)
    shown = (*_SHOWN, "other") if foreign else _SHOWN
    answer = rows.written(found, form=given.format, columns=_BATCH, text_columns=shown)
    return Outcome(answer, notes)


def _rows(batch: Batch) -> Iterator[rows.Row]:
    planned = batch.planned_at.isoformat(timespec="seconds") if batch.planned_at else None
    first: rows.Row = {"batch": batch.id, "committed": batch.committed, "planned_at": planned}
    if not batch.sources:
        yield {**first, "source": None, **_place(None), "other": None}
    for source, at in batch.sources.items():
        offset, other = (at, None) if isinstance(at, Offset) else (None, at)
        yield {**first, "source": source, **_place(offset), "other": other}


def _place(offset: Offset | None) -> rows.Row:
    if offset is None:
        return dict.fromkeys(_PLACE)
    values = (offset.version, offset.index, offset.is_initial_snapshot, offset.table_id)
    return dict(zip(_PLACE, values, strict=True))


def _explain(given: argparse.Namespace) -> Outcome:
    offset = Offset.parse(given.json)
    sentence = offset.explain() if offset else "There is no offset yet: the stream has not begun."
    if given.format == "text":
        return Outcome(sentence)
    row = {**_place(offset), "sentence": sentence}
    return Outcome(rows.written([row], form=given.format, columns=(*_PLACE, "sentence")))
