# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Between Python values and the text of Spark options, both ways."""

from __future__ import annotations

import re
from datetime import datetime, timezone

MAX_LONG = 2**63 - 1

# Spark's own reading of a size: no fractions, powers of 1024, "k" as good as "kb".
_SIZE = re.compile(r"([0-9]{1,20})([a-z]*)")
_UNITS: dict[str, int] = {"": 0, "b": 0} | {
    unit + tail: power for power, unit in enumerate("kmgtp", start=1) for tail in ("", "b")
}


def size(text: str) -> int | None:
    """Read "512mb" as a number of bytes."""
    parts = _SIZE.fullmatch(text.strip().lower())
    if parts is None or parts[2] not in _UNITS:
        return None
    return int(parts[1]) << 10 * _UNITS[parts[2]]


def whole(text: str) -> int | None:
    """Read a whole number."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text) else None


def truth(text: str) -> bool | None:
    """Read "true" or "false", in any case."""
    return {"true": True, "false": False}.get(text.lower())


def instant(text: str) -> datetime | None:
    """Read an ISO timestamp; one without a zone comes back without one."""
    try:
        # Python 3.10 does not know the Z.
        return datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text.strip()))
    except ValueError:
        return None


def utc(at: datetime) -> str | None:
    """Write an instant so that Spark reads the same one, whatever zone its session has."""
    if at.utcoffset() is None:
        return None
    try:
        return at.astimezone(timezone.utc).isoformat(timespec="microseconds")
    except OverflowError:
        return None


def shown(value: object) -> str:
    """Show a value the user gave: in one line, and not at any length."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # A number of thousands of digits, a list within a list without end.
        text = f"a value of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= 80 else text[:77] + "..."
