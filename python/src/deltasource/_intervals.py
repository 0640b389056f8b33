# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Intervals in Spark's syntax, in any case, with or without the word "interval".

Months and years are not accepted, because their length varies; neither Delta's properties nor
Spark's triggers accept them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_PART: Final = re.compile(r"([+-]?)\s*([0-9]{1,18}(?:\.[0-9]{0,9})?)\s+([a-z]+?)s?(?:\s+|$)")
_SECONDS: Final[Mapping[str, float]] = {
    "week": 604_800,
    "day": 86_400,
    "hour": 3_600,
    "minute": 60,
    "second": 1,
    "millisecond": 1e-3,
    "microsecond": 1e-6,
}


def parse_interval(text: str) -> float | None:
    """Parse "interval 1 day 12 hours" into seconds; None if it is invalid or negative."""
    rest = re.sub(r"^interval\s+", "", text.strip().lower())
    parts: list[float] = []
    index = 0
    while index < len(rest):
        part = _PART.match(rest, index)
        if part is None or part[3] not in _SECONDS or ("." in part[2] and part[3] != "second"):
            return None
        parts.append(float(part[1] + part[2]) * _SECONDS[part[3]])
        index = part.end()
    # Only the sum must not be negative: each part may have a sign.
    return sum(parts) if parts and sum(parts) >= 0 else None
