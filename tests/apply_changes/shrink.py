# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a failing script smaller while it still fails."""

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, replace
from typing import Any

from apply_changes.columns import VALUES
from apply_changes.fold import AmbiguousSequence, Kind, fold
from apply_changes.history import After, Batch, Change, Script
from parity.generators import shrink as general

PATIENCE = 3000
KEPT = ("scd_type", "multiplexed")
"""Settings that make a script another one, rather than a simpler one."""


def shrink(script: Script, fails: Callable[[Script], bool], patience: int = PATIENCE) -> Script:
    """The smallest failing variant that was found within the given trials."""
    return general.shrink(script, fails, patience, smaller)


def smaller(script: Script) -> Iterator[Script]:
    """Variants, those that leave most away first. None has ties, unless the script may."""
    for variant in variants(script):
        if variant.changes and (script.tie or not has_ties(variant)):
            yield variant


def variants(script: Script) -> Iterator[Script]:
    yield from fewer_scripts(script)
    yield from (replace(script, batches=kept) for kept in general.shorter(script.batches))
    yield from fewer_changes(script)
    yield from fewer_batches(script)
    yield from simpler_settings(script)
    yield from simpler_changes(script)


def fewer_scripts(script: Script) -> Iterator[Script]:
    """Of a script that is several ones together, one of them, half of them, or all but one."""
    numbers = tuple(sorted({change.script for change in script.changes}))
    if len(numbers) > 1:
        chosen = [*((number,) for number in numbers[:20]), *general.shorter(numbers)]
        for kept in chosen:
            yield without(script, {one for one in script.changes if one.script not in kept})


def fewer_changes(script: Script) -> Iterator[Script]:
    for place, batch in enumerate(script.batches):
        for changes in general.shorter(batch.changes):
            yield with_batch(script, place, replace(batch, changes=changes))


def fewer_batches(script: Script) -> Iterator[Script]:
    """Without a stop, or without a cut."""
    for place, batch in enumerate(script.batches):
        if batch.after is not After.NOTHING:
            yield with_batch(script, place, replace(batch, after=After.NOTHING))
    for place in range(len(script.batches) - 1):
        first, second = script.batches[place : place + 2]
        merged = Batch(first.changes + second.changes, second.after)
        around = script.batches[:place], script.batches[place + 2 :]
        yield replace(script, batches=(*around[0], merged, *around[1]))


def simpler_settings(script: Script) -> Iterator[Script]:
    """Each setting at its default, except for what the changes need."""
    settings = script.settings
    truncates = any(change.kind is Kind.TRUNCATE for change in script.changes)
    kept = (*KEPT, "truncates") if truncates else KEPT
    for field in fields(settings):
        if field.name not in kept and getattr(settings, field.name) != field.default:
            simple: dict[str, Any] = {field.name: field.default}
            yield replace(script, settings=replace(settings, **simple))


def simpler_changes(script: Script) -> Iterator[Script]:
    """Values, a key or a sequence replaced by a smaller one, wherever it is."""
    changes = dict.fromkeys(script.changes)
    for place in range(len(VALUES)):
        for less in (None, 0):
            higher = [one for one in changes if one.values[place] not in (None, less)]
            if higher:
                new = {one: with_value(one, place, less) for one in higher}
                yield with_changes(script, new)
    for old in changes:
        for place, number in enumerate(old.values):
            if number is not None:
                yield with_changes(script, {old: with_value(old, place, None)})
            if number:
                yield with_changes(script, {old: with_value(old, place, 0)})
    keys = sorted({change.key for change in changes if change.key is not None})
    for low, key in enumerate(keys):
        if low < key:
            yield with_changes(
                script, {one: replace(one, key=low) for one in changes if one.key == key}
            )
    for low, at in enumerate(sorted({change.at for change in changes})):
        if low < at:
            yield with_changes(
                script, {one: replace(one, at=low) for one in changes if one.at == at}
            )


def with_value(change: Change, place: int, number: int | None) -> Change:
    return replace(change, values=(*change.values[:place], number, *change.values[place + 1 :]))


def without(script: Script, changes: Set[Change]) -> Script:
    batches = tuple(
        replace(batch, changes=tuple(one for one in batch.changes if one not in changes))
        for batch in script.batches
    )
    return replace(script, batches=batches)


def with_changes(script: Script, new: Mapping[Change, Change]) -> Script:
    batches = tuple(
        replace(batch, changes=tuple(new.get(one, one) for one in batch.changes))
        for batch in script.batches
    )
    return replace(script, batches=batches)


def with_batch(script: Script, place: int, batch: Batch) -> Script:
    return replace(script, batches=(*script.batches[:place], batch, *script.batches[place + 1 :]))


def has_ties(script: Script) -> bool:
    return isinstance(fold(script.events(), script.settings.rules), AmbiguousSequence)
