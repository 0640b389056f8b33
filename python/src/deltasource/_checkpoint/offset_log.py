# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files in which Spark keeps what each batch of a query read, in both of their forms.

v1 (every Spark so far):     v1, a line about the batch, then an offset for each source, by position
v2 (Spark 4.3, with source   v2, a line about the batch, then `name:offset` for each source
evolution):

A source that has no offset yet has `-` in its place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from deltasource._checkpoint.places import Place
from deltasource._text import shown
from deltasource.errors import CheckpointError, MalformedOffsetError, NewerOffsetError
from deltasource.offsets import Offset

NONE_YET: Final = "-"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_YEAR_9999: Final = 253_370_764_800_000
_ADVICE: Final = "Stop the query, and restore the file from a copy, or start with a new checkpoint"


@dataclass(frozen=True)
class Entry:
    """One file: when its batch was planned, and the offset of each source that has one."""

    planned_at: datetime | None
    sources: dict[str, Offset | str]


def read(file: Place) -> Entry:
    """Read one file; CheckpointError if it is damaged, FileNotFoundError if it has gone."""
    lines = _lines(file)
    form = re.fullmatch(r"v([1-9][0-9]{0,8})", lines[0])
    if form is None:
        raise _damaged(file, f"its first line is {shown(lines[0])}, not v1 or v2")
    if int(form[1]) > 2:
        raise CheckpointError(
            f"{file} is of form {lines[0]}, this package knows v1 and v2: read it with a newer one"
        )
    if len(lines) < 3:
        raise _damaged(file, f"it ends after line {len(lines)}, before the offset of any source")
    named = _by_name(file, lines[2:]) if form[1] == "2" else _by_position(lines[2:])
    sources = {name: _offset(file, text) for name, text in named if text != NONE_YET}
    return Entry(_planned_at(file, lines[1]), sources)


def _lines(file: Place) -> Sequence[str]:
    try:
        return file.read_text("utf-8").removesuffix("\n").split("\n")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(file, str(error)) from error


def _by_position(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((str(at), line) for at, line in enumerate(lines))


def _by_name(file: Place, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, colon, text = line.partition(":")
        if not colon:
            raise _damaged(file, f"{shown(line)} does not name its source")
        yield name, text


def _offset(file: Place, text: str) -> Offset | str:
    """Read the offset of a Delta source; another source's is its own affair, and stays text."""
    if not text.strip():
        raise _damaged(file, "the line of a source is empty")
    if not text.startswith("{"):
        return text
    values = _json(file, text)
    if "reservoirVersion" not in values and "reservoirId" not in values:
        return text
    try:
        return Offset.parse(values)
    except MalformedOffsetError as error:
        raise _damaged(file, error.args[0]) from error
    except NewerOffsetError as error:
        raise NewerOffsetError(f"in {file}, {error.args[0]}") from error


def _planned_at(file: Place, text: str) -> datetime | None:
    # Spark leaves the line empty where it has nothing to say.
    millis = _json(file, text).get("batchTimestampMs", 0) if text.strip() else 0
    if type(millis) is not int or millis >= _YEAR_9999:
        raise _damaged(file, f"batchTimestampMs = {shown(millis)} is no time")
    return _EPOCH + timedelta(milliseconds=millis) if millis > 0 else None


def _json(file: Place, text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _damaged(file, f"{shown(text)} is cut short or is no JSON") from error
    if not isinstance(values, dict):
        raise _damaged(file, f"{shown(text)} is no JSON object")
    return values


def _damaged(file: Place, why: str) -> CheckpointError:
    return CheckpointError(f"{file} cannot be read: {why}. {_ADVICE}")
