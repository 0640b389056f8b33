# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The notes of a release, from CHANGELOG.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

UNRELEASED: Final = "Unreleased"
# `## [0.1.0] - 2026-11-21`, or `## Unreleased` with or without brackets.
HEADING: Final = re.compile(r"^## \[?([^\]\n]+?)\]?(?: - (\d{4}-\d\d-\d\d))?\n", re.MULTILINE)


@dataclass(frozen=True)
class Notes:
    """The notes of a version, and why they are not final yet."""

    text: str
    problems: tuple[str, ...]


def notes(changelog: str, version: str) -> Notes:
    """Return the section of a version; entries under Unreleased come first, as a problem."""
    dates = dict(HEADING.findall(changelog))
    texts = _sections(changelog)
    unreleased = texts.get(UNRELEASED, "")
    problems: list[str] = []
    if unreleased:
        problems.append(
            f"CHANGELOG.md has entries under {UNRELEASED}: move them to the section of {version}, "
            "or put the next version into VERSION and give it a section"
        )
    if not texts.get(version):
        problems.append(
            f"CHANGELOG.md has no entries for {version}: add `## [{version}] - YYYY-MM-DD`, "
            "with the date of the release"
        )
    elif not dates[version]:
        problems.append(f"the section of {version} in CHANGELOG.md has no date")
    body = [text for text in (unreleased, texts.get(version, "")) if text]
    return Notes("\n\n".join([f"# deltasource {version}", *body]) + "\n", tuple(problems))


def _sections(changelog: str) -> dict[str, str]:
    headings = list(HEADING.finditer(changelog))
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    return {
        heading[1]: changelog[heading.end() : end].strip()
        for heading, end in zip(headings, ends, strict=True)
    }
