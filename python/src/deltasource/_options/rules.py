# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Rules about what a caller gave: all that are broken are told at once."""

from __future__ import annotations

from typing import TypeAlias

from deltasource._text import shown
from deltasource.errors import OptionsError, Problem

Rule: TypeAlias = tuple[str, object, bool, str]
"""The name of what was given, its value, whether it is fine, and what is allowed."""


def check(*rules: Rule) -> None:
    """Raise one OptionsError with every rule that is broken."""
    broken = [
        Problem(name, shown(value), allowed) for name, value, fine, allowed in rules if not fine
    ]
    if broken:
        raise OptionsError(broken)
