# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The fenced code blocks of a page, for the tests that run them.

A comment on the line above a block says how it is treated:

<!-- not run: REASON -->    it is not run
<!-- file: NAME -->         it is written to this file instead of run
<!-- raises: ERROR -->      it must end with this exception, whose text ends its output
<!-- exits: CODE -->        the shell must end with this exit code

A `text` block after a block that is run is the output of that block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MARKS: Final = ("not run", "file", "raises", "exits")

_FENCE: Final = re.compile(
    r"(?:^<!-- ([a-z ]+): ([^\n]+) -->\n)?^```([^`\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the line it starts at, and its mark."""

    language: str
    text: str
    line: int
    mark: str = ""
    """One of `MARKS`, or nothing."""
    value: str = ""
    """What the mark says after the colon."""


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a page, without directives such as `{toctree}`."""
    return [_block(text, found) for found in _FENCE.finditer(text) if found[3][:1] != "{"]


def outputs(page: Sequence[Block]) -> dict[int, Block]:
    """Return the `text` blocks that show an output, by the line of the block that prints it."""
    return {
        code.line: text
        for code, text in pairwise(page)
        if text.language == "text" and code.language in ("python", "bash") and not text.mark
    }


def words(table: str) -> list[str]:
    """Return the printed lines without trailing spaces."""
    return [line.strip() for line in table.strip().splitlines()]


def same_output(shown: str, printed: str) -> bool:
    """Return whether a block printed what the page shows.

    `...` in a line stands for any characters, and a line `...` for any number of lines. Spaces at
    the ends of lines, and empty lines at the start and the end, do not count.
    """
    pattern = "\n".join(map(re.escape, words(shown)))
    pattern = re.sub(r"^\\\.\\\.\\\.\n", "(?:.*\n)*", pattern, flags=re.MULTILINE)
    pattern = re.sub(r"\n\\\.\\\.\\\.\Z", "(?:\n.*)*", pattern)
    pattern = pattern.replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, "\n".join(words(printed))) is not None


def with_outputs(text: str, printed: dict[int, str]) -> str:
    """Return a page with other outputs, given by the lines of the `text` blocks that show them."""
    lines = text.splitlines()
    for line in sorted(printed, reverse=True):
        end = lines.index("```", line)
        lines[line:end] = [one.rstrip() for one in printed[line].strip("\n").splitlines()]
    return "\n".join(lines) + "\n"


def _block(text: str, found: re.Match[str]) -> Block:
    line = text.count("\n", 0, found.start(3)) + 1
    return Block(found[3], found[4], line, found[1] or "", found[2] or "")
