# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One invalid option or argument, as an error lists it."""

from __future__ import annotations

from dataclasses import dataclass

from deltasource._text import HIDDEN


@dataclass(frozen=True)
class InvalidOption:
    """One invalid option or argument.

    Args:
        option: Its name.
        given: Its value as text, or "..." if the value may be a secret.
        reason: Why it is invalid, such as "must be True or False" or "is given twice".

    Example:
        >>> from deltasource import InvalidOption
        >>> print(InvalidOption("max_files", "0", "must be from 1 to 2147483647"))
        max_files must be from 1 to 2147483647, got 0
    """

    option: str
    given: str
    reason: str

    def __str__(self) -> str:
        """Return one line: the option, the reason, and the value."""
        got = "" if self.given == HIDDEN else f", got {self.given}"
        return f"{self.option} {self.reason}{got}"
