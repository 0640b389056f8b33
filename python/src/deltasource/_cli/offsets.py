# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands `offsets` and `explain-offset`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Final

from deltasource._checkpoint.offset import END, Offset
from deltasource._checkpoint.offset_log import Batch
from deltasource._checkpoint.paths import resolve_path
from deltasource._checkpoint.stored_batches import read_stored_batches
from deltasource._cli import table
from deltasource._cli.command import (
    ERROR,
    SUCCESS,
    CommandResult,
    Commands,
    path,
    positive_int,
)
from deltasource._errors import MalformedOffsetError, NewerOffsetError

_OFFSET: Final = ("version", "position", "index", "in_snapshot", "table_id")
_SHOWN: Final = ("batch", "committed", "planned_at", "source", "version", "position", "in_snapshot")
_BATCH: Final = ("batch", "committed", "planned_at", "source", *_OFFSET, "other")


def add(commands: Commands) -> None:
    """Declare the commands."""
    listing = commands.add_parser("offsets", help="list the batches of a checkpoint, oldest first")
    listing.add_argument("checkpoint", type=path, help="the folder of the checkpoint, or a URI")
    listing.add_argument("--last", type=positive_int, metavar="N", help="only the latest N batches")
    table.add_format(listing)
    listing.set_defaults(run=_offsets)
    one = commands.add_parser("explain-offset", help="explain what an offset means")
    one.add_argument(
        "offset", type=_offset, help="the offset, as in a checkpoint or a progress report"
    )
    table.add_format(one)
    one.set_defaults(run=_explain)


def _offsets(given: argparse.Namespace) -> CommandResult:
    stored = read_stored_batches(resolve_path(given.checkpoint), last=given.last)
    mistakes = [str(error) for error in stored.errors]
    found = [row for one in stored.batches for row in _rows(one)]
    none_yet = () if found or mistakes else (f"{given.checkpoint}: no batch has been planned yet",)
    foreign = any(row["other"] is not None for row in found)
    shown = (*_SHOWN, "other") if foreign else _SHOWN
    output = table.format_rows(
        found, output_format=given.format, columns=_BATCH, text_columns=shown
    )
    return CommandResult(output, (*none_yet, *mistakes), ERROR if mistakes else SUCCESS)


def _rows(batch: Batch) -> Iterator[table.Record]:
    planned = _utc(batch.planned_at) if batch.planned_at else None
    first: table.Record = {"batch": batch.id, "committed": batch.committed, "planned_at": planned}
    if not batch.sources:
        yield {**first, "source": None, **_columns(None), "other": None}
    for source, end in batch.sources.items():
        offset, other = (end, None) if isinstance(end, Offset) else (None, end)
        yield {**first, "source": source, **_columns(offset), "other": other}


def _columns(offset: Offset | None) -> table.Record:
    if offset is None:
        return dict.fromkeys(_OFFSET)
    return {
        "version": offset.version,
        "position": offset.position,
        "index": offset.index if 0 <= offset.index < END else None,
        "in_snapshot": offset.is_initial_snapshot,
        "table_id": offset.table_id,
    }


def _utc(time: datetime) -> str:
    return time.astimezone(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def _offset(text: str) -> Offset | None:
    # Path.exists fails for a text that is too long for a name.
    if os.path.exists(text):  # noqa: PTH110
        raise argparse.ArgumentTypeError(
            f"must be the text of an offset, and {text!r} is a file or a folder: the command "
            "`offsets CHECKPOINT` lists the offsets of a checkpoint"
        )
    try:
        return Offset.parse(text)
    except (MalformedOffsetError, NewerOffsetError) as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _explain(given: argparse.Namespace) -> CommandResult:
    offset: Offset | None = given.offset
    sentence = offset.explain() if offset else "There is no offset yet: the stream has not started."
    if given.format == "text":
        return CommandResult(sentence)
    row = {**_columns(offset), "sentence": sentence}
    return CommandResult(
        table.format_rows([row], output_format=given.format, columns=(*_OFFSET, "sentence"))
    )
