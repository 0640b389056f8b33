# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where streams began, as their checkpoints remember it (docs/design/0006-starting-points.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deltasource._checkpoint.places import Place, children
from deltasource._text import shown
from deltasource.errors import MalformedOffsetError, StartError
from deltasource.offsets import BEGIN, Offset

_KINDS: Mapping[str, type] = {"tableId": str, "asked": str, "version": int, "inSnapshot": bool}


@dataclass(frozen=True)
class StreamStart:
    """Where one stream of ours began.

    asked      the start option it came from, in the words of the jar: "Latest", "Version(7)"
    offset     the place before the first file that was read
    first_end  where the first batch was last planned to end; None before it was planned
    """

    asked: str
    offset: Offset
    first_end: Offset | None


def read_starts(sources: Place) -> dict[str, StreamStart]:
    """Read the starts below `sources` of a checkpoint, by folder; StartError if one is damaged."""
    files = {source.name: source / "start" for source in children(sources)}
    return {name: _start(file) for name, file in files.items() if file.exists()}


def _start(file: Place) -> StreamStart:
    try:
        values = _values(file)
        begin = Offset(
            values["version"],
            BEGIN,
            is_initial_snapshot=values["inSnapshot"],
            table_id=values["tableId"],
        )
        return StreamStart(values["asked"], begin, Offset.parse(values.get("firstEnd")))
    except (OSError, ValueError, RecursionError) as error:
        why = error.args[0] if isinstance(error, MalformedOffsetError) else error
        raise StartError(
            f"{file}, in which the checkpoint remembers where the stream began, cannot be read: "
            f"{why}. Restore it from a copy, or delete it: then the start options are asked again"
        ) from error


def _values(file: Place) -> dict[str, Any]:
    values = json.loads(file.read_text("utf-8"))
    if not isinstance(values, dict):
        raise ValueError(f"{shown(values)} is no JSON object")
    for name, kind in _KINDS.items():
        if type(values.get(name)) is not kind:
            raise ValueError(f"{name} = {shown(values.get(name))} is not what belongs there")
    if not isinstance(values.get("firstEnd"), str | None):
        raise ValueError("firstEnd is no text")
    return values
