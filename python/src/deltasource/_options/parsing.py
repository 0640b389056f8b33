# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Parses options under Spark's names into the arguments of ReadOptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options import keys, schema_tracking, start, validation
from deltasource._options.schema_tracking import Acknowledged, SchemaTracking
from deltasource._options.start import Latest, Time, Version
from deltasource._text import HIDDEN, MAX_LONG, parse_bool, parse_int, parse_timestamp, short_repr

T = TypeVar("T")

GIVEN_ALLOWED = "must map option names to values"
FLAG_ALLOWED = "must be true or false"
VERSION_ALLOWED = f'must be "latest" or an integer from 0 to {MAX_LONG}'
TIME_ALLOWED = f'{start.TIME_ALLOWED}, such as "2026-01-31T00:00:00+00:00"'
BOTH_STARTS = f"must be left out with {keys.STARTING_VERSION}: give one of the two"
TRACKED_ONLY = (
    keys.SOURCE_TRACKING_ID,
    keys.ALLOW_RENAME,
    keys.ALLOW_DROP,
    keys.ALLOW_TYPE_CHANGE,
)
FILE_SYSTEM_ALLOWED = "must be a string: it is an option of a file system"
WITHOUT_LOCATION = f"needs {keys.SCHEMA_TRACKING_LOCATION}"


