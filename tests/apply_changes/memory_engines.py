# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Engines in memory: the fold itself, and a second opinion that applies event after event."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from apply_changes.fold import (
    END,
    START,
    AmbiguousSequence,
    Event,
    Kind,
    Row,
    Rules,
    fold,
    row_of,
    values_of,
)
from apply_changes.history import Change, Script
from apply_changes.run import AmbiguousSequenceError

Place = tuple[str, ...]
"""A column, or a field of a struct."""


class FoldEngine:
    """Keeps all events and folds them."""

    checks_every_batch = True

    def start(self, script: Script, folder: Path) -> None:  # noqa: ARG002
        self._script = script
        self._events: list[Event] = []

    def write_batch(self, changes: Sequence[Change]) -> None:
        self._events += [change.event(self._script.settings) for change in changes]

    def restart(self, *, crashed: bool) -> None:
        """It has nothing to lose."""

    def rows(self) -> list[Row]:
        found = fold(self._events, self._script.settings.rules)
        if isinstance(found, AmbiguousSequence):
            raise AmbiguousSequenceError(str(found.ties))
        return found


class KeyState(Protocol):
    """What is kept of one key."""

    def apply(self, event: Event) -> None: ...

    def truncate(self, sequence: tuple[Any, ...]) -> None: ...

    def rows(self) -> list[Row]: ...


class CurrentRow:
    """Type 1: the newest upsert, a sequence for each value, and the newest delete."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.deleted: tuple[Any, ...] | None = None
        self.newest: Event | None = None
        self.cells: dict[Place, tuple[tuple[Any, ...], Any]] = {}

    def apply(self, event: Event) -> None:
        if event.kind is Kind.DELETE:
            self.delete(event)
        elif self.deleted == event.sequence:
            self.tie(event)
        elif self.deleted is None or self.deleted < event.sequence:
            self.upsert(event)

    def delete(self, event: Event) -> None:
        if self.newest and self.newest.sequence == event.sequence:
            self.tie(event)
        self.deleted = max(self.deleted or event.sequence, event.sequence)
        self.truncate(event.sequence)

    def truncate(self, sequence: tuple[Any, ...]) -> None:
        if self.newest and self.newest.sequence <= sequence:
            self.newest = None
        self.cells = {place: cell for place, cell in self.cells.items() if cell[0] > sequence}

    def upsert(self, event: Event) -> None:
        if self.newest and self.newest.sequence == event.sequence:
            columns = self.rules.columns
            if values_of(self.newest, columns) != values_of(event, columns):
                self.tie(event)
            return
        if self.newest is None or self.newest.sequence < event.sequence:
            self.newest = event
        for column in self.rules.ignore_nulls:
            self.merge((column,), event.sequence, event.payload[column])

    def merge(self, place: Place, sequence: tuple[Any, ...], value: Any) -> None:
        if value is None:
            return
        if place not in self.cells or self.cells[place][0] < sequence:
            self.cells[place] = (sequence, value)
        if isinstance(value, Mapping):
            for name, item in value.items():
                self.merge((*place, name), sequence, item)

    def tie(self, event: Event) -> None:
        raise AmbiguousSequenceError(str(event))

    def rows(self) -> list[Row]:
        if self.newest is None:
            return []
        merged = {column: self.value((column,)) for column in self.rules.ignore_nulls}
        return [row_of(self.newest, self.rules) | merged]

    def value(self, place: Place) -> Any:
        found = self.cells[place][1] if place in self.cells else None
        if isinstance(found, Mapping):
            return {name: self.value((*place, name)) for name in found}
        return found


class KeyHistory:
    """Type 2: all events, sorted."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.points: list[Event] = []

    def apply(self, event: Event) -> None:
        place = bisect_left(self.points, event.sequence, key=lambda point: point.sequence)
        if place < len(self.points) and self.points[place].sequence == event.sequence:
            if not self.same(self.points[place], event, self.rules.columns):
                self.tie(event)
            return
        self.points.insert(place, event)

    def truncate(self, sequence: tuple[Any, ...]) -> None:
        raise NotImplementedError(f"type 2 has no truncates, got one at {sequence}")

    def same(self, one: Event, other: Event, columns: tuple[str, ...]) -> bool:
        if one.kind is not other.kind:
            return False
        return one.kind is Kind.DELETE or values_of(one, columns) == values_of(other, columns)

    def tie(self, event: Event) -> None:
        raise AmbiguousSequenceError(str(event))

    def edges(self) -> list[int]:
        """Where something ends or begins: at first, and where neighbours are not of one run."""
        return [
            place
            for place, point in enumerate(self.points)
            if not place or not self.same(self.points[place - 1], point, self.rules.tracked)
        ]

    def rows(self) -> list[Row]:
        edges = self.edges()
        return [
            self.shown(begin, end or len(self.points))
            | {
                START: self.points[begin].sequence,
                END: None if end is None else self.points[end].sequence,
            }
            for begin, end in zip(edges, [*edges[1:], None], strict=False)
            if self.points[begin].kind is Kind.UPSERT
        ]

    def shown(self, begin: int, end: int) -> Row:  # noqa: ARG002
        return row_of(self.points[end - 1], self.rules)


class IncrementalEngine:
    """Applies event after event, with a state for each key."""

    checks_every_batch = True
    current: ClassVar[type[CurrentRow]] = CurrentRow
    history: ClassVar[type[KeyHistory]] = KeyHistory

    def start(self, script: Script, folder: Path) -> None:  # noqa: ARG002
        self.script = script
        self.rules = script.settings.rules
        self.states: dict[tuple[Any, ...], KeyState] = {}
        self.truncated: tuple[Any, ...] | None = None
        self.last: Sequence[Change] = ()

    def write_batch(self, changes: Sequence[Change]) -> None:
        self.last = changes
        for change in changes:
            self.apply(change.event(self.script.settings))

    def apply(self, event: Event) -> None:
        if event.kind is Kind.TRUNCATE:
            self.truncated = max(self.truncated or event.sequence, event.sequence)
            for state in self.states.values():
                state.truncate(event.sequence)
        elif self.truncated is None or self.truncated < event.sequence:
            self.state(event).apply(event)

    def state(self, event: Event) -> KeyState:
        kind = self.current if self.rules.scd_type == 1 else self.history
        if event.key not in self.states:
            self.states[event.key] = kind(self.rules)
        return self.states[event.key]

    def restart(self, *, crashed: bool) -> None:
        if crashed:
            self.write_batch(self.last)

    def rows(self) -> list[Row]:
        return [row for state in self.states.values() for row in state.rows()]
