# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where a stream starts when its checkpoint is new; an old checkpoint goes on from its place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias, TypeGuard

from deltasource._text import MAX_LONG, shown, utc
from deltasource.errors import OptionsError, Problem

VERSION_ALLOWED = f"a whole number from 0 to {MAX_LONG}"
TIME_ALLOWED = "a timestamp with a time zone, within the years 1 to 9999 in UTC"


@dataclass(frozen=True)
class Snapshot:
    """The rows the table holds now, then everything that comes: Delta's default."""


@dataclass(frozen=True)
class Latest:
    """Only what is committed after the stream has started."""


@dataclass(frozen=True)
class Version:
    """The commit with this number is the first that is read; as an end, the last."""

    number: int

    def __post_init__(self) -> None:
        """Refuse a number that no commit can have."""
        if not is_version(self.number):
            raise OptionsError([Problem("Version.number", shown(self.number), VERSION_ALLOWED)])


@dataclass(frozen=True)
class Time:
    """The first commit made at this instant or later is the first that is read.

    As an end, the last commit made at this instant or earlier is the last.
    """

    at: datetime

    def __post_init__(self) -> None:
        """Refuse a time without a zone: it would mean another instant in another session."""
        if not is_time(self.at):
            raise OptionsError([Problem("Time.at", shown(self.at), TIME_ALLOWED)])


Start: TypeAlias = Snapshot | Latest | Version | Time


def bound(at: Version | Time, *, version: str, time: str) -> dict[str, str]:
    """Give the one option of two, one for versions and one for times, that says this."""
    match at:
        case Version(number):
            return {version: str(number)}
        case Time(instant):
            return {time: str(utc(instant))}


def is_version(number: object) -> TypeGuard[int]:
    """Whether a commit can have this number."""
    return type(number) is int and 0 <= number <= MAX_LONG


def is_time(at: object) -> TypeGuard[datetime]:
    """Whether this is an instant that Spark can be told."""
    return isinstance(at, datetime) and utc(at) is not None
