# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Engines with one fault each, which the random scripts must find."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isnan
from pathlib import Path
from typing import Any

from apply_changes.fold import Event, Kind, Row, row_of
from apply_changes.history import Change, Script
from apply_changes.memory_engines import (
    CurrentRow,
    IncrementalEngine,
    KeyHistory,
    KeyState,
    Place,
)


class IgnoresLateEvents(IncrementalEngine):
    """An event that is older than the newest of its key is lost."""

    def state(self, event: Event) -> KeyState:
        newest: dict[Any, Any] = self.__dict__.setdefault("newest", {})
        if event.key in newest and event.sequence < newest[event.key]:
            return self.current(self.rules)
        newest[event.key] = event.sequence
        return super().state(event)


class AppliesInOrderOfArrival(IncrementalEngine):
    """What comes later wins, whatever its sequence."""

    def apply(self, event: Event) -> None:
        if event.kind is not Kind.TRUNCATE:
            self.states.pop(event.key, None)
        super().apply(event)


class TakesTheLastOfABatchByArrival(IncrementalEngine):
    """Of several events of a key in a batch, only the last to arrive counts."""

    def write_batch(self, changes: Sequence[Change]) -> None:
        last = {change.key: change for change in changes}
        super().write_batch(list(last.values()))


class LosesTombstones(IncrementalEngine):
    """A delete is forgotten after its batch, unless it ended a row."""

    def write_batch(self, changes: Sequence[Change]) -> None:
        super().write_batch(changes)
        for state in self.states.values():
            if isinstance(state, CurrentRow):
                state.deleted = None
            if isinstance(state, KeyHistory):
                points = state.points
                state.points = [
                    point
                    for place, point in enumerate(points)
                    if point.kind is Kind.UPSERT
                    or (place and points[place - 1].kind is Kind.UPSERT)
                ]


class BreaksTies(IncrementalEngine):
    """Of two events with one sequence, the first to arrive wins silently."""

    class Current(CurrentRow):
        def tie(self, event: Event) -> None:
            """Keeps what is there."""

    class History(KeyHistory):
        def tie(self, event: Event) -> None:
            """Keeps what is there."""

    current, history = Current, History


class ReportsDuplicates(IncrementalEngine):
    """Events that differ only in columns that are not kept are taken for a tie."""

    def start(self, script: Script, folder: Path) -> None:
        super().start(script, folder)
        self.seen: dict[Any, tuple[Any, ...]] = {}

    def write_batch(self, changes: Sequence[Change]) -> None:
        super().write_batch(changes)
        for change in changes:
            found = self.seen.setdefault((change.key, change.at), change.values)
            if change.kind is Kind.UPSERT and found != change.values:
                KeyHistory(self.rules).tie(change.event(self.script.settings))


class DoesNotCutRuns(IncrementalEngine):
    """The upserts inside a run are forgotten after their batch, except for their values."""

    def write_batch(self, changes: Sequence[Change]) -> None:
        super().write_batch(changes)
        for state in self.states.values():
            if isinstance(state, KeyHistory):
                edges = [*state.edges(), len(state.points)]
                state.points = [
                    Event(first.key, first.sequence, first.kind, last.payload)
                    for begin, end in pairwise(edges)
                    for first, last in [(state.points[begin], state.points[end - 1])]
                ]


class ShowsTheFirstOfARun(IncrementalEngine):
    """Columns that are not tracked keep the values that began the run."""

    class History(KeyHistory):
        def shown(self, begin: int, end: int) -> Row:  # noqa: ARG002
            return row_of(self.points[begin], self.rules)

    history = History


class DoesNotMoveStarts(IncrementalEngine):
    """A late event that is equal to the next one does not become the start of its row."""

    class History(KeyHistory):
        def apply(self, event: Event) -> None:
            later = [point for point in self.points if point.sequence > event.sequence]
            if not later or not self.same(event, later[0], self.rules.tracked):
                super().apply(event)

    history = History


class NullsDiffer(IncrementalEngine):
    """A null in a tracked column begins a new row each time."""

    class History(KeyHistory):
        def same(self, one: Event, other: Event, columns: tuple[str, ...]) -> bool:
            nulls = columns == self.rules.tracked and None in map(one.payload.get, columns)
            return (not nulls or one.sequence == other.sequence) and super().same(
                one, other, columns
            )

    history = History


class NansDiffer(IncrementalEngine):
    """So does NaN."""

    class History(KeyHistory):
        def same(self, one: Event, other: Event, columns: tuple[str, ...]) -> bool:
            amount = one.payload.get("amount") if "amount" in columns else None
            nan = amount is not None and isnan(amount)
            return (not nan or one.sequence == other.sequence) and super().same(one, other, columns)

    history = History


class IgnoresNullsByRow(IncrementalEngine):
    """One sequence for all values: what is late fills no null."""

    class Current(CurrentRow):
        def upsert(self, event: Event) -> None:
            if self.newest is None or self.newest.sequence <= event.sequence:
                super().upsert(event)

    current = Current


class BringsBackValues(IncrementalEngine):
    """An ignored null is replaced by a value from before a delete."""

    class Current(CurrentRow):
        def delete(self, event: Event) -> None:
            cells = self.cells
            super().delete(event)
            self.cells = cells

    current = Current


class ForgetsDeletesOfRows(IncrementalEngine):
    """The tombstone goes when the key comes back, so late values from before it come back too."""

    class Current(CurrentRow):
        def upsert(self, event: Event) -> None:
            super().upsert(event)
            self.deleted = None

    current = Current


class ReplacesStructs(IncrementalEngine):
    """A null in a field of a struct replaces the field's value."""

    class Current(CurrentRow):
        def value(self, place: Place) -> Any:
            found = self.cells.get(place, (None, None))[1]
            return found if isinstance(found, Mapping) else super().value(place)

    current = Current


class ForgetsTruncates(IncrementalEngine):
    """What is late comes back after a truncate."""

    def apply(self, event: Event) -> None:
        super().apply(event)
        self.truncated = None


class KeepsTheTruncatingSequence(IncrementalEngine):
    """A truncate removes what is before it, but not what has its own sequence."""

    def apply(self, event: Event) -> None:
        if event.sequence == self.truncated and event.kind is not Kind.TRUNCATE:
            self.state(event).apply(event)
        else:
            super().apply(event)


class WritesTwiceAfterACrash(IncrementalEngine):
    """The rows of a batch that is written again are there twice."""

    def start(self, script: Script, folder: Path) -> None:
        super().start(script, folder)
        self.twice: set[Any] = set()

    def restart(self, *, crashed: bool) -> None:
        if crashed:
            settings = self.script.settings
            self.twice |= {change.event(settings).key for change in self.last}

    def rows(self) -> list[Row]:
        found = super().rows()
        keys = self.rules.keys
        return found + [row for row in found if tuple(row[name] for name in keys) in self.twice]


FAULTS: tuple[type[IncrementalEngine], ...] = tuple(IncrementalEngine.__subclasses__())
