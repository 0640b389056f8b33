# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A checkpoint, a table and events of one stream, for its report."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deltasource import Event, History, Progress, json_lines
from deltasource._report.gather import Sources, gather
from deltasource._report.stream_life import Moment, StreamLife
from support.checkpoint_samples import checkpoint, offset, put, table, tracked
from support.progress_samples import BEHIND, WRITTEN, sink, source
from support.view_samples import START, batch, failed, started

QUERY = "id of orders"
"""The id that the events of `view_samples` have."""


@dataclass(frozen=True)
class Files:
    """The files of a stream."""

    checkpoint: Path
    table: Path
    events: Path = Path()


def stream(folder: Path) -> Files:
    """Write a stream of three batches of two files each, the last not committed."""
    where = table(folder / "orders", [10, 20], [30, 40], [50, 60], [70])
    path = stored(folder / "checkpoint", [offset(1), offset(2), offset(3)], done=[0, 1])
    put(path / "_schema_log_x", "0", tracked(0, id="long"))
    put(path / "_schema_log_x", "1", tracked(2, id="long", note="string"))
    return Files(path, where, written(folder / "events.jsonl", *EVENTS))


def stored(folder: Path, ends: Sequence[str], *, done: Iterable[int]) -> Path:
    """Write a checkpoint whose batches are planned every ten seconds, and take two."""
    numbers = list(done)
    path = checkpoint(folder, *ends, done=numbers)
    put(path, "metadata", json.dumps({"id": QUERY}))
    for number, end in enumerate(ends):
        at = START.timestamp() + 10 * number
        metadata = json.dumps({"batchWatermarkMs": 0, "batchTimestampMs": round(at * 1000)})
        put(path / "offsets", str(number), f"v1\n{metadata}\n{end}")
        if number in numbers:
            os.utime(path / "commits" / str(number), (at + 2, at + 2))
    return path


def written(file: Path, *events: Event) -> Path:
    """Append events to a file."""
    append = json_lines(file)
    for event in events:
        append(event)
    return file


def done(number: int, seconds: float, **given: Any) -> Progress:
    """Return a batch of our source and sink, which began a number of seconds after the start."""
    raw = {**batch(number, source(**BEHIND), seconds=seconds, **given).raw, "sink": sink(**WRITTEN)}
    return Progress.of(raw)


EVENTS: Sequence[Event] = (
    started(),
    done(0, 1),
    failed(seconds=5),
    started(seconds=8, run="second"),
    done(1, 11, run="second"),
)


def life(files: Files, *, events: Path | History | None = None, **given: Any) -> StreamLife:
    """Gather the life of a stream from its files."""
    values: dict[str, Any] = {"source": None, "change_feed": False, "spark": None}
    values |= {"checkpoint": files.checkpoint, "table": files.table, "events": events, **given}
    return gather(Sources(**values))


def noted(found: StreamLife, words: str) -> bool:
    """Whether a note contains some words."""
    return any(words in note for note in found.notes)


def texts(moments: Iterable[Moment]) -> list[str]:
    """Return what happened."""
    return [one.text for one in moments]
