# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How long a table keeps the commits of its log, from its properties.

The properties and their defaults are Delta's: `delta.logRetentionDuration`, "interval 30 days", and
`delta.enableExpiredLogCleanup`, true. The text of an interval is Spark's, in any case and with or
without the word; Delta takes no months and years here, for they have no fixed length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from deltasource._text import truth

DURATION: Final = "delta.logRetentionDuration"
CLEANUP: Final = "delta.enableExpiredLogCleanup"
DEFAULT: Final = "interval 30 days"

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


def retention(properties: Mapping[str, str]) -> float | None:
    """Answer for how many seconds commits are kept: infinity for ever, None where nobody knows."""
    if truth(properties.get(CLEANUP, "true")) is False:
        return math.inf
    return interval(properties.get(DURATION, DEFAULT))


def interval(text: str) -> float | None:
    """Read "interval 1 day 12 hours" as seconds; None if it is none, or less than nothing."""
    rest = re.sub(r"^interval\s+", "", text.strip().lower())
    parts: list[float] = []
    at = 0
    while at < len(rest):
        part = _PART.match(rest, at)
        if part is None or part[3] not in _SECONDS or ("." in part[2] and part[3] != "second"):
            return None
        parts.append(float(part[1] + part[2]) * _SECONDS[part[3]])
        at = part.end()
    # Only whole: the parts may have signs of their own.
    return sum(parts) if parts and sum(parts) >= 0 else None
