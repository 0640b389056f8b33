# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A threshold for a lag: "versions>10", "bytes>=1g"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Final

from deltasource._lag import Lag
from deltasource._text import by_word, parse_size

_WORDS: Final = ("lost_file", "data_loss_limit")
MEASURES: Final = tuple(field.name for field in fields(Lag) if field.name not in _WORDS)
"""The fields of a lag that are numbers."""
_FORM: Final = re.compile(r"(\w+)\s*(>=|<=|==|>|<)\s*([^\s<>=]\S*)")
_LIMITS: Final[Mapping[str, str]] = {
    "bytes": "a size such as 1g",
    "seconds": "a number of seconds that is not negative, without a unit",
    "hours_to_data_loss": "a number of hours that is not negative, without a unit",
}
_MISTYPED: Final = re.compile(r"(\w+)\s*(=>|=<|===|>>|<<|=|≥|≤|!=|<>|≠)\s*(\S+)")
_MEANT: Final[Mapping[str, str]] = by_word(
    {">=": "=> ≥", "<=": "=< ≤", "==": "= ===", ">": ">>", "<": "<<"}
)
_OPERATORS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}
_OPERATORS_ALLOWED: Final = f"use one of {' '.join(_OPERATORS)}"


@dataclass(frozen=True)
class Threshold:
    """A field of a lag, a comparison operator, and a limit."""

    measure: str
    comparison: str
    limit: float
    given: str
    """The limit as it was given, such as 1g."""

    def __str__(self) -> str:
        """Return the threshold as it is given to the command."""
        return f"{self.measure}{self.comparison}{self.given}"

    def is_crossed(self, lag: Lag) -> bool | None:
        """Whether the lag crosses the threshold; None if the value is unknown."""
        value: float | None = getattr(lag, self.measure)
        return None if value is None else _OPERATORS[self.comparison](value, self.limit)


def parse_threshold(text: str) -> Threshold:
    """Parse a threshold from the command line; a ValueError says what is wrong."""
    parts = _FORM.fullmatch(text.strip())
    if parts is None and (mistyped := _MISTYPED.fullmatch(text.strip())):
        meant = _MEANT.get(mistyped[2])
        hint = f"did you mean {mistyped[1]}{meant}{mistyped[3]}?" if meant else _OPERATORS_ALLOWED
        raise ValueError(f"{text.strip()}: {mistyped[2]} is not an operator: {hint}")
    if parts is None:
        raise ValueError(
            "must be a condition such as versions>10, files>=100, bytes>1g, seconds>3600 or "
            f"hours_to_data_loss<24, got {text!r}"
        )
    measure, comparison, limit = parts[1], parts[2], _limit(parts[1], parts[3])
    if measure not in MEASURES:
        near = get_close_matches(measure, MEASURES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(MEASURES)}"
        raise ValueError(f"{text.strip()}: {measure} is not a column of the backlog: {hint}")
    if limit is None:
        number = _LIMITS.get(measure, "a number that is not negative")
        raise ValueError(f"{text.strip()}: the limit must be {number}")
    if comparison == "<" and limit == 0:
        raise ValueError(f"{text.strip()} is never true: no value is below 0")
    return Threshold(measure, comparison, limit, parts[3])


def parse_thresholds(texts: Sequence[str]) -> list[Threshold]:
    """Parse the thresholds of a command line; one ValueError has all mistakes."""
    results = [_threshold_or_mistake(text) for text in texts]
    if mistakes := [result for result in results if isinstance(result, str)]:
        raise ValueError("; ".join(mistakes))
    return [result for result in results if isinstance(result, Threshold)]


def _threshold_or_mistake(text: str) -> Threshold | str:
    try:
        return parse_threshold(text)
    except ValueError as error:
        return str(error)


def _limit(measure: str, text: str) -> float | None:
    if measure == "bytes":
        return parse_size(text)
    return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else None
