# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Formats numbers, times and text for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Final

UNKNOWN: Final = "-"

_BARS: Final = "▁▂▃▄▅▆▇█"
_SIZES: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_MOST: Final = 2**63 - 1
_TIMES: Final = ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))


def printable(text: str) -> str:
    """Replace what a terminal would act on, such as escapes and new lines, by what Python writes.

    Half a surrogate pair, which cannot be encoded, is replaced as well.
    """
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def format_count(number: float | None) -> str:
    """Format a number of things in at most six characters: 0.4, 12,300, 1.2M."""
    if number is None:
        return UNKNOWN
    if number < 9.95 and number != int(number):
        return f"{number:.1f}"
    for limit, divisor, unit in ((99_999.5, 1, ""), (999_500, 1e3, "k"), (999.5e6, 1e6, "M")):
        if number < limit:
            return _three_digits(number / divisor, unit) if unit else f"{number:,.0f}"
    return _three_digits(number / 1e9, "G") if number < 999.5e9 else f"{number:.0e}"


def format_size(size: int) -> str:
    """Format a size in bytes: 94.6 MiB."""
    if size > _MOST:
        # What no file system has, and no float.
        return f"over {format_size(_MOST)}"
    value, unit = float(size), 0
    while value >= 1000 and unit < len(_SIZES) - 1:
        value, unit = value / 1024, unit + 1
    return f"{value:.0f} B" if unit == 0 else f"{value:,.1f} {_SIZES[unit]}"


def format_seconds(seconds: float) -> str:
    """Format a duration in at most two units: 0.4 s, 45 s, 1 h 30 min."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    for unit, name, smaller, smaller_name in _TIMES:
        if whole >= unit:
            rest = whole % unit // smaller
            return f"{whole // unit:,} {name}" + (f" {rest} {smaller_name}" if rest else "")
    return f"{whole} s"


def format_time(time: datetime) -> str:
    """Format a time in UTC, to the second: 2026-01-31 17:02:36Z."""
    utc = time.astimezone(timezone.utc)
    return f"{utc:%Y-%m-%d %H:%M:%S}Z"


def sparkline(numbers: Sequence[float]) -> str:
    """Draw numbers of at least 0 as bars, one character each; 0 is the lowest."""
    most = max(numbers, default=0)
    top = len(_BARS) - 1
    return "".join(_BARS[round(one / most * top) if most else 0] for one in numbers)


def _three_digits(value: float, unit: str) -> str:
    return f"{value:.1f}{unit}" if value < 9.95 else f"{value:.0f}{unit}"
