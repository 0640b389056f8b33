# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Many scripts on one table: the number of a script becomes the first key column.

A batch costs about as much for hundreds of scripts as for one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, zip_longest

from apply_changes.columns import SCRIPT
from apply_changes.fold import Kind
from apply_changes.history import Batch, Script, Settings

EMPTY = Batch(())
MOST = len(SCRIPT.values)
WITH_TRUNCATES = 60
"""The most scripts of a group whose table is truncated: each loses rows to the first one."""


def multiplexed(scripts: Sequence[Script]) -> Script:
    """One script whose batches have the batches of all scripts.

    What concerns the whole table comes from the first script alone: where the query stops, and
    truncates.

    Raises:
        ValueError: the settings are not the same, a script may have ties, or there are too many.
    """
    settings = {script.settings for script in scripts}
    if len(settings) != 1 or len(scripts) > MOST or any(script.tie for script in scripts):
        raise ValueError(
            f"scripts on one table need the same settings, no ties, and be from 1 to {MOST}, "
            f"got {len(scripts)} with {len(settings)} settings"
        )
    columns = zip_longest(*(script.batches for script in scripts), fillvalue=EMPTY)
    return Script(tuple(map(together, columns)), replace(scripts[0].settings, multiplexed=True))


def together(batches: Sequence[Batch]) -> Batch:
    changes = tuple(
        replace(change, script=number)
        for number, batch in enumerate(batches)
        for change in batch.changes
        if number == 0 or change.kind is not Kind.TRUNCATE
    )
    return Batch(changes, batches[0].after)


def groups(scripts: Iterable[Script], size: int) -> Iterator[list[Script]]:
    """Scripts that can share a table, at most `size` of them; a script with ties is alone."""
    by_settings: dict[Settings, list[Script]] = {}
    for script in scripts:
        if script.tie or size == 1:
            yield [script]
        else:
            by_settings.setdefault(script.settings, []).append(script)
    for settings, same in by_settings.items():
        rest = iter(same)
        most = min(size, WITH_TRUNCATES if settings.truncates else MOST)
        while group := list(islice(rest, most)):
            yield group


def joined(group: Sequence[Script]) -> Script:
    return group[0] if len(group) == 1 else multiplexed(group)
