# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a failing script smaller while it still fails."""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")


def shrink(
    script: T,
    fails: Callable[[T], bool],
    patience: int = 150,
    variants: Callable[[T], Iterator[T]] | None = None,
) -> T:
    """The smallest failing variant of the script that was found within the given trials.

    `variants` gives smaller scripts, the smallest first; without it, any one part is removed.
    """
    found = script
    tried = 0
    going = True
    while going:
        going = False
        for smaller in (variants or reduced)(found):
            tried += 1
            if tried > patience:
                return found
            if fails(smaller):
                found, going = smaller, True
                break
    return found


def reduced(value: Any) -> Iterator[Any]:
    """The value with one part removed, largest first: half of a list, then single items."""
    if isinstance(value, tuple):
        yield from shorter(value)
        for place, item in enumerate(value):
            for less in reduced(item):
                yield (*value[:place], less, *value[place + 1 :])
    elif isinstance(value, dict):
        for key in value:
            yield {other: value[other] for other in value if other != key}
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            for less in reduced(getattr(value, field.name)):
                yield replace(value, **{field.name: less})


def shorter(value: tuple[T, ...]) -> Iterator[tuple[T, ...]]:
    half = len(value) // 2
    if half > 1:
        yield value[half:]
        yield value[:half]
    for place in range(len(value) - 1, -1, -1):
        yield value[:place] + value[place + 1 :]
