# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The fenced code blocks of a page, for the tests that run them."""

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
    """Return the fenced blocks of a page."""
    fences = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(f[1], f[2], text.count("\n", 0, f.start()) + 1) for f in fences]


def words(table: str) -> list[str]:
    """Return the printed lines without trailing spaces."""
    return [line.strip() for line in table.strip().splitlines()]
