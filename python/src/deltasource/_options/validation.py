# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which values the options accept; one error reports all invalid ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Literal, TypeAlias, TypeGuard, TypeVar, cast, get_args

from deltasource._errors import DeltaSourceError, OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options import keys
from deltasource._options.java_regex import regex_mistake
from deltasource._text import HIDDEN, MAX_INT, MAX_LONG, parse_size, short_repr

OnChange: TypeAlias = Literal["fail", "skip_commits", "ignore_deletes", "reemit"]
"""What a row stream does at a commit that deletes or rewrites rows."""

Rule: TypeAlias = tuple[str, object, bool, str]
"""The name of an argument, its value, whether it is valid, and what it must be."""

T = TypeVar("T")

TABLE_ALLOWED = "must be the path or the name of a table"
MAX_FILES_ALLOWED = f"must be an integer from 1 to {MAX_INT}"
MAX_BYTES_ALLOWED = 'must be a positive number of bytes, or a size such as "512mb" or "1g"'
REGEX_ALLOWED = "must be a Java regular expression that is not empty"
FLAG_ALLOWED = "must be True or False"
START_ALLOWED = (
    'must be "snapshot", "latest", a version (an integer from 0), a time with a time zone, or '
    "Snapshot(), Latest(), Version(number) or Time(at)"
)
ZONE_ALLOWED = "must have a time zone, such as datetime(2026, 1, 31, tzinfo=timezone.utc)"
ON_CHANGE_ALLOWED = "must be one of " + ", ".join(map(repr, get_args(OnChange)))
TRACKING_ALLOWED = "must be SchemaTracking(location=...)"
TRACKED_LOSS = "must be left out with schema tracking: a lost commit could change the schema"
BATCHES_ALLOWED = "must be a number of batches, or None for all"
EXTRA_ALLOWED = "must map option names to strings"
EXTRA_DUPLICATE = "is given twice, in different case: keep one"


def validate(*rules: Rule) -> None:
    """Raise one OptionsError for all rules that are broken."""
    invalid = broken(*rules)
    if invalid:
        raise OptionsError(invalid)


def validated(build: Callable[[], T], *rules: Rule) -> T:
    """Return what `build` returns; one OptionsError for its mistakes and all broken rules.

    A mistake that both find is reported once.
    """
    invalid = broken(*rules)
    try:
        built = build()
    except OptionsError as error:
        raise OptionsError([*dict.fromkeys([*invalid, *error.problems])]) from None
    except DeltaSourceError:
        if not invalid:
            raise
        raise OptionsError(invalid) from None
    if invalid:
        raise OptionsError(invalid)
    return built


def broken(*rules: Rule) -> list[InvalidOption]:
    """Return what is wrong: the rules that are broken."""
    return [
        InvalidOption(name, short_repr(value), rule)
        for name, value, valid, rule in rules
        if not valid
    ]


def is_max_files(value: object) -> TypeGuard[int]:
    """Whether this is a limit of files for one batch."""
    return type(value) is int and 1 <= value <= MAX_INT


def is_count(value: object) -> bool:
    """Whether this is a number of things."""
    return type(value) is int and value >= 0


def is_max_bytes(value: object) -> TypeGuard[int | str]:
    """Whether this is a limit of bytes for one batch."""
    number = to_bytes(value) if isinstance(value, int | str) and type(value) is not bool else None
    return number is not None and 1 <= number <= MAX_LONG


def is_regex(value: object) -> TypeGuard[str]:
    """Whether this may be a regular expression; only Java can compile its own dialect."""
    return isinstance(value, str) and value != "" and regex_mistake(value) is None


def regex_allowed(value: object) -> str:
    """Return what a regular expression must be and, if it is known, what is wrong with this one."""
    mistake = regex_mistake(value) if isinstance(value, str) else None
    return REGEX_ALLOWED if mistake is None else f"{REGEX_ALLOWED}: {mistake}"


def to_bytes(value: int | str) -> int | None:
    """Convert a size to bytes; None if it is not one."""
    return parse_size(value) if isinstance(value, str) else value


def invalid_extra_options(
    extra: object,
    named: Mapping[str, str],
    ignored: Mapping[str, str] | None = None,
    keywords: Collection[str] = (),
) -> list[InvalidOption]:
    """Return what is wrong with extra options.

    Args:
        extra: What was given.
        named: The argument to use for an option instead.
        ignored: The options that have no effect, and what to do instead.
        keywords: Other arguments, which are no options of Spark either.
    """
    reasons = {name: f"use {argument}" for name, argument in named.items()} | dict(ignored or {})
    arguments = {*named.values(), *keywords} - {*keys.FUNCTIONS.values()}
    # No value is shown, here or below: it may be a secret.
    if not isinstance(extra, Mapping):
        return [InvalidOption("extra", HIDDEN, EXTRA_ALLOWED)]
    given = cast(Mapping[object, object], extra)
    invalid: list[InvalidOption] = []
    seen: set[str] = set()
    for key, value in given.items():
        lower = key.lower() if isinstance(key, str) else short_repr(key)
        wrong = EXTRA_DUPLICATE if lower in seen else _extra_error(key, value, reasons, arguments)
        if wrong is not None:
            invalid.append(InvalidOption(f"extra[{short_repr(key)}]", HIDDEN, wrong))
        seen.add(lower)
    return invalid


def _extra_error(
    key: object, value: object, reasons: Mapping[str, str], arguments: Collection[str]
) -> str | None:
    if key in arguments:
        return f"is not an option of Spark: give it as the argument {key}=..."
    if not (isinstance(key, str) and key and isinstance(value, str)):
        kind = f": this is of type {type(value).__name__}" if not isinstance(value, str) else ""
        return f"{EXTRA_ALLOWED}{kind}"
    canonical = {name.lower(): name for name in reasons}
    name = canonical.get(key.lower())
    if name is not None:
        return f"must be left out: {reasons[name]}"
    if key.startswith(keys.FILE_SYSTEM_PREFIXES):
        return None
    from difflib import get_close_matches

    # Only misspelled names: those of other sources, such as maxOffsetsPerTrigger, are not so near.
    long = [one for one in canonical if len(one) > 6]
    near = [canonical[one] for one in get_close_matches(key.lower(), long, n=1, cutoff=0.87)]
    return f"is not an option; for {near[0]}, {reasons[near[0]]}" if near else None
