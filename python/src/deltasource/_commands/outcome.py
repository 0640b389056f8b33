# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a command has to say, before anything is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FINE: Final = 0
FAILED: Final = 1
IMPOSSIBLE: Final = 3


@dataclass(frozen=True)
class Outcome:
    """The answer for standard output, notes for standard error, and the exit code."""

    answer: str
    notes: tuple[str, ...] = ()
    code: int = FINE
