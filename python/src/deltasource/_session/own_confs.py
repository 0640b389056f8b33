# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The session confs of our source and sink, and the check of their names and values.

Spark accepts any name, and reads a value only when a query starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final, Literal, TypeAlias

from deltasource._text import MAX_INT, MAX_LONG, parse_bool, parse_int, parse_size

Kind: TypeAlias = Literal["duration", "flag", "number", "size"]

PREFIX: Final = "spark.deltasource."
FAIL_ON_OTHER_TARGET: Final = f"{PREFIX}sink.failOnOtherTarget"
KNOWN: Final[Mapping[str, Kind]] = {
    f"{PREFIX}log.listInterval": "duration",
    f"{PREFIX}log.maxIdleDelay": "duration",
    f"{PREFIX}log.maxInMemoryCommitBytes": "size",
    f"{PREFIX}log.prefetchBytes": "size",
    f"{PREFIX}log.prefetchCommits": "number",
    f"{PREFIX}log.reuse": "flag",
    f"{PREFIX}plan.reuse": "flag",
    f"{PREFIX}sink.asyncPostCommitHooks": "flag",
    f"{PREFIX}sink.failOnOtherRun": "flag",
    FAIL_ON_OTHER_TARGET: "flag",
    f"{PREFIX}snapshot.maxFilesOnDriver": "number",
}

_INTS: Final = (f"{PREFIX}log.prefetchCommits",)
"""The numbers that have 32 bits in Spark."""

# As Spark parses it, which takes a number without a unit for milliseconds.
_DURATION: Final = re.compile(r"[0-9]{1,18}(us|ms|s|m|min|h|d)?")
_VALID: Final[Mapping[Kind, Callable[[str], bool]]] = {
    "duration": lambda text: _DURATION.fullmatch(text) is not None,
    "flag": lambda text: parse_bool(text) is not None,
    "size": lambda text: parse_size(text) is not None,
}
_ALLOWED: Final[Mapping[Kind, str]] = {
    "duration": 'must be a time such as "10s" or "250ms"',
    "flag": "must be true or false",
    "size": 'must be a number of bytes, or a size such as "64m"',
}


def _is_number(text: str, maximum: int) -> bool:
    number = parse_int(text)
    return number is not None and 0 <= number <= maximum


def mistakes(given: Mapping[str, str]) -> dict[str, str]:
    """Return what is wrong with confs that have our prefix, by their names."""
    ours = {name: value for name, value in sorted(given.items()) if name.startswith(PREFIX)}
    found = {name: _mistake(name, value) for name, value in ours.items()}
    return {name: wrong for name, wrong in found.items() if wrong is not None}


def _mistake(name: str, value: str) -> str | None:
    kind, text = KNOWN.get(name), value.strip().lower()
    # Spark replaces a reference to another conf or to the environment.
    if "${" in text:
        return None
    if kind == "number":
        maximum = MAX_INT if name in _INTS else MAX_LONG
        return None if _is_number(text, maximum) else f"must be an integer from 0 to {maximum}"
    if kind is not None:
        return None if _VALID[kind](text) else _ALLOWED[kind]
    # All have the prefix, which would make any two of them similar.
    known = [one.removeprefix(PREFIX) for one in KNOWN]
    near = get_close_matches(name.removeprefix(PREFIX), known, n=1)
    if near:
        return f"is not a conf; did you mean {PREFIX}{near[0]}?"
    return f"is none of {', '.join(KNOWN)}"
