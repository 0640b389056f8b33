# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What an invalid value probably stands for: the valid value nearest to it, as Python.

Each function returns None if it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, datetime, timezone
from typing import Final

from deltasource._intervals import parse_interval
from deltasource._invalid_option import HINT
from deltasource._text import (
    MAX_LONG,
    by_word,
    parse_bool,
    parse_int,
    parse_size,
    parse_timestamp,
    to_utc_text,
)

VERSIONS: Final = range(MAX_LONG + 1)
"""The numbers that a table's versions can have."""

_SIZES: Final = VERSIONS[1:]
_NUMBERS: Final = range(10**9)
"""The numbers of an interval that a hint repeats."""
_UNITS: Final[Mapping[str, str]] = by_word(
    {
        "milliseconds": "ms msec msecs millis milliseconds",
        "seconds": "s sec secs seconds",
        "minutes": "m min mins minutes",
        "hours": "h hr hrs hours",
        "days": "d days",
        "weeks": "w wk wks weeks",
    }
)
_WORDS: Final[Mapping[str, str]] = {
    "latest": "Latest()",
    "newest": "Latest()",
    "now": "Latest()",
    "snapshot": "Snapshot()",
    "earliest": "Snapshot()",
    "beginning": "Snapshot()",
}
_ON_CHANGE: Final[Mapping[str, str]] = {
    "skipchangecommits": "skip_commits",
    "skip": "skip_commits",
    "ignorechanges": "reemit",
    "ignorefiledeletion": "reemit",
}
"""Delta's options, which are values of ours here."""


def with_hint(allowed: str, argument: str, nearest: str | None) -> str:
    """Add to what an argument must be how to write the value that was probably meant."""
    return allowed if nearest is None else f"{allowed}{HINT}{argument}={nearest}"


def nearest_word(
    value: object, words: Collection[str], others: Mapping[str, str] | None = None
) -> str | None:
    """Return the word that differs in case, separators or a letter, or that another stands for."""
    if not isinstance(value, str):
        return None
    known = {_folded(word): word for word in words} | dict(others or {})
    folded = _folded(value)
    near = _similar(folded, known)
    return None if near is None else f'"{known[near]}"'


def nearest_on_change(value: object, words: Collection[str]) -> str | None:
    """Return the value that an option of Delta, such as "skipChangeCommits", has here."""
    return nearest_word(value, words, _ON_CHANGE)


def nearest_trigger(value: object) -> str | None:
    """Return the trigger for one of another spelling: "availableNow", "5min", "5 minuts", 5."""
    seconds = _nearest_seconds(value)
    if seconds is not None or not isinstance(value, str):
        return seconds
    parts = re.fullmatch(r"([0-9]{1,9})\s*([a-z]+)", value.strip().lower())
    near = _similar(parts[2], _UNITS) if parts else None
    unit = None if near is None else _UNITS[near]
    if parts is None or unit is None:
        return nearest_word(value, ["available_now"], {"once": "available_now"})
    return _interval(int(parts[1]), unit)


def _nearest_seconds(value: object) -> str | None:
    """Return the interval for a number without a unit."""
    number = str(value) if type(value) is int and value in _NUMBERS else None
    number = number or nearest_integer(value, _NUMBERS)
    return None if number is None else _interval(int(number), "seconds")


def _interval(number: int, units: str) -> str:
    return f'"{number} {units.removesuffix("s") if number == 1 else units}"'


def nearest_timedelta(value: object, *, unit: str | None = None) -> str | None:
    """Return the timedelta for an interval as text, such as "7 days".

    Args:
        value: What was given.
        unit: That of a number alone, such as "days"; None if a number alone says nothing.
    """
    text = f"{value} {unit}" if unit is not None and type(value) in (int, float) else value
    seconds = parse_interval(text) if isinstance(text, str) else None
    if seconds is None:
        return None
    for longer, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds % length == 0:
            return f"timedelta({longer}={seconds / length:g})"
    return f"timedelta(seconds={seconds:g})"


def nearest_start(value: object) -> str | None:
    """Return the start for a word, or what `nearest_bound` returns."""
    word = getattr(value, "__name__", value)
    if isinstance(word, str) and (known := _similar(_folded(word), _WORDS)):
        return _WORDS[known]
    return nearest_bound(value)


def nearest_bound(value: object) -> str | None:
    """Return the version or time for a number or date, which may be text."""
    number = str(value) if type(value) is int and value in VERSIONS else nearest_integer(value)
    return f"Version({number})" if number is not None else _nearest(value, "Time({})")


def nearest_time(value: object) -> str | None:
    """Return the time in UTC for a date or a timestamp, which may be text."""
    return _nearest(value, "{}")


def nearest_integer(value: object, allowed: range = VERSIONS) -> str | None:
    """Return the integer that text or a float is, if it is allowed."""
    number: int | None = None
    if isinstance(value, str):
        number = parse_int(value.strip())
    elif isinstance(value, float) and value.is_integer():
        number = int(value)
    return None if number is None or number not in allowed else str(number)


def nearest_size(value: object) -> str | None:
    """Return the size for one with a space or a binary unit: "1 GiB"."""
    if not isinstance(value, str):
        return nearest_integer(value, _SIZES)
    text = re.sub(r"\s|(?<=[kmgtp])i(?=b$)", "", value.lower())
    size = parse_size(text)
    return f'"{text}"' if size is not None and size in _SIZES else None


def nearest_flag(value: object) -> str | None:
    """Return the bool for text."""
    flag = parse_bool(value.strip()) if isinstance(value, str) else None
    return None if flag is None else str(flag)


def _nearest(value: object, form: str) -> str | None:
    time = parse_timestamp(value) if isinstance(value, str) else value
    if isinstance(time, date) and not isinstance(time, datetime):
        time = datetime(time.year, time.month, time.day)
    if not isinstance(time, datetime):
        return None
    in_utc = time if time.utcoffset() is not None else time.replace(tzinfo=timezone.utc)
    if to_utc_text(in_utc) is None:
        return None
    return form.format(repr(in_utc.astimezone(timezone.utc)).replace("datetime.", ""))


def _similar(word: str, known: Collection[str]) -> str | None:
    if word in known:
        return word
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1, cutoff=0.8)), None)


def _folded(word: str) -> str:
    return re.sub(r"[\s_.()-]", "", word).lower()
