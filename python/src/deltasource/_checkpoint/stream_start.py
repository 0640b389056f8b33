# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where streams started, as recorded in checkpoints (design/0006-starting-points.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deltasource._checkpoint.offset import BEGIN, Offset
from deltasource._checkpoint.paths import ReadablePath, list_children, unreadable
from deltasource._errors import MalformedOffsetError, StartError
from deltasource._text import short_repr

_KINDS: Mapping[str, type] = {
    "tableId": str,
    "startOption": str,
    "version": int,
    "inSnapshot": bool,
}


@dataclass(frozen=True)
class StreamStart:
    """Where a stream of our source started.

    Args:
        start_option: The start option, as text: "Latest", "Version(7)".
        offset: The offset before the first file.
        first_end: The end of the first batch, as last planned; None before it is planned.

    Example:
        >>> from deltasource import Offset, StreamStart
        >>> StreamStart("Version(7)", offset=Offset(7, -100), first_end=None).offset.version
        7
    """

    start_option: str
    offset: Offset
    first_end: Offset | None


def read_starts(sources: ReadablePath) -> dict[str, StreamStart]:
    """Read the starts in `sources` of a checkpoint, by folder; StartError if one is damaged."""
    files = {source.name: source / "start" for source in list_children(sources)}
    return {name: _start(file) for name, file in files.items() if file.exists()}


def _start(file: ReadablePath) -> StreamStart:
    try:
        values = _values(file)
        begin = Offset(
            values["version"],
            BEGIN,
            is_initial_snapshot=values["inSnapshot"],
            table_id=values["tableId"],
        )
        return StreamStart(values["startOption"], begin, Offset.parse(values.get("firstEnd")))
    except OSError as error:
        raise unreadable(StartError, file, error) from error
    except (ValueError, RecursionError) as error:
        why = error.args[0] if isinstance(error, MalformedOffsetError) else error
        raise StartError(
            f"cannot read {file}, which records where the stream started: {why}. Restore it from a "
            "copy, or delete it: then the stream uses the start options again"
        ) from error


def _values(file: ReadablePath) -> dict[str, Any]:
    values = json.loads(file.read_text("utf-8"))
    if not isinstance(values, dict):
        raise ValueError(f"{short_repr(values)} is not a JSON object")
    for name, kind in _KINDS.items():
        if type(values.get(name)) is not kind:
            raise ValueError(
                f"{name} must be of type {kind.__name__}, got {short_repr(values.get(name))}"
            )
    if not isinstance(values.get("firstEnd"), str | None):
        raise ValueError("firstEnd must be a string")
    return values
