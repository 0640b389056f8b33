# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What a table must hold after changes were applied to it, as a fold over the sorted events.

The rows depend on the set of events alone: not on their order of arrival, on batches or on repeats.
Decisions where the rules leave room:

- Columns that are not kept are not part of an event: two events that differ only there are equal.
- A delete has no payload: two deletes of one key and one sequence are equal.
- A delete and an upsert of one key and one sequence are a tie, and so are two different upserts.
- A tie is reported even if newer events make it irrelevant; `Tie.decides` tells whether it matters.
- Tombstones never age out.
- A kept sequence column is a column like any other: by default it is tracked.
- Sequences of several columns compare column by column; `__START_AT` and `__END_AT` are tuples.
- Values compare as in Spark: null equals null, NaN equals NaN, 0.0 equals -0.0.
- A column that an event does not have is null there.
- A null that is ignored gives way to the newest older value since the last delete. A struct is
  null or not as a whole, and its fields are then treated one by one; an array or a map is a value.
- Type 2 has no truncates and ignores no nulls: `fold` refuses both.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby
from typing import Any

START, END = "__START_AT", "__END_AT"
Row = dict[str, Any]


class Kind(Enum):
    UPSERT = "U"
    DELETE = "D"
    TRUNCATE = "T"


@dataclass(frozen=True)
class Event:
    key: tuple[Any, ...]
    """The values of the key columns. Those of a truncate have no meaning."""
    sequence: tuple[Any, ...]
    kind: Kind = Kind.UPSERT
    payload: Mapping[str, Any] = field(default_factory=dict)
    """The values of the columns that are not keys."""

    def __post_init__(self) -> None:
        if not self.sequence or any(map(missing, self.sequence)):
            raise ValueError(f"a sequence must not be null or NaN, got {self.sequence}")
        if self.kind is not Kind.TRUNCATE and (not self.key or None in self.key):
            raise ValueError(f"a key must not be null, got {self.key}")


@dataclass(frozen=True, kw_only=True)
class Rules:
    scd_type: int
    keys: tuple[str, ...]
    columns: tuple[str, ...]
    """The kept columns that are not keys."""
    tracked: tuple[str, ...]
    """Type 2: the columns that begin a new history row if they change."""
    ignore_nulls: tuple[str, ...] = ()
    """The columns in which a null does not replace a value."""

    def __post_init__(self) -> None:
        if self.scd_type not in (1, 2):
            raise ValueError(f"scd_type must be 1 or 2, got {self.scd_type}")
        if self.scd_type == 2 and self.ignore_nulls:
            raise ValueError("type 2 does not ignore nulls")


@dataclass(frozen=True)
class Tie:
    """Different events of one key with one sequence."""

    key: tuple[Any, ...]
    sequence: tuple[Any, ...]
    events: tuple[Event, ...]
    decides: bool
    """Whether the rows depend on it, as far as the events that a table keeps can tell: for type 1,
    it must also be the newest sequence of its key."""


@dataclass(frozen=True)
class AmbiguousSequence:
    """No rows: the events do not say what the table holds."""

    ties: tuple[Tie, ...]


def fold(events: Iterable[Event], rules: Rules) -> list[Row] | AmbiguousSequence:
    """The rows of the target, sorted by key and start, or the ties that prevent an answer."""
    given = list(events)
    truncates = [event.sequence for event in given if event.kind is Kind.TRUNCATE]
    if truncates and rules.scd_type == 2:
        raise ValueError("type 2 does not support truncates")
    distinct = {identity(one, rules): one for one in given if one.kind is not Kind.TRUNCATE}
    ordered = sorted(distinct.values(), key=lambda event: (event.key, event.sequence))
    ties: list[Tie] = []
    rows: list[Row] = []
    for _, group in groupby(ordered, key=lambda event: event.key):
        history = list(group)
        left = [one for one in history if not truncates or one.sequence > max(truncates)]
        ties += ties_of(history, left, rules)
        rows += rows_of(left, rules)
    return AmbiguousSequence(tuple(ties)) if ties else rows


def rows_of(events: Sequence[Event], rules: Rules) -> list[Row]:
    """The rows of one key, whose events are sorted."""
    return last_row(events, rules) if rules.scd_type == 1 else history_rows(events, rules)


def last_row(events: Sequence[Event], rules: Rules) -> list[Row]:
    """Type 1: the row of the last event, or none if it is a delete."""
    deletes = [place for place, event in enumerate(events) if event.kind is Kind.DELETE]
    upserts = events[deletes[-1] + 1 if deletes else 0 :]
    if not upserts:
        return []
    row = row_of(upserts[-1], rules)
    for column in rules.ignore_nulls:
        row[column] = newest_value([event.payload.get(column) for event in upserts])
    return [row]


def newest_value(values: Sequence[Any]) -> Any:
    """The last value that is not null, and so for each field of a struct."""
    given = [value for value in values if value is not None]
    if given and isinstance(given[-1], Mapping):
        return {name: newest_value([value[name] for value in given]) for name in given[-1]}
    return given[-1] if given else None


def history_rows(events: Sequence[Event], rules: Rules) -> list[Row]:
    """Type 2: a row for each run of upserts whose tracked columns are equal."""
    rows: list[Row] = []
    run: tuple[Any, ...] | None = None
    for event in events:
        upsert = event.kind is Kind.UPSERT
        tracked = values_of(event, rules.tracked) if upsert else None
        if tracked is not None and tracked == run:
            rows[-1] |= row_of(event, rules)
            continue
        if run is not None:
            rows[-1][END] = event.sequence
        if upsert:
            rows.append(row_of(event, rules) | {START: event.sequence, END: None})
        run = tracked
    return rows


def row_of(event: Event, rules: Rules) -> Row:
    keys = dict(zip(rules.keys, event.key, strict=True))
    return keys | {column: event.payload.get(column) for column in rules.columns}


def ties_of(history: Sequence[Event], left: Sequence[Event], rules: Rules) -> Iterable[Tie]:
    """The ties of one key; `left` are its events that no truncate removed."""
    for sequence, group in groupby(history, key=lambda event: event.sequence):
        tied = tuple(group)
        if len(tied) == 1:
            continue
        answers: set[Any] = set()
        for chosen in tied:
            others = [one for one in left if one is chosen or one not in tied]
            answers.add(comparable(rows_of(others, rules)))
        newest = sequence == history[-1].sequence
        decides = len(answers) > 1 and (newest or rules.scd_type == 2)
        yield Tie(tied[0].key, sequence, tied, decides)


def identity(event: Event, rules: Rules) -> tuple[Any, ...]:
    """Equal for events that are the same for the target."""
    payload = values_of(event, rules.columns) if event.kind is Kind.UPSERT else ()
    return (event.key, event.sequence, event.kind, payload)


def values_of(event: Event, columns: Iterable[str]) -> tuple[Any, ...]:
    return tuple(comparable(event.payload.get(column)) for column in columns)


def comparable(value: Any) -> Any:
    """A hashable form in which values are equal if Spark's `<=>` says so."""
    if isinstance(value, Mapping):
        return tuple((name, comparable(item)) for name, item in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(comparable(item) for item in value)
    # One object, which is equal to itself inside tuples.
    return math.nan if isinstance(value, float) and math.isnan(value) else value


def missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
