# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""From options in Spark's spelling to the arguments of ReadOptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from deltasource import options, schema_tracking, starting
from deltasource._options import keys
from deltasource._text import instant, shown, truth, whole
from deltasource.errors import OptionsError, Problem
from deltasource.schema_tracking import Acknowledged, SchemaTracking
from deltasource.starting import Latest, Time, Version

T = TypeVar("T")

GIVEN_ALLOWED = "options by their names"
FLAG_ALLOWED = "true or false"
VERSION_ALLOWED = f'"latest" or {starting.VERSION_ALLOWED}'
TIME_ALLOWED = f'{starting.TIME_ALLOWED}, such as "2026-01-31T00:00:00+00:00"'
BOTH_STARTS = f"give either {keys.STARTING_VERSION} or {keys.STARTING_TIMESTAMP}, not both"
TRACKED_ONLY = (
    keys.SOURCE_TRACKING_ID,
    keys.ALLOW_RENAME,
    keys.ALLOW_DROP,
    keys.ALLOW_TYPE_CHANGE,
)
WITHOUT_LOCATION = f"this counts only with {keys.SCHEMA_TRACKING_LOCATION}"


def arguments(given: Mapping[str, object]) -> dict[str, Any]:
    """Answer the arguments of ReadOptions, or raise one error with every mistake."""
    if not isinstance(given, Mapping):
        # The value stays out of the message: it may hold a secret.
        raise OptionsError([Problem("options", "...", GIVEN_ALLOWED)])
    read = _Reader(given)
    version = read.value(keys.STARTING_VERSION, _version, VERSION_ALLOWED)
    time = read.value(keys.STARTING_TIMESTAMP, _time, TIME_ALLOWED)
    if {keys.STARTING_VERSION, keys.STARTING_TIMESTAMP} <= read.values.keys():
        read.refuse(keys.STARTING_TIMESTAMP, BOTH_STARTS)
    found = {
        "start": time if version is None else version,
        "max_files": read.value(keys.MAX_FILES, _files, options.MAX_FILES_ALLOWED),
        "max_bytes": read.value(keys.MAX_BYTES, _bytes, options.MAX_BYTES_ALLOWED),
        "on_change": _on_change(read),
        "exclude_regex": read.value(keys.EXCLUDE_REGEX, _regex, options.REGEX_ALLOWED),
        "fail_on_data_loss": read.value(keys.FAIL_ON_DATA_LOSS, _flag, FLAG_ALLOWED),
        "schema_tracking": _tracking(read),
    }
    if found["fail_on_data_loss"] is False and keys.SCHEMA_TRACKING_LOCATION in read.values:
        read.refuse(keys.FAIL_ON_DATA_LOSS, options.TRACKED_LOSS)
    if read.problems:
        raise OptionsError(read.problems)
    return {name: value for name, value in found.items() if value is not None}


class _Reader:
    """The given options under their right names, and the mistakes met so far."""

    def __init__(self, given: Mapping[str, object]) -> None:
        names = {name.lower(): name for name in (*keys.SERVED, *keys.OLD_NAMES)}
        self.problems: list[Problem] = []
        self.values: dict[str, object] = {}
        self._given_as: dict[str, str] = {}
        for key, value in given.items():
            told = _name(key)
            given_as = names.get(told.lower())
            if given_as is None:
                # The value stays out of the message: an unknown option may hold a secret.
                self.problems.append(Problem(told, "...", _unknown(told.lower())))
                continue
            name = keys.OLD_NAMES.get(given_as, given_as)
            if name in self.values:
                twice = _twice(self._given_as[name], given_as)
                self.problems.append(Problem(told, shown(value), twice))
            else:
                self.values[name] = value
                self._given_as[name] = given_as

    def value(self, name: str, read: Callable[[object], T | None], allowed: str) -> T | None:
        if name not in self.values:
            return None
        value = read(self.values[name])
        if value is None:
            self.refuse(name, allowed)
        return value

    def refuse(self, name: str, allowed: str) -> None:
        self.problems.append(Problem(self._given_as[name], shown(self.values[name]), allowed))


def _name(key: object) -> str:
    return key if isinstance(key, str) else shown(key)


def _unknown(key: str) -> str:
    known = keys.IN_ANY_CASE
    if known.get(key) in keys.BY_FUNCTION:
        return f"leave this out and use {keys.BY_FUNCTION[known[key]]}"
    near = [known[name] for name in get_close_matches(key, known, n=1)]
    return f"unknown option; did you mean {' or '.join(near or keys.SERVED)}?"


def _twice(first: str, second: str) -> str:
    if first == second:
        return f"a second {first}"
    return f"another name of {first}: give one of the two"


def _allow(read: _Reader, name: str) -> Acknowledged | None:
    return read.value(name, _acknowledged, schema_tracking.ACKNOWLEDGED_ALLOWED)


def _tracking(read: _Reader) -> SchemaTracking | None:
    location = read.value(keys.SCHEMA_TRACKING_LOCATION, _text, schema_tracking.LOCATION_ALLOWED)
    source_id = read.value(keys.SOURCE_TRACKING_ID, _text, schema_tracking.SOURCE_ID_ALLOWED)
    rename = _allow(read, keys.ALLOW_RENAME)
    drop = _allow(read, keys.ALLOW_DROP)
    type_change = _allow(read, keys.ALLOW_TYPE_CHANGE)
    if keys.SCHEMA_TRACKING_LOCATION not in read.values:
        for name in TRACKED_ONLY:
            if name in read.values:
                read.refuse(name, WITHOUT_LOCATION)
    if location is None:
        return None
    return SchemaTracking(
        location=location,
        source_id=source_id,
        allow_rename=rename,
        allow_drop=drop,
        allow_type_change=type_change,
    )


def _on_change(read: _Reader) -> options.Change | None:
    skip = read.value(keys.SKIP_CHANGE_COMMITS, _flag, FLAG_ALLOWED)
    reemit = read.value(keys.IGNORE_CHANGES, _flag, FLAG_ALLOWED)
    ignore = read.value(keys.IGNORE_DELETES, _flag, FLAG_ALLOWED)
    # Delta takes several at once; each of these lets through what the one after it lets through.
    if skip:
        return "skip_commits"
    if reemit:
        return "reemit"
    return "ignore_deletes" if ignore else None


def _version(value: object) -> Latest | Version | None:
    if value == "latest":
        return Latest()
    number = _number(value)
    return Version(number) if starting.is_version(number) else None


def _time(value: object) -> Time | None:
    at = instant(value) if isinstance(value, str) else value
    return Time(at) if starting.is_time(at) else None


def _files(value: object) -> int | None:
    number = _number(value)
    return number if options.is_max_files(number) else None


def _bytes(value: object) -> int | str | None:
    return value if options.is_max_bytes(value) else None


def _regex(value: object) -> str | None:
    return value if options.is_regex(value) else None


def _text(value: object) -> str | None:
    return value if schema_tracking.is_text(value) else None


def _acknowledged(value: object) -> Acknowledged | None:
    known = value if value == "always" else _number(value)
    return known if schema_tracking.is_acknowledged(known) else None


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return truth(value)
    return value if isinstance(value, bool) else None


def _number(value: object) -> object:
    return whole(value) if isinstance(value, str) else value
