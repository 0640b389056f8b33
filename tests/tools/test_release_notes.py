# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The notes of a release are the changelog's section of the version."""

from __future__ import annotations

from pathlib import Path

import pytest
from release.changelog import notes

DONE = """# Changelog

Text.

## [1.1.0] - 2026-11-24

### Fixed

- New.

## [1.0.0] - 2026-01-01

- Old.
"""


def test_the_notes_are_the_section_of_the_version() -> None:
    """They have the entries of the version, and no other."""
    assert notes(DONE, "1.1.0").text == "# deltasource 1.1.0\n\n### Fixed\n\n- New.\n"
    assert notes(DONE, "1.0.0").text == "# deltasource 1.0.0\n\n- Old.\n"
    assert notes(DONE, "1.1.0").problems == notes(DONE, "1.0.0").problems == ()


@pytest.mark.parametrize("heading", ["Unreleased", "[Unreleased]"])
def test_unreleased_entries_are_a_problem(heading: str) -> None:
    """What is released has them, but no version: they come first, until they are moved."""
    found = notes(DONE.replace("## [1.1.0]", f"## {heading}\n\n- Next.\n\n## [1.1.0]"), "1.1.0")
    assert found.text == "# deltasource 1.1.0\n\n- Next.\n\n### Fixed\n\n- New.\n"
    (problem,) = found.problems
    assert "move them to the section of 1.1.0" in problem


def test_an_empty_unreleased_section_may_stay() -> None:
    """A changelog may keep the heading for the next entries."""
    assert notes(DONE.replace("## [1.1.0]", "## Unreleased\n\n## [1.1.0]"), "1.1.0").problems == ()


def test_a_version_without_entries_is_a_problem() -> None:
    """The problem says which heading to add."""
    (problem,) = notes(DONE, "1.2.0").problems
    assert "add `## [1.2.0] - YYYY-MM-DD`" in problem


def test_a_version_without_a_date_is_a_problem() -> None:
    """Each released version has its date."""
    (problem,) = notes(DONE.replace(" - 2026-11-24", ""), "1.1.0").problems
    assert problem == "the section of 1.1.0 in CHANGELOG.md has no date"


def test_the_changelog_can_be_read(root: Path) -> None:
    """The notes of this version have entries, and end before the next section."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    found = notes(changelog, version).text
    assert "\n- " in found
    assert "\n## " not in found
