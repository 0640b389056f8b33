# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The table of what is shown by which test is true."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from docs import commands, confs, features, options, table
from docs.diagrams import DIAGRAMS
from docs.errors import ERRORS
from parity.catalogue import SCRIPTS
from parity.harness.recorded import Recordings

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "internals" / "coverage.md"
FEATURES = ROOT / "docs" / "reference" / "table-features.md"
COMMANDS = ROOT / "docs" / "reference" / "command-line.md"
CONFIGURATION = ROOT / "docs" / "reference" / "configuration.md"
OPTIONS = ROOT / "docs" / "reference" / "options.md"


def names() -> set[str]:
    """Return the names of all Scala tests, as written in the source, and of all parity scripts."""
    scala = "\n".join(file.read_text() for file in (ROOT / "jvm/src/test").rglob("*.scala"))
    called = re.findall(r'\b(?:test|check)\(\s*s?"((?:[^"\\]|\\.)*)"', scala)
    return set(called) | {script.name for script in SCRIPTS}


def test_every_named_test_is_there() -> None:
    """A row names at least one test, and each test it names exists."""
    known = names()
    rows = [row for section in table.SECTIONS.values() for row in section.items()]
    assert [what for what, tests in rows if not tests] == []
    assert [test for _, tests in rows for test in tests if test not in known] == []


def test_the_page_is_what_the_table_renders() -> None:
    """docs/internals/coverage.md is made from the table."""
    if os.environ.get("UPDATE"):
        PAGE.write_text(table.page())
    assert PAGE.read_text() == table.page()


def test_the_page_of_features_is_what_was_recorded() -> None:
    """The page of table features is made from the recordings of the scripts about them."""
    page = features.page(Recordings())
    if os.environ.get("UPDATE"):
        FEATURES.write_text(page)
    assert FEATURES.read_text() == page


def test_the_pages_of_options_are_what_the_jar_carries() -> None:
    """The tables of options and confs are made from the table in the jar; the rest is written."""
    carried = options.read((ROOT / options.SOURCE).read_text())
    pages = {path: options.page(path.read_text(), carried) for path in (OPTIONS, CONFIGURATION)}
    text = "".join(pages.values())
    assert [text.count(f"<!-- options.json: {name} -->") for name in carried.sections] == [1] * 4
    for path, page in pages.items():
        if os.environ.get("UPDATE"):
            path.write_text(page)
        assert path.read_text() == page


def test_the_page_of_commands_is_what_the_parser_accepts() -> None:
    """Each command of docs/reference/command-line.md has its arguments, as the parser has them."""
    page = commands.page(COMMANDS.read_text())
    assert set(re.findall(r"\[`([\w-]+)`\]\(#", page)) == set(
        re.findall(r"^### (\S+)$", page, re.MULTILINE)
    )
    if os.environ.get("UPDATE"):
        COMMANDS.write_text(page)
    assert COMMANDS.read_text() == page


@pytest.mark.parametrize("name", DIAGRAMS)
def test_the_diagrams_are_what_the_code_draws(name: str) -> None:
    """Each diagram of the docs is made from its description, and shown on a page."""
    file = ROOT / "docs" / "pictures" / name
    if os.environ.get("UPDATE"):
        file.write_text(DIAGRAMS[name])
    assert file.read_text() == DIAGRAMS[name]
    pages = (ROOT / "docs").glob("*/*.md")
    assert [page.name for page in pages if f"](../pictures/{name})" in page.read_text()]


def test_every_option_and_condition_has_a_row() -> None:
    """Options of a stream in the jar and conditions of behaviour.md are in the table."""
    shown = " ".join([*table.OPTIONS, *ERRORS])
    carried = options.read((ROOT / options.SOURCE).read_text()).sections
    names = [option.name for option in (*carried["reader"], *carried["functions"])]
    behaviour = (ROOT / "docs/internals/behaviour.md").read_text()
    page = CONFIGURATION.read_text().split("\n## Delta's session confs")[1]
    told = re.findall(r"^\| `([\w.]+)`", page, re.MULTILINE)
    assert [name for name in told if f"`{name}`" not in " ".join(confs.CONFS)] == []
    conditions = set(re.findall(r"`((?:DELTA|DELTASOURCE|DIFFERENT)_[A-Z_]+)`", behaviour))
    # Tested in Python, or raised for batch reads.
    outside = {
        "DELTASOURCE_BATCH_WRITE_FAILED",
        "DELTASOURCE_CHECKPOINT_FAILED",
        "DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED",
        "DELTASOURCE_LOG_READ_FAILED",
        "DELTASOURCE_SHADOWED",
        "DELTA_TIMESTAMP_INVALID",
        "DELTA_INVALID_SOURCE_VERSION",
    }
    assert [name for name in names if f"`{name}`" not in shown] == []
    assert sorted(name for name in conditions - outside if f"`{name}`" not in shown) == []
