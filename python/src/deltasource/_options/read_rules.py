# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The rules for the values of ReadOptions, whether given to Python or in Spark's spelling."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeGuard, get_args

from deltasource._text import MAX_LONG, parse_size

OnChange: TypeAlias = Literal["fail", "skip_commits", "ignore_deletes", "reemit"]
"""What a stream of rows does at a commit that deletes or rewrites rows."""

MAX_INT: Final = 2**31 - 1

MAX_FILES_ALLOWED = f"must be from 1 to {MAX_INT}"
MAX_BYTES_ALLOWED = 'must be a positive number of bytes, or a size such as "512mb" or "1g"'
REGEX_ALLOWED = "must be a Java regular expression that is not empty"
FLAG_ALLOWED = "must be True or False"
START_ALLOWED = "must be Snapshot(), Latest(), Version(number) or Time(at)"
ON_CHANGE_ALLOWED = "must be one of " + ", ".join(map(repr, get_args(OnChange)))
TRACKING_ALLOWED = "must be SchemaTracking(location=...)"
TRACKED_LOSS = "must be left out with schema tracking: a lost commit could change the schema"


def is_max_files(value: object) -> TypeGuard[int]:
    """Whether this is a limit of files for one batch."""
    return type(value) is int and 1 <= value <= MAX_INT


def is_max_bytes(value: object) -> TypeGuard[int | str]:
    """Whether this is a limit of bytes for one batch."""
    number = to_bytes(value) if isinstance(value, int | str) and type(value) is not bool else None
    return number is not None and 1 <= number <= MAX_LONG


def is_regex(value: object) -> TypeGuard[str]:
    """Whether this may be a regular expression; only Java can compile its own dialect."""
    return isinstance(value, str) and value != ""


def to_bytes(value: int | str) -> int | None:
    """Convert a size to bytes; None if it is not one."""
    return parse_size(value) if isinstance(value, str) else value
