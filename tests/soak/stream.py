# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The ten streams: which table each of them reads, how, and into what."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from deltasource import Latest, ReadOptions, Trigger
from soak import table
from soak.table import SoakTable
from soak.table_state import Effect, Row

ALL_COLUMNS = ("*",)
DEFAULTS = ReadOptions()


class Reading(Enum):
    """What a stream delivers of a commit."""

    APPENDS = "inserted rows"
    SKIP_COMMITS = "inserted rows of commits that remove no data"
    REEMIT = "inserted rows, and those left in files of which rows are deleted"
    CHANGES = "the change feed"


class Sink(Enum):
    """Where a stream writes."""

    DELTA = "a Delta table"
    BATCH_FILES = "foreachBatch, which writes a local file"


@dataclass(frozen=True, kw_only=True)
class SoakStream:
    """One stream, whose target has one text column, `row`: the rows as JSON.

    Attributes:
        name: Names its target and its checkpoint.
        source: The table it reads.
        options: How it reads the table.
        reading: What it delivers.
        columns: The columns it reads.
        tracks_schema: Whether it records schema changes.
        trigger: With "available_now" it runs to the end, and is started again.
    """

    name: str
    source: SoakTable
    options: ReadOptions = DEFAULTS
    reading: Reading = Reading.APPENDS
    sink: Sink = Sink.DELTA
    columns: Sequence[str] = ("id", "value")
    tracks_schema: bool = False
    trigger: Trigger = timedelta(0)

    @property
    def target(self) -> str:
        return f"target/{self.name}"

    @property
    def checkpoint(self) -> str:
        return f"checkpoint/{self.name}"

    @property
    def reads_first_rows(self) -> bool:
        """Whether it reads the rows that were there before it started."""
        return not isinstance(self.options.start, Latest)

    def delivered(self, effect: Effect) -> Iterator[str]:
        """The rows that it delivers of a commit, as Spark's `to_json` writes them."""
        match self.reading:
            case Reading.APPENDS:
                rows = effect.inserted
            case Reading.SKIP_COMMITS:
                rows = () if effect.removes_data else effect.inserted
            case Reading.REEMIT:
                rows = (*effect.inserted, *effect.kept)
            case Reading.CHANGES:
                rows = (
                    *_changes("insert", effect.inserted),
                    *_changes("delete", effect.deleted),
                    *_changes("update_preimage", effect.before),
                    *_changes("update_postimage", effect.after),
                )
        for row in rows:
            columns = row if self.columns == ALL_COLUMNS else self.columns
            yield json.dumps({name: row[name] for name in columns}, separators=(",", ":"))


def _changes(kind: str, rows: Sequence[Row]) -> Iterator[Row]:
    for row in rows:
        yield {"_change_type": kind, **row}


STREAMS = (
    SoakStream(name="append", source=table.PLAIN),
    SoakStream(
        name="foreach-batch",
        source=table.PLAIN,
        options=ReadOptions(max_files=2),
        sink=Sink.BATCH_FILES,
    ),
    SoakStream(name="latest", source=table.PLAIN, options=ReadOptions(start=Latest())),
    SoakStream(
        name="available-now",
        source=table.PLAIN,
        options=ReadOptions(max_bytes="2kb"),
        trigger="available_now",
    ),
    SoakStream(
        name="change-feed",
        source=table.CHANGES,
        reading=Reading.CHANGES,
        columns=("_change_type", "id", "value"),
    ),
    SoakStream(
        name="skip-commits",
        source=table.CHANGES,
        options=ReadOptions(on_change="skip_commits"),
        reading=Reading.SKIP_COMMITS,
    ),
    SoakStream(
        name="reemit",
        source=table.VECTORS,
        options=ReadOptions(on_change="reemit"),
        reading=Reading.REEMIT,
    ),
    SoakStream(
        name="ignore-deletes",
        source=table.PARTITIONS,
        options=ReadOptions(on_change="ignore_deletes"),
    ),
    SoakStream(
        name="schema-tracking", source=table.EVOLVING, columns=ALL_COLUMNS, tracks_schema=True
    ),
    SoakStream(name="max-files", source=table.REMOTE, options=ReadOptions(max_files=3)),
)


def named(name: str) -> SoakStream:
    return next(stream for stream in STREAMS if stream.name == name)
