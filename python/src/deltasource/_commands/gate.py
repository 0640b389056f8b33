# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A condition that a backlog must not meet: "versions>10", "bytes>=1g"."""

from __future__ import annotations

import argparse
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Final

from deltasource._text import size
from deltasource.lag import Lag

MEASURES: Final = tuple(field.name for field in fields(Lag))
_FORM: Final = re.compile(rf"({'|'.join(MEASURES)})\s*(>=|<=|==|>|<)\s*(\S+)")
_TESTS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Gate:
    """A measure of a lag, how it is compared, and with what."""

    measure: str
    test: str
    limit: float

    def __str__(self) -> str:
        """Write the condition as it may be given."""
        return f"{self.measure}{self.test}{self.limit:g}"

    def holds(self, lag: Lag) -> bool | None:
        """Whether the condition is met; None where the measure is not known."""
        value: float | None = getattr(lag, self.measure)
        return None if value is None else _TESTS[self.test](value, self.limit)


def gate(text: str) -> Gate:
    """Read a condition, as an argument of a command."""
    parts = _FORM.fullmatch(text.strip())
    limit = None if parts is None else _limit(parts[1], parts[3])
    if parts is None or limit is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no condition: give one such as versions>10, files>=100, bytes>1g, "
            "seconds>3600 or hours_to_data_loss<24"
        )
    return Gate(parts[1], parts[2], limit)


def _limit(measure: str, text: str) -> float | None:
    if measure == "bytes":
        return size(text)
    return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else None
