# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Conversions between Python values and the text of Spark options."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime, timezone

MAX_INT = 2**31 - 1
MAX_LONG = 2**63 - 1

HIDDEN = "..."
"""Replaces a value that may be a secret."""

# The same syntax as Spark: no fractions, powers of 1024, "k" means the same as "kb".
_SIZE = re.compile(r"([0-9]{1,20})([a-z]*)")
_UNITS: dict[str, int] = {"": 0, "b": 0} | {
    unit + tail: power for power, unit in enumerate("kmgtp", start=1) for tail in ("", "b")
}


def first_line(error: BaseException) -> str:
    """Return the first line of the text of an exception of Spark, whose others are plans."""
    return str(error).strip().split("\n", 1)[0].rstrip(" ;")


def parse_size(text: str) -> int | None:
    """Parse a size such as "512mb" into bytes; None if it is not a size."""
    parts = _SIZE.fullmatch(text.strip().lower())
    if parts is None or parts[2] not in _UNITS:
        return None
    return int(parts[1]) << 10 * _UNITS[parts[2]]


def parse_int(text: str) -> int | None:
    """Parse an integer; None if the text is not one."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,20}", text) else None


def parse_bool(text: str) -> bool | None:
    """Parse "true" or "false" in any case; None for any other text."""
    return {"true": True, "false": False}.get(text.lower())


def parse_timestamp(text: str) -> datetime | None:
    """Parse an ISO 8601 timestamp, with or without a time zone; None if it is not one."""
    try:
        # Python 3.10 does not accept the Z.
        return datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text.strip()))
    except ValueError:
        return None


def to_utc_text(time: datetime) -> str | None:
    """Format a timestamp in UTC, so that the time zone of the Spark session does not matter.

    Returns None without a time zone, and outside the years 1 to 9999 in UTC.
    """
    if time.utcoffset() is None:
        return None
    try:
        return time.astimezone(timezone.utc).isoformat(timespec="microseconds")
    except OverflowError:
        return None


def is_path(path_or_table: str | os.PathLike[str]) -> bool:
    """Whether this is a path rather than the name of a table."""
    return not isinstance(path_or_table, str) or bool(
        re.search(r"/|^[A-Za-z][\w+.-]*:", path_or_table)
    )


def starts_at_home(path: object) -> bool:
    """Whether a path begins with ~, which a shell would expand, and Spark does not."""
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    return isinstance(text, str) and (text == "~" or text.startswith("~/"))


def sql_literal(value: str) -> str:
    """Return text as a string literal of SQL."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def name_to_describe(path_or_table: str | os.PathLike[str]) -> str:
    """Return a table for DESCRIBE, which takes relative paths only as text."""
    text = os.fspath(path_or_table)
    return sql_literal(text) if is_path(path_or_table) else text


def sql_name(name: str) -> str:
    """Return a quoted name of SQL, which may contain dots."""
    return "`" + name.replace("`", "``") + "`"


def by_word(lists: Mapping[str, str]) -> dict[str, str]:
    """Return the name of the list, words with spaces between them, that each word is in."""
    return {word: name for name, words in lists.items() for word in words.split()}


def short_repr(value: object) -> str:
    """Format a value from the caller for a message: one line of at most 80 characters."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # An integer with thousands of digits, or a list that contains itself.
        text = f"a value of type {type(value).__name__} that cannot be printed"
    return text if len(text) <= 80 else text[:77] + "..."


def with_page(message: str, condition: str) -> str:
    """Return an error's message with the command that explains its condition."""
    page = f"(see `deltasource explain-error {condition}`)"
    # A message of the jar has it already.
    if page in message:
        return message
    separator = "\n" if "\n" in message else " "
    return f"{message}{separator}{page}"
