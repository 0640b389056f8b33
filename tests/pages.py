# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The fenced blocks of a page, for the tests that run them."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line it starts at."""

    language: str
    text: str
    line: int


def blocks(text: str) -> list[Block]:
    """Answer the fenced blocks of a page."""
    fences = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(f[1], f[2], text.count("\n", 0, f.start()) + 1) for f in fences]


def words(table: str) -> list[str]:
    """Answer the lines of what was printed, without the spaces at their ends."""
    return [line.strip() for line in table.strip().splitlines()]
