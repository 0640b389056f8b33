# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where a stream starts when its checkpoint is new; otherwise it resumes from its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, TypeGuard

from deltasource._options.hints import nearest_integer, nearest_time, with_hint
from deltasource._options.validation import validate
from deltasource._text import MAX_LONG, to_utc_text

VERSION_ALLOWED = f"must be an integer from 0 to {MAX_LONG}"
TIME_ALLOWED = "must be a timestamp with a time zone, in the years 1 to 9999 in UTC"


@dataclass(frozen=True)
class Snapshot:
    """Start with all rows the table contains now, then read new commits. This is the default.

    Example:
        >>> from deltasource import ReadOptions, Snapshot
        >>> ReadOptions(start=Snapshot()) == ReadOptions()
        True
    """


@dataclass(frozen=True)
class Latest:
    """Start with the commits made after the stream has started.

    Example:
        >>> from deltasource import Latest, ReadOptions
        >>> ReadOptions(start=Latest()).to_spark()
        {'startingVersion': 'latest'}
    """


@dataclass(frozen=True)
class Version:
    """Start with the commit of this version; as an end, stop after it.

    Args:
        number: The version of the table, from 0.

    Raises:
        OptionsError: The number is not an integer from 0 to 2**63 - 1.

    Example:
        >>> from deltasource import ReadOptions, Version
        >>> ReadOptions(start=Version(7)).to_spark()
        {'startingVersion': '7'}
    """

    number: int

    def __post_init__(self) -> None:
        """Refuse a number that cannot be a version."""
        allowed = with_hint(VERSION_ALLOWED, "number", nearest_integer(self.number))
        validate(("Version.number", self.number, is_version(self.number), allowed))


@dataclass(frozen=True)
class Time:
    """Start with the first commit made at this time or later.

    As an end, stop after the last commit made at this time or earlier.

    Args:
        at: A time with a time zone.

    Raises:
        OptionsError: The time has no time zone, or is outside the years 1 to 9999 in UTC.

    Example:
        >>> from datetime import datetime, timezone
        >>> from deltasource import ReadOptions, Time
        >>> ReadOptions(start=Time(datetime(2026, 1, 31, tzinfo=timezone.utc))).to_spark()
        {'startingTimestamp': '2026-01-31T00:00:00.000000+00:00'}
    """

    at: datetime

    def __post_init__(self) -> None:
        """Refuse a time without a zone: its meaning would depend on the session."""
        allowed = with_hint(TIME_ALLOWED, "at", nearest_time(self.at))
        validate(("Time.at", self.at, is_time(self.at), allowed))


Start: TypeAlias = Snapshot | Latest | Version | Time
"""Where a stream with a new checkpoint starts."""


StartLike: TypeAlias = Start | int | datetime | Literal["snapshot", "latest"]
"""A start, or a short form of it: a version, a time with a time zone, "snapshot" or "latest"."""


def bound_option(bound: Version | Time, *, version_key: str, time_key: str) -> dict[str, str]:
    """Return the one Spark option that expresses a version or a time."""
    match bound:
        case Version(number):
            return {version_key: str(number)}
        case Time(instant):
            return {time_key: str(to_utc_text(instant))}


def is_version(number: object) -> TypeGuard[int]:
    """Whether this can be the version of a table."""
    return type(number) is int and 0 <= number <= MAX_LONG


def is_time(time: object) -> TypeGuard[datetime]:
    """Whether this is a time that Spark can represent."""
    return isinstance(time, datetime) and to_utc_text(time) is not None


def to_start(start: StartLike | None) -> Start | None:
    """Return the start that a short form stands for, and anything else as it is."""
    match start:
        case "snapshot":
            return Snapshot()
        case "latest":
            return Latest()
        case number if is_version(number):
            return Version(number)
        case time if is_time(time):
            return Time(time)
        case _:
            return start  # type: ignore[return-value] # the caller checks it with the others
