# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Rows that were expected and rows that are there, compared key by key."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apply_changes.fold import END, START, Row, Rules, comparable

SHOWN = 5
"""How many keys a text shows."""


@dataclass(frozen=True)
class Difference:
    """A key whose rows are not those that were expected."""

    key: tuple[Any, ...]
    expected: tuple[Row, ...]
    actual: tuple[Row, ...]

    def lines(self, rules: Rules) -> list[str]:
        """Rows on both sides have no mark, a missing row has `-`, and one too many has `+`."""
        left = Counter(comparable(row) for row in self.actual)
        lines = [", ".join(map("{}={!r}".format, rules.keys, self.key))]
        for row in self.expected:
            found = left[comparable(row)] > 0
            left[comparable(row)] -= 1
            lines.append(f"  {' ' if found else '-'} {text(row, rules)}")
        for row in reversed(self.actual):
            if left[comparable(row)] > 0:
                left[comparable(row)] -= 1
                lines.append(f"  + {text(row, rules)}")
        return lines


def differences(
    rules: Rules, expected: Iterable[Row], actual: Iterable[Row]
) -> tuple[Difference, ...]:
    sides: dict[Any, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for side, rows in enumerate((expected, actual)):
        for row in rows:
            sides[tuple(row[name] for name in rules.keys)][side].append(row)
    return tuple(
        Difference(key, tuple(wanted), tuple(found))
        for key, (wanted, found) in sides.items()
        if Counter(map(comparable, wanted)) != Counter(map(comparable, found))
    )


def report(rules: Rules, found: Sequence[Difference]) -> str:
    lines = [line for one in found[:SHOWN] for line in one.lines(rules)]
    return "\n".join([*lines, *([f"and {len(found) - SHOWN} more keys"] * (len(found) > SHOWN))])


def text(row: Row, rules: Rules) -> str:
    values = ", ".join(
        f"{name}={value!r}"
        for name, value in row.items()
        if name not in rules.keys and name not in (START, END)
    )
    if START not in row:
        return values
    return f"from {place(row[START])} to {place(row[END])}: {values}"


def place(sequence: tuple[Any, ...] | None) -> str:
    return "now" if sequence is None else ", ".join(map(str, sequence))
