# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options that are passed on unchecked, except that none of them may be one of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from deltasource._errors import InvalidOption
from deltasource._options import keys
from deltasource._options.validation import HIDDEN
from deltasource._text import short_repr

ALLOWED = "must map option names to strings"
DUPLICATE = "is given twice, in different case: keep one"


def invalid_options(extra: object) -> list[InvalidOption]:
    """Return what is wrong with the extra options."""
    # No value is shown, here or below: it may be a secret.
    if not isinstance(extra, Mapping):
        return [InvalidOption("extra", HIDDEN, ALLOWED)]
    given = cast(Mapping[object, object], extra)
    invalid: list[InvalidOption] = []
    seen: set[str] = set()
    for key, value in given.items():
        lower = key.lower() if isinstance(key, str) else short_repr(key)
        wrong = DUPLICATE if lower in seen else _wrong(key, value)
        if wrong is not None:
            invalid.append(InvalidOption(f"extra[{short_repr(key)}]", HIDDEN, wrong))
        seen.add(lower)
    return invalid


def _wrong(key: object, value: object) -> str | None:
    if not (isinstance(key, str) and key and isinstance(value, str)):
        return ALLOWED
    known = keys.IN_ANY_CASE.get(key.lower())
    if known is None:
        return None
    named = keys.BY_FUNCTION.get(known) or keys.SERVED[keys.OLD_NAMES.get(known, known)]
    return f"must be left out: use {named}"
