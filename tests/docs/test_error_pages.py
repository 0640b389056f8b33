# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Every error condition of ours has a page, and its example is a message of the code."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from deltasource import DeltaSourceError, JarError, TableError
from deltasource._monitor.conditions import CONDITIONS
from deltasource.testing import InjectedFailure, NoCommitError, StepError
from docs.errors import ERRORS
from support.pages import blocks

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "docs" / "reference" / "errors"
SOURCES: Final = {"jvm/src/main": "*.scala", "python/src": "*.py"}
BASE: Final = DeltaSourceError.condition
"""The condition of the base class, which is never raised."""

PAGES: Final = sorted(FOLDER.glob("DELTASOURCE_*.md"))
SECTIONS: Final = ("## Why\n", "## What to do\n", "## Example\n")


@cache
def sources() -> str:
    """Return the code of both languages."""
    return "\n".join(
        file.read_text(encoding="utf-8")
        for folder, pattern in SOURCES.items()
        for file in sorted((ROOT / folder).rglob(pattern))
    )


@cache
def literals() -> str:
    """Return the texts between quotes in both languages, those of split literals in one piece."""
    joined = re.sub(r'"[ )]*\+?\s*\n\s*[sf]?"', "", sources())
    return " ".join(re.sub(r"\\(.)", r"\1", joined).split())


def conditions() -> set[str]:
    """Return the conditions that the code names, but those that only begin with others' names."""
    return set(re.findall(r"DELTASOURCE_[A-Z_]*[A-Z]", sources())) - {BASE}


def test_every_condition_has_a_page() -> None:
    """There is a page for each condition in Scala and Python, and for no other."""
    assert conditions() == {page.stem for page in PAGES}


def test_what_a_metric_names_is_explained() -> None:
    """A condition that a dashboard shows has a page, a section or a row."""
    page = (FOLDER / "delta.md").read_text(encoding="utf-8")
    named = {one for one in CONDITIONS if not one.startswith("DELTASOURCE_")}
    assert {one for one in named if one not in page} == set()


def test_every_condition_is_in_a_test() -> None:
    """A test names each condition or its Python class, or coverage.md names a test."""
    tests = "\n".join(
        file.read_text(encoding="utf-8")
        for folder, pattern in (("jvm/src/test", "*.scala"), ("tests", "*.py"))
        for file in (ROOT / folder).rglob(pattern)
        if "docs" not in file.relative_to(ROOT).parts
    )
    errors: set[type[DeltaSourceError]] = {InjectedFailure, NoCommitError, StepError}
    errors |= set(DeltaSourceError.__subclasses__())
    tested = {error.condition for error in errors if error.__name__ in tests}
    tested |= {name.strip("`") for name in ERRORS}
    assert [name for name in sorted(conditions() - tested) if name not in tests] == []


def test_the_index_lists_every_condition_once() -> None:
    """Each page is in a table of the index, with the sentence that the page begins with."""
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[`(\w+)`\]\((\w+)\.md\) \| (.+) \|$", index, re.MULTILINE)
    assert sorted(name for name, _, _ in listed) == [page.stem for page in PAGES]
    for name, link, sentence in listed:
        text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert link == name
        assert " ".join(text.split("\n\n")[1].split()) == sentence


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_happened_and_what_to_do(page: Path) -> None:
    """A page is titled by its condition, and has a reason, a way out and a message."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.stem}\n")
    assert [section for section in SECTIONS if text.count(section) != 1] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_example_is_a_message_of_the_code(page: Path) -> None:
    """At least half of the example's words stand in the code, in runs of three or more."""
    example = blocks(page.read_text(encoding="utf-8"))[-1].text
    name, _, message = example.partition("] ")
    assert name == f"[{page.stem}"
    said, _, command = message.rpartition("(see ")
    assert command.strip() == f"`deltasource explain-error {page.stem}`)"
    words = said.split()
    written = [False] * len(words)
    for start in range(len(words) - 2):
        if " ".join(words[start : start + 3]) in literals():
            written[start : start + 3] = [True] * 3
    assert sum(written) >= len(words) / 2


def test_the_page_of_deltas_conditions_names_existing_ones() -> None:
    """Each condition on the page of Delta's is one that Delta's jar or this package has."""
    page = (FOLDER / "delta.md").read_text(encoding="utf-8")
    named = re.findall(r"^### ((?:DELTA|DIFFERENT)_\w+)$", page, re.MULTILINE)
    table = re.findall(
        r"`((?:DELTA|DIFFERENT)_\w+)`", (ROOT / "docs/internals/coverage.md").read_text()
    )
    python = {one.condition for one in DeltaSourceError.__subclasses__()}
    assert len(named) > 15
    assert set(named) - set(table) - python == set()
    assert python - {page.stem for page in PAGES} <= set(named)


def test_a_message_names_the_page() -> None:
    """An error of ours ends with the name of its page, on a line of its own after several lines."""
    error = JarError("it is missing")
    page = "(see `deltasource explain-error DELTASOURCE_JAR`)"
    assert str(error) == f"[DELTASOURCE_JAR] it is missing {page}"
    assert str(JarError("a\nb")).endswith(f"a\nb\n{page}")
    page = "(see `deltasource explain-error DELTA_TABLE_NOT_FOUND`)"
    assert str(TableError("no table")) == f"[DELTA_TABLE_NOT_FOUND] no table {page}"
