# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""From options in Spark's spelling to the arguments of ReadOptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from deltasource import _keys, options, starting
from deltasource._text import instant, shown, truth, whole
from deltasource.errors import OptionsError, Problem
from deltasource.starting import Latest, Time, Version

T = TypeVar("T")

FLAG_ALLOWED = "true or false"
VERSION_ALLOWED = f'"latest" or {starting.VERSION_ALLOWED}'
TIME_ALLOWED = f'{starting.TIME_ALLOWED}, such as "2026-01-31T00:00:00+00:00"'
BOTH_STARTS = f"give either {_keys.STARTING_VERSION} or {_keys.STARTING_TIMESTAMP}, not both"


def arguments(given: Mapping[str, object]) -> dict[str, Any]:
    """Answer the arguments of ReadOptions, or raise one error with every mistake."""
    read = _Reader(given)
    version = read.value(_keys.STARTING_VERSION, _version, VERSION_ALLOWED)
    time = read.value(_keys.STARTING_TIMESTAMP, _time, TIME_ALLOWED)
    if {_keys.STARTING_VERSION, _keys.STARTING_TIMESTAMP} <= read.values.keys():
        read.refuse(_keys.STARTING_TIMESTAMP, BOTH_STARTS)
    found = {
        "start": time if version is None else version,
        "max_files": read.value(_keys.MAX_FILES, _files, options.MAX_FILES_ALLOWED),
        "max_bytes": read.value(_keys.MAX_BYTES, _bytes, options.MAX_BYTES_ALLOWED),
        "on_change": _on_change(read),
        "exclude_regex": read.value(_keys.EXCLUDE_REGEX, _regex, options.REGEX_ALLOWED),
        "fail_on_data_loss": read.value(_keys.FAIL_ON_DATA_LOSS, _flag, FLAG_ALLOWED),
    }
    if read.problems:
        raise OptionsError(read.problems)
    return {name: value for name, value in found.items() if value is not None}


class _Reader:
    """The given options under their right names, and the mistakes met so far."""

    def __init__(self, given: Mapping[str, object]) -> None:
        served = {name.lower(): name for name in _keys.SERVED}
        self.problems: list[Problem] = []
        self.values: dict[str, object] = {}
        for key, value in given.items():
            name = served.get(str(key).lower())
            if name is None:
                # The value stays out of the message: an unknown option may hold a secret.
                self.problems.append(Problem(str(key), "...", _unknown(str(key).lower())))
            elif name in self.values:
                self.problems.append(Problem(str(key), shown(value), f"a second {name}"))
            else:
                self.values[name] = value

    def value(self, name: str, read: Callable[[object], T | None], allowed: str) -> T | None:
        if name not in self.values:
            return None
        value = read(self.values[name])
        if value is None:
            self.refuse(name, allowed)
        return value

    def refuse(self, name: str, allowed: str) -> None:
        self.problems.append(Problem(name, shown(self.values[name]), allowed))


def _unknown(key: str) -> str:
    if key in map(str.lower, _keys.NOT_YET):
        return "not served by this version yet"
    near = get_close_matches(key, map(str.lower, _keys.SERVED), n=1)
    names = [name for name in _keys.SERVED if not near or name.lower() in near]
    return f"unknown option; did you mean {' or '.join(names)}?"


def _on_change(read: _Reader) -> options.Change | None:
    skip = read.value(_keys.SKIP_CHANGE_COMMITS, _flag, FLAG_ALLOWED)
    reemit = read.value(_keys.IGNORE_CHANGES, _flag, FLAG_ALLOWED)
    ignore = read.value(_keys.IGNORE_DELETES, _flag, FLAG_ALLOWED)
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


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return truth(value)
    return value if isinstance(value, bool) else None


def _number(value: object) -> object:
    return whole(value) if isinstance(value, str) else value