def read_arguments(given: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments of ReadOptions, or raise one error for all invalid options."""
    if not isinstance(given, Mapping):
        # The value is not shown: it may contain secrets.
        raise OptionsError([InvalidOption("options", HIDDEN, GIVEN_ALLOWED)])
    options = _Options(given)
    version = options.parsed(keys.STARTING_VERSION, _version, VERSION_ALLOWED)
    time = options.parsed(keys.STARTING_TIMESTAMP, _time, TIME_ALLOWED)
    if {keys.STARTING_VERSION, keys.STARTING_TIMESTAMP} <= options.values.keys():
        options.refuse(keys.STARTING_TIMESTAMP, BOTH_STARTS)
    found = {
        "start": time if version is None else version,
        "max_files": options.parsed(keys.MAX_FILES, _files, validation.MAX_FILES_ALLOWED),
        "max_bytes": options.parsed(keys.MAX_BYTES, _bytes, validation.MAX_BYTES_ALLOWED),
        "on_change": _on_change(options),
        "exclude_regex": _exclude_regex(options),
        "fail_on_data_loss": options.parsed(keys.FAIL_ON_DATA_LOSS, _flag, FLAG_ALLOWED),
        "schema_tracking": _tracking(options),
        "extra": options.extra or None,
    }
    if found["fail_on_data_loss"] is False and keys.SCHEMA_TRACKING_LOCATION in options.values:
        options.refuse(keys.FAIL_ON_DATA_LOSS, validation.TRACKED_LOSS)
    if options.invalid:
        raise OptionsError(options.invalid)
    return {name: value for name, value in found.items() if value is not None}


class _Options:
    """The given options under their canonical names, and what is wrong with them so far."""

    def __init__(self, given: Mapping[str, object]) -> None:
        names = {name.lower(): name for name in (*keys.READ_FIELDS, *keys.OLD_NAMES)}
        self.invalid: list[InvalidOption] = []
        self.values: dict[str, object] = {}
        self.extra: dict[str, str] = {}
        self._given_as: dict[str, str] = {}
        for key, value in given.items():
            text = _name(key)
            given_as = names.get(text.lower())
            if given_as is None:
                self._add_unknown(text, value)
                continue
            name = keys.OLD_NAMES.get(given_as, given_as)
            if name in self.values:
                duplicate = _duplicate(self._given_as[name], given_as)
                self.invalid.append(InvalidOption(text, short_repr(value), duplicate))
            else:
                self.values[name] = value
                self._given_as[name] = given_as

    def _add_unknown(self, key: str, value: object) -> None:
        # The values are not shown: they may be secrets.
        if not key.startswith(keys.FILE_SYSTEM_PREFIXES):
            self.invalid.append(InvalidOption(key, HIDDEN, _unknown(key.lower())))
        elif not isinstance(value, str):
            self.invalid.append(InvalidOption(key, HIDDEN, FILE_SYSTEM_ALLOWED))
        else:
            self.extra[key] = value

    def parsed(self, name: str, parse: Callable[[object], T | None], rule: str) -> T | None:
        if name not in self.values:
            return None
        value = parse(self.values[name])
        if value is None:
            self.refuse(name, rule)
        return value

    def refuse(self, name: str, reason: str) -> None:
        given = short_repr(self.values[name])
        self.invalid.append(InvalidOption(self._given_as[name], given, reason))


def _name(key: object) -> str:
    return key if isinstance(key, str) else short_repr(key)


def _unknown(key: str) -> str:
    from difflib import get_close_matches

    if key in ("versionasof", "timestampasof"):
        return "must be left out, because a stream cannot time travel: use startingVersion"
    ignored = {name.lower(): reason for name, reason in keys.READ_IGNORED.items()}
    if key in ignored:
        return f"must be left out: {ignored[key]}"
    known = keys.IN_ANY_CASE
    if known.get(key) in keys.FUNCTIONS:
        return f"must be left out: use {keys.FUNCTIONS[known[key]]}"
    near = [known[name] for name in get_close_matches(key, known, n=1)]
    if near:
        return f"is not an option; did you mean {near[0]}?"
    if key in keys.READ_FIELDS.values():
        options = " and ".join(one for one, argument in keys.READ_FIELDS.items() if argument == key)
        return f"is an argument of ReadOptions: give it there, or as Spark's {options} here"
    if key in keys.WRITE_ARGUMENTS.values():
        return "is an argument of write_stream, not of a reader"
    return "is not an option of a Delta stream: give other options of Spark in `extra`"


def _duplicate(first: str, second: str) -> str:
    if first == second:
        return f"is a second {first}: keep one"
    return f"is another name for {first}: give one of the two"


def _allow(options: _Options, name: str) -> Acknowledged | None:
    return options.parsed(name, _acknowledged, schema_tracking.ACKNOWLEDGED_ALLOWED)


def _tracking(options: _Options) -> SchemaTracking | None:
    location_key = keys.SCHEMA_TRACKING_LOCATION
    location = options.parsed(location_key, _text, schema_tracking.LOCATION_ALLOWED)
    source_id = options.parsed(
        keys.SOURCE_TRACKING_ID, _source_id, schema_tracking.SOURCE_ID_ALLOWED
    )
    rename = _allow(options, keys.ALLOW_RENAME)
    drop = _allow(options, keys.ALLOW_DROP)
    type_change = _allow(options, keys.ALLOW_TYPE_CHANGE)
    if location_key not in options.values:
        for name in TRACKED_ONLY:
            if name in options.values:
                options.refuse(name, WITHOUT_LOCATION)
    if location is None:
        return None
    return SchemaTracking(
        location=location,
        source_id=source_id,
        allow_rename=rename,
        allow_drop=drop,
        allow_type_change=type_change,
    )


def _on_change(options: _Options) -> validation.OnChange | None:
    skip = options.parsed(keys.SKIP_CHANGE_COMMITS, _flag, FLAG_ALLOWED)
    reemit = options.parsed(keys.IGNORE_CHANGES, _flag, FLAG_ALLOWED)
    ignore = options.parsed(keys.IGNORE_DELETES, _flag, FLAG_ALLOWED)
    # Delta accepts several of them; each allows everything that the ones after it allow.
    if skip:
        return "skip_commits"
    if reemit:
        return "reemit"
    return "ignore_deletes" if ignore else None


def _version(value: object) -> Latest | Version | None:
    if value == "latest":
        return Latest()
    number = _number(value)
    return Version(number) if start.is_version(number) else None


def _time(value: object) -> Time | None:
    time = parse_timestamp(value) if isinstance(value, str) else value
    return Time(time) if start.is_time(time) else None


def _files(value: object) -> int | None:
    number = _number(value)
    return number if validation.is_max_files(number) else None


def _bytes(value: object) -> int | str | None:
    return value if validation.is_max_bytes(value) else None


def _exclude_regex(options: _Options) -> str | None:
    allowed = validation.regex_allowed(options.values.get(keys.EXCLUDE_REGEX))
    return options.parsed(keys.EXCLUDE_REGEX, _regex, allowed)


def _regex(value: object) -> str | None:
    return value if validation.is_regex(value) else None


def _text(value: object) -> str | None:
    return value if schema_tracking.is_text(value) else None


def _source_id(value: object) -> str | None:
    return value if schema_tracking.is_source_id(value) else None


def _acknowledged(value: object) -> Acknowledged | None:
    known = value if value == "always" else _number(value)
    return known if schema_tracking.is_acknowledged(known) else None


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return parse_bool(value)
    return value if isinstance(value, bool) else None


def _number(value: object) -> object:
    return parse_int(value) if isinstance(value, str) else value
