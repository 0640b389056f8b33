# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options that are none of ours: passed on, and looked through for those that are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from deltasource._options import keys
from deltasource._text import shown
from deltasource.errors import Problem

ALLOWED = "texts by the names of options"
TWICE = "a second one of this name"


def problems(extra: object) -> list[Problem]:
    """Answer what is wrong with options that nobody else checks."""
    # No value is shown, here or below: it may be a secret.
    if not isinstance(extra, Mapping):
        return [Problem("extra", "...", ALLOWED)]
    given = cast(Mapping[object, object], extra)
    found: list[Problem] = []
    seen: set[str] = set()
    for key, value in given.items():
        low = key.lower() if isinstance(key, str) else shown(key)
        wrong = TWICE if low in seen else _wrong(key, value)
        if wrong is not None:
            found.append(Problem(f"extra[{shown(key)}]", "...", wrong))
        seen.add(low)
    return found


def _wrong(key: object, value: object) -> str | None:
    if not (isinstance(key, str) and key and isinstance(value, str)):
        return ALLOWED
    known = keys.IN_ANY_CASE.get(key.lower())
    if known is None:
        return None
    named = keys.BY_FUNCTION.get(known) or keys.SERVED[keys.OLD_NAMES.get(known, known)]
    return f"leave this out and use {named}"
