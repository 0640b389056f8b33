# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Validation of arguments: one error reports every invalid one."""

from __future__ import annotations

from typing import Final, TypeAlias

from deltasource._errors import InvalidOption, OptionsError
from deltasource._text import short_repr

Rule: TypeAlias = tuple[str, object, bool, str]
"""The name of an argument, its value, whether it is valid, and what it must be."""

HIDDEN: Final = "..."
"""Stands for a value that may be a secret."""


def validate(*rules: Rule) -> None:
    """Raise one OptionsError for all rules that are broken."""
    broken = [
        InvalidOption(name, short_repr(value), allowed)
        for name, value, valid, allowed in rules
        if not valid
    ]
    if broken:
        raise OptionsError(broken)
