# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A script: settings of `apply_changes`, and batches of changes as data.

Replayed changes are a batch that is there twice, and a cut is where a batch ends.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from apply_changes.columns import SCRIPT, VALUES, Column, KeyType, SequenceType
from apply_changes.fold import Event, Kind, Rules


class Layout(Enum):
    PLAIN = "plain"
    BY_KEY = "partitioned by the first key column"
    BY_VALUE = "partitioned by a column that changes"
    CLUSTERED = "clustered by the keys, and optimized where the query stops"


@dataclass(frozen=True, kw_only=True)
class Settings:
    scd_type: int = 1
    keys: KeyType = KeyType.INT
    sequence: SequenceType = SequenceType.LONG
    dropped: tuple[str, ...] = ("seq", "part", "note")
    """Columns that are not kept. Sequence columns may be kept."""
    untracked: tuple[str, ...] = ()
    by_list: bool = False
    """Whether columns are given as `column_list` and `track_history_column_list`, rather than by
    the columns that they leave out."""
    ignore_nulls: bool | tuple[str, ...] = False
    truncates: bool = False
    layout: Layout = Layout.PLAIN
    deletion_vectors: bool = False
    multiplexed: bool = False
    """Whether the number of a script is the first key column."""

    @property
    def key_columns(self) -> tuple[Column, ...]:
        return (SCRIPT, *self.keys.value) if self.multiplexed else self.keys.value

    @property
    def columns(self) -> tuple[str, ...]:
        """The kept columns that are not keys."""
        names = [column.name for column in (*self.sequence.value, *VALUES)]
        return tuple(name for name in names if name not in self.dropped)

    @property
    def tracked(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if name not in self.untracked)

    @property
    def rules(self) -> Rules:
        ignored = self.ignore_nulls
        return Rules(
            scd_type=self.scd_type,
            keys=tuple(column.name for column in self.key_columns),
            columns=self.columns,
            tracked=self.tracked,
            ignore_nulls=ignored if isinstance(ignored, tuple) else self.columns if ignored else (),
        )


@dataclass(frozen=True)
class Change:
    """A row of the source, in numbers that stand for the values in `columns`."""

    key: int | None
    """None, only for a truncate: its row has no key."""
    at: int
    """The sequence."""
    kind: Kind = Kind.UPSERT
    values: tuple[int | None, ...] = (None,) * len(VALUES)
    script: int = 0

    def row(self, settings: Settings) -> dict[str, Any]:
        """The source's columns, without `op`."""
        keys = {
            one.name: None if self.key is None else one.values[self.key]
            for one in settings.keys.value
        }
        sequence = {one.name: one.values[self.at] for one in settings.sequence.value}
        values = {
            one.name: None if number is None else one.values[number]
            for one, number in zip(VALUES, self.values, strict=True)
        }
        return {SCRIPT.name: self.script, **keys, **sequence, **values}

    def event(self, settings: Settings) -> Event:
        row = self.row(settings)
        return Event(
            tuple(row[one.name] for one in settings.key_columns),
            tuple(row[one.name] for one in settings.sequence.value),
            self.kind,
            {name: row[name] for name in settings.columns},
        )


class After(Enum):
    """What happens to the query after a batch."""

    NOTHING = "nothing"
    STOP = "it stops and is started again"
    CRASH = "it is killed before the batch is recorded as done, and writes it again"


@dataclass(frozen=True)
class Batch:
    changes: tuple[Change, ...]
    after: After = After.NOTHING


@dataclass(frozen=True)
class Script:
    batches: tuple[Batch, ...]
    settings: Settings = field(default_factory=Settings)
    tie: bool = False
    """Whether it may contain ties that must be reported."""

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(change for batch in self.batches for change in batch.changes)

    def events(self) -> list[Event]:
        return [change.event(self.settings) for change in self.changes]
