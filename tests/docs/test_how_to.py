# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The how-to pages have one form, and the lists of pages are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
GROUPS = ("set-up", "read-and-write", "operate", "recover")
"""Pages that list the others. The index includes their lists."""
HOW_TO = sorted(
    page for page in (DOCS / "how-to").glob("*.md") if page.stem not in ("index", *GROUPS)
)
MAX_LINES = 89
LONGER = {
    "aggregate-deduplicate-and-join": 99,
    "alert-before-data-loss": 102,
    "alert-on-lag": 100,
    "apply-changes-in-production": 164,
    "apply-changes-to-existing-rows": 131,
    "apply-changes": 195,
    "apply-debezium-changes": 152,
    "backfill-a-large-table": 113,
    "build-a-chain-of-tables": 100,
    "erase-a-persons-rows": 131,
    "follow-schema-changes": 120,
    "move-from-delta-spark": 134,
    "read-deletes": 122,
    "read-the-change-feed": 91,
    "recover-a-damaged-checkpoint": 98,
    "recover-a-vacuumed-file": 94,
    "replace-merge-by-apply-changes": 148,
    "run-in-production": 168,
    "run-several-streams": 116,
    "schema-changes-in-a-scheduled-job": 129,
    "test-your-own-pipeline": 138,
    "use-from-scala-and-sql": 93,
}
"""Pages that show several ways to do one thing, or a whole job, with their own limits."""


def links(page: Path) -> list[str]:
    """Return the pages of its own folder that a page links to."""
    return re.findall(r"\]\(([\w-]+\.md)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", HOW_TO, ids=lambda page: page.stem)
def test_a_how_to_is_short_and_says_what_can_go_wrong(page: Path) -> None:
    """A how-to has a title, no more lines than its limit, and a last section about failures."""
    lines = page.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert len(lines) <= LONGER.get(page.stem, MAX_LINES)
    assert [line for line in lines if line.startswith("## ")][-1] == "## What can go wrong"


def test_every_how_to_is_listed_once() -> None:
    """One of the groups links to it, and is included in the index."""
    listed = [link for group in GROUPS for link in links(DOCS / "how-to" / f"{group}.md")]
    assert sorted(listed) == [page.name for page in HOW_TO]
    index = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\{include\} ([\w-]+)\.md", index) == list(GROUPS)


def test_every_page_of_the_tutorial_is_listed_once() -> None:
    """The index links to each of its pages."""
    folder = DOCS / "tutorial"
    pages = sorted(page.name for page in folder.glob("*.md") if page.stem != "index")
    assert sorted(links(folder / "index.md")) == pages


@pytest.mark.parametrize("folder", ["how-to", "tutorial"])
def test_links_within_a_folder_exist(folder: str) -> None:
    """Each link to a page of the same folder has a target."""
    for page in (DOCS / folder).glob("*.md"):
        missing = [link for link in links(page) if not (DOCS / folder / link).exists()]
        assert missing == [], page.name
