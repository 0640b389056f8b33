# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What random scripts contain."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from apply_changes.columns import KEYS, SEQUENCES, VALUES, KeyType, SequenceType
from apply_changes.combinations import COMBINATIONS
from apply_changes.fold import AmbiguousSequence, Kind, fold
from apply_changes.history import Script
from apply_changes.random_scripts import random_script

SCRIPTS = [random_script(seed) for seed in range(480)]


def test_a_seed_gives_one_script() -> None:
    """The same seed gives the same script again, and settings repeat after 24 seeds."""
    assert [random_script(seed) for seed in range(48)] == SCRIPTS[:48]
    assert len(set(COMBINATIONS)) == len(COMBINATIONS) == 24
    assert {script.settings for script in SCRIPTS[5::24]} == {COMBINATIONS[5]}


def test_only_some_scripts_have_ties() -> None:
    """A script has no tie unless it says so, and then it mostly has one that decides."""
    outcomes = {True: Counter[str](), False: Counter[str]()}
    for script in [*SCRIPTS, *(random_script(seed) for seed in range(1000, 2000))]:
        found = fold(script.events(), script.settings.rules)
        ties = found.ties if isinstance(found, AmbiguousSequence) else ()
        decides = any(tie.decides for tie in ties)
        outcomes[script.tie]["decides" if decides else "tie" if ties else "no tie"] += 1
    assert set(outcomes[False]) == {"no tie"}
    assert outcomes[True]["decides"] > 0.7 * outcomes[True].total()


def test_what_is_difficult_happens_often() -> None:
    """Late events and deletes, repeats, runs, nulls, full batches, stops and crashes."""
    found = Counter(trait for script in SCRIPTS for trait in set(traits(script)))
    rare = {trait for trait, count in found.items() if count < 0.15 * len(SCRIPTS)}
    assert rare == {"truncate", "empty batch"}
    assert {"late delete", "same batch twice", "values twice", "a key twice in a batch"} <= set(
        found
    )


def traits(script: Script) -> Iterator[str]:
    newest: dict[int | None, int] = {}
    batches = [batch.changes for batch in script.batches]
    for batch in script.batches:
        yield from (["empty batch"] if not batch.changes else [])
        yield batch.after.name
        for change in batch.changes:
            if change.at < newest.get(change.key, -1):
                yield "late delete" if change.kind is Kind.DELETE else "late upsert"
            newest[change.key] = max(newest.get(change.key, -1), change.at)
            yield change.kind.name.lower()
            yield from (["null"] if None in change.values else [])
        if batch.changes and batches.count(batch.changes) > 1:
            yield "same batch twice"
        if max(Counter(change.key for change in batch.changes).values(), default=0) > 1:
            yield "a key twice in a batch"
    ordered = sorted(script.events(), key=lambda event: (repr(event.key), event.sequence))
    for event, later in pairwise(ordered):
        if event.key == later.key and event.sequence < later.sequence:
            columns = script.settings.tracked
            same = [repr(event.payload[name]) == repr(later.payload[name]) for name in columns]
            yield from (["values twice"] if all(same) else [])


def test_all_values_are_used() -> None:
    """All kinds of keys and sequences, all keys, all sequences, and all values of each column."""
    assert {script.settings.keys for script in SCRIPTS} == set(KeyType)
    assert {script.settings.sequence for script in SCRIPTS} == set(SequenceType)
    changes = {change for script in SCRIPTS for change in script.changes}
    assert {change.key for change in changes} == {None, *range(KEYS)}
    assert {change.at for change in changes} == set(range(SEQUENCES))
    for place, column in enumerate(VALUES):
        assert {one.values[place] for one in changes} == {None, *range(len(column.values))}


def test_values_of_columns_are_in_order() -> None:
    """Keys differ, and sequences rise: the numbers of a script mean the same for all types."""
    for keys in KeyType:
        assert len(set(zip(*(column.values for column in keys.value), strict=True))) == KEYS
    for order in SequenceType:
        sequences = list(zip(*(column.values for column in order.value), strict=True))
        assert sequences == sorted(set(sequences))
        assert len(sequences) == SEQUENCES
