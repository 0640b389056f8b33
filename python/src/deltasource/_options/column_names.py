# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The columns of a DataFrame by name, and the mistakes in names that a caller gave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, TypeGuard, TypeVar, cast

from deltasource._options.validation import Rule

NAMES_ALLOWED: Final = 'must be a column name, or a list of them such as ["id"]'
TWICE: Final = "must name a column only once"
KEY_TYPE_ALLOWED: Final = (
    "must be whole numbers, decimals, strings, dates, timestamps, booleans or binary"
)

_KEY_TYPES: Final = (
    *("tinyint", "smallint", "int", "bigint", "string", "boolean", "binary"),
    *("date", "timestamp", "timestamp_ntz"),
)
_WITHOUT_ORDER: Final = ("array<", "map<", "struct<", "variant", "interval", "void")

T = TypeVar("T")


@dataclass(frozen=True)
class ColumnNames:
    """The columns of a DataFrame.

    Args:
        dtypes: The name and the type of each, as `DataFrame.dtypes` returns them.
        internal: The names of those that the user does not know.
    """

    dtypes: Sequence[tuple[str, str]]
    internal: Sequence[str] = ()

    def find(self, name: str) -> tuple[str, str] | None:
        """Return a column; case does not matter unless two columns differ in nothing else."""
        exact = (one for one in self.dtypes if one[0] == name)
        in_any_case = (one for one in self.dtypes if one[0].lower() == name.lower())
        return next(exact, None) or next(in_any_case, None)

    def all_found(self, names: Sequence[str]) -> Sequence[str]:
        """Return those of the names that are columns, as the columns have them."""
        return [one[0] for one in map(self.find, names) if one is not None]

    def rules(self, argument: str, names: object) -> Iterator[Rule]:
        """Return the rules for a list of names: each is a column, and none is given twice."""
        yield argument, names, are_names(names), NAMES_ALLOWED
        if are_names(names):
            for name in names:
                yield argument, name, self.find(name) is not None, self._unknown(name)
            lower = [name.lower() for name in names]
            yield argument, names, len(set(lower)) == len(lower), TWICE

    def key_rules(self, argument: str, names: Sequence[str]) -> Iterator[Rule]:
        """Return the rules for the types of keys."""
        for name, kind in filter(None, map(self.find, names)):
            allowed = kind in _KEY_TYPES or kind.startswith("decimal(")
            yield argument, f"{name} {kind}", allowed, KEY_TYPE_ALLOWED

    def order_rules(self, argument: str, names: Sequence[str]) -> Iterator[Rule]:
        """Return the rules for the types of columns that order rows."""
        for name, kind in filter(None, map(self.find, names)):
            ordered = not kind.startswith(_WITHOUT_ORDER)
            yield argument, f"{name} {kind}", ordered, "must be columns whose type has an order"

    def _unknown(self, name: str) -> str:
        known = [one for one, _ in self.dtypes if one not in self.internal]
        lower = {one.lower(): one for one in known}
        similar = get_close_matches(name.lower(), lower, n=1, cutoff=0.7)
        if similar:
            return f"must be a column (did you mean {lower[similar[0]]!r}?)"
        return f"must be one of {', '.join(known)}"


def as_names(given: T | str) -> T | list[str]:
    """Return one name as a list, and anything else as it is."""
    return [given] if isinstance(given, str) else given


def are_names(names: object) -> TypeGuard[Sequence[str]]:
    """Whether this is a list of names, with at least one."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        return False
    return all(isinstance(one, str) and one != "" for one in cast(Sequence[object], names))


def same(one: str, other: str) -> bool:
    """Whether two names are of the same column, unless case matters."""
    return one.lower() == other.lower()
