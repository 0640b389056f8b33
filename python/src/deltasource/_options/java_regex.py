# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Mistakes in a regular expression that are mistakes for Java and for Python.

Only Java can compile its own dialect. So this reports what is certainly wrong, and nothing about
a pattern with parts that it does not know, such as quotations, comments and nested classes.
"""

from __future__ import annotations

import re
from typing import Final

_UNKNOWN: Final = re.compile(r"\\[Qc]|\(\?(#|[a-zA-Z-]*x)|&&")
_BEGINS: Final = "(|"
_REPEATS: Final = "*+?"


def regex_mistake(pattern: str) -> str | None:
    """Return the first mistake and its index, such as `( at index 3 is not closed`, if any."""
    if _UNKNOWN.search(pattern):
        return None
    groups: list[int] = []
    before = "("
    at = 0
    while at < len(pattern):
        token = pattern[at]
        if token == "\\" and at + 1 == len(pattern):
            return f"\\ at index {at} escapes nothing"
        if token == "(":
            groups.append(at)
        elif token == ")" and not groups:
            return f") at index {at} closes nothing"
        elif token == ")":
            groups.pop()
        elif token in _REPEATS and before in _BEGINS and not _is_extension(pattern, at):
            return f"{token} at index {at} repeats nothing"
        elif token == "[":
            end = _class_end(pattern, at)
            if end is None:
                return None if "[" in pattern[at + 1 :] else f"[ at index {at} is not closed"
            if "[" in pattern[at + 1 : end]:
                return None
            at = end
        before = token
        at += 2 if token == "\\" else 1
    return f"( at index {groups[-1]} is not closed" if groups else None


def _is_extension(pattern: str, at: int) -> bool:
    """Whether a question mark belongs to `(?`."""
    return at > 0 and pattern[at - 1 : at + 1] == "(?"


def _class_end(pattern: str, start: int) -> int | None:
    """Return the index of the bracket that closes a class; one at its beginning does not."""
    at = start + (2 if pattern.startswith("[^", start) else 1)
    first = at
    while at < len(pattern):
        if pattern[at] == "]" and at > first:
            return at
        at += 2 if pattern[at] == "\\" else 1
    return None
