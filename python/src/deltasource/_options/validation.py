# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Validation of arguments: one error reports every invalid one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from deltasource._errors import InvalidOption, OptionsError
from deltasource._options import keys
from deltasource._text import HIDDEN, short_repr

Rule: TypeAlias = tuple[str, object, bool, str]
"""The name of an argument, its value, whether it is valid, and what it must be."""

EXTRA_ALLOWED = "must map option names to strings"
EXTRA_DUPLICATE = "is given twice, in different case: keep one"


def validate(*rules: Rule) -> None:
    """Raise one OptionsError for all rules that are broken."""
    broken = [
        InvalidOption(name, short_repr(value), allowed)
        for name, value, valid, allowed in rules
        if not valid
    ]
    if broken:
        raise OptionsError(broken)


def invalid_extra_options(extra: object) -> list[InvalidOption]:
    """Return what is wrong with the extra options."""
    # No value is shown, here or below: it may be a secret.
    if not isinstance(extra, Mapping):
        return [InvalidOption("extra", HIDDEN, EXTRA_ALLOWED)]
    given = cast(Mapping[object, object], extra)
    invalid: list[InvalidOption] = []
    seen: set[str] = set()
    for key, value in given.items():
        lower = key.lower() if isinstance(key, str) else short_repr(key)
        wrong = EXTRA_DUPLICATE if lower in seen else _extra_error(key, value)
        if wrong is not None:
            invalid.append(InvalidOption(f"extra[{short_repr(key)}]", HIDDEN, wrong))
        seen.add(lower)
    return invalid


def _extra_error(key: object, value: object) -> str | None:
    if not (isinstance(key, str) and key and isinstance(value, str)):
        return EXTRA_ALLOWED
    known = keys.IN_ANY_CASE.get(key.lower())
    if known is None:
        return None
    named = keys.BY_FUNCTION.get(known) or keys.SERVED[keys.OLD_NAMES.get(known, known)]
    return f"must be left out: use {named}"
