# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random scripts. A change of this file changes the script of a seed.

Few keys and few sequences, so that late events, deletes and repeats meet.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from apply_changes.columns import CHOICES, KEYS, SEQUENCES, VALUES
from apply_changes.combinations import COMBINATIONS
from apply_changes.fold import Kind
from apply_changes.history import After, Batch, Change, Script, Settings

ONE_TIE_IN = 60
BATCHES, TIE_BATCHES = 10, 3
"""The most batches of a script, if none is empty and none is repeated. A script that may have ties
runs alone, so it is short."""
AFTER = (After.NOTHING,) * 6 + (After.STOP, After.CRASH)


def random_script(seed: int) -> Script:
    """The script of a seed. Those of seeds that differ by 24 have the same settings."""
    settings = COMBINATIONS[seed % len(COMBINATIONS)]
    dice = random.Random(f"apply changes {seed}")
    changes = Generator(dice, settings).changes()
    if dice.randrange(ONE_TIE_IN) == 0:
        changes = with_tie(dice, settings, changes)
        parts = cut(dice, in_order(dice, changes), TIE_BATCHES)
        return Script(tuple(map(Batch, parts)), settings, tie=True)
    batches = repeated(dice, [Batch(part) for part in cut(dice, in_order(dice, changes), BATCHES)])
    return Script(tuple(replace(one, after=dice.choice(AFTER)) for one in batches), settings)


@dataclass
class Generator:
    dice: random.Random
    settings: Settings

    @property
    def news(self) -> float:
        """How often all values of an update are new."""
        return 0.6 if self.settings.ignore_nulls else 0.2

    def changes(self) -> list[Change]:
        """Changes sorted by sequence, at most one for a key and a sequence, and repeats."""
        dice = self.dice
        keys = dice.choice((1, 2, 3, KEYS))
        density = dice.choice((0.3, 0.5, 0.8))
        deletes = dice.choice((0.0, 0.15, 0.25, 0.4))
        nulls = dice.choice((0.4, 0.7) if self.settings.ignore_nulls else (0.1, 0.4))
        found: list[Change] = []
        for key in range(keys):
            last: Change | None = None
            for at in range(SEQUENCES):
                if dice.random() >= density:
                    continue
                kind = Kind.DELETE if dice.random() < deletes else Kind.UPSERT
                last = Change(key, at, kind, self.values(last, nulls))
                found += [last] * dice.choice((1, 1, 1, 1, 2))
        if self.settings.truncates:
            ats = [dice.randrange(SEQUENCES) for _ in range(dice.choice((0, 1, 1, 2)))]
            found += [Change(dice.choice((None, 0, 1)), at, Kind.TRUNCATE) for at in ats]
        return [self.varied(change) for change in sorted(found, key=lambda change: change.at)]

    def values(self, last: Change | None, nulls: float) -> tuple[int | None, ...]:
        """Often those of the last change, so that runs are long, or different in one column."""
        dice = self.dice
        fresh = tuple(
            None if dice.random() < nulls else dice.randrange(choices) for choices in CHOICES
        )
        if last is None or last.kind is Kind.DELETE or dice.random() < self.news:
            return fresh
        place = dice.randrange(2 * len(VALUES))
        return tuple(
            new if place == column else old
            for column, (old, new) in enumerate(zip(last.values, fresh, strict=True))
        )

    def varied(self, change: Change) -> Change:
        """The same event, with other values where they do not count."""
        free = change.kind is not Kind.UPSERT
        values = tuple(
            self.dice.choice((None, number, 0))
            if free or column.name in self.settings.dropped
            else number
            for column, number in zip(VALUES, change.values, strict=True)
        )
        return replace(change, values=values)


def with_tie(dice: random.Random, settings: Settings, changes: Sequence[Change]) -> list[Change]:
    """The changes with one more, which has the key and the sequence of another one."""
    newest = {change.key: change for change in changes if change.key is not None}
    if not newest:
        return list(changes)
    any_counts = settings.scd_type == 2 or dice.random() < 0.1
    keyed = [change for change in changes if change.key is not None]
    twin = dice.choice(keyed if any_counts else list(newest.values()))
    if twin.kind is Kind.UPSERT and dice.random() < 0.3:
        return [*changes, replace(twin, kind=Kind.DELETE)]
    places = [place for place, one in enumerate(VALUES) if one.name in settings.columns]
    place = dice.choice(places)
    others = [number for number in range(CHOICES[place]) if number != twin.values[place]]
    values = (*twin.values[:place], dice.choice(others), *twin.values[place + 1 :])
    return [*changes, replace(twin, kind=Kind.UPSERT, values=values)]


def in_order(dice: random.Random, changes: Sequence[Change]) -> list[Change]:
    """The order of arrival: sorted, with jitter, with some changes that come last, or any."""
    jitter = dice.choice((0, 0, 3, 4 * SEQUENCES))
    stragglers = dice.choice((0.0, 0.2, 0.4)) if jitter < SEQUENCES else 0.0

    def arrival(change: Change) -> float:
        return change.at + jitter * dice.random() + SEQUENCES * (dice.random() < stragglers)

    return sorted(changes, key=arrival)


def cut(dice: random.Random, changes: Sequence[Change], most: int) -> list[tuple[Change, ...]]:
    """The changes in batches, and sometimes an empty batch."""
    count = dice.choice((0, most // 4, most // 2, most - 1))
    places = range(1, len(changes))
    ends = dice.sample(places, min(count, len(places)))
    if ends and dice.random() < 0.05:
        ends.append(ends[0])
    edges = [0, *sorted(ends), len(changes)]
    return [tuple(changes[begin:end]) for begin, end in pairwise(edges)]


def repeated(dice: random.Random, batches: Sequence[Batch]) -> list[Batch]:
    """The batches, of which one may come again later."""
    found = list(batches)
    if dice.random() < 0.3:
        place = dice.randrange(len(found))
        found.insert(dice.randint(place + 1, len(found)), found[place])
    return found
