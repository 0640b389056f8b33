# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the explanation and the reference repeat from other pages is the same there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]


def read(name: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "least"), [("applying-changes", 2), ("performance", 6)])
def test_the_shown_times_are_those_of_the_benchmark(name: str, least: int) -> None:
    """Each row of times is the beginning of a row in bench/README.md."""
    page = read(f"docs/explanation/{name}.md").split("<!-- rows of bench/README.md -->")[1]
    rows = re.findall(r"^\| `.+ \|$", page.split("\n## ")[0], re.MULTILINE)
    results = read("bench/README.md")
    assert len(rows) >= least
    assert [row for row in rows if f"\n{row}" not in results] == []


def test_every_extra_is_listed() -> None:
    """The page lists the extras of the package, and not those of its developers."""
    project = read("python/pyproject.toml").split("[project.optional-dependencies]\n")[1]
    extras = re.findall(r"^(\w+) = \[", project.split("\n[")[0], re.MULTILINE)
    page = read("docs/reference/installation.md")
    listed = re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
    names = {name for cell in listed for name in re.findall(r"`(\w+)`", cell)}
    assert names == set(extras) - {"dev", "docs"}
