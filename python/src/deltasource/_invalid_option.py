# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One invalid option or argument, as an error lists it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deltasource._text import HIDDEN

HINT: Final = ": write "
"""Comes between what a value must be and how to write the one that was probably meant."""


@dataclass(frozen=True)
class InvalidOption:
    """One invalid option or argument.

    Args:
        option: Its name.
        given: Its value as text, or "..." if the value may be a secret.
        reason: Why it is invalid, such as "must be True or False" or "is given twice".

    Example:
        >>> from deltasource import InvalidOption
        >>> print(InvalidOption("max_files", "0", "must be an integer from 1 to 2147483647"))
        max_files must be an integer from 1 to 2147483647, got 0
    """

    option: str
    given: str
    reason: str

    def __str__(self) -> str:
        """Return one line: the option, what it must be, the value, and how to write it."""
        rule, hint, written = self.reason.partition(HINT)
        # Then the name is what is wrong, and not the value.
        is_unknown = "; did you mean " in rule
        got = "" if self.given == HIDDEN or is_unknown else f", got {self.given}"
        return f"{self.option} {rule}{got}{hint}{written}"
