# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command that prints the page of an error condition."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from deltasource import DeltaSourceError
from deltasource.__main__ import main
from deltasource._cli.explain_error import NO_PAGE


def explained(condition: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the page that the command prints."""
    assert main(["explain-error", condition]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "given",
    [
        "DELTASOURCE_JAR",
        "[DELTASOURCE_JAR]",
        "errors/DELTASOURCE_JAR",
        "jar",
        "[STREAM_FAILED] Query [id = 1] failed: [DELTASOURCE_JAR] it is missing",
    ],
)
def test_a_condition_is_explained(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The condition may be copied from a message in any form; comments of the page are left out."""
    page = explained(given, capsys)
    assert page.startswith("# DELTASOURCE_JAR\n\nThe jar of this package is missing")
    assert "## What to do\n" in page
    assert "<!--" not in page


def test_a_condition_of_delta_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Its section ends where the next begins, and links are only their text."""
    page = explained("DELTA_SOURCE_IGNORE_DELETE", capsys)
    assert page.startswith("# DELTA_SOURCE_IGNORE_DELETE\n\nA commit removed rows")
    assert "TABLE_IGNORE_CHANGES" not in page
    link = "`apply_changes` (docs: how-to/read-deletes, a-target-that-follows-updates-and-deletes)"
    assert f"| {link} of the change feed" in page


def test_every_condition_on_the_page_of_delta_is_explained(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of headings with several, of headings in words, and of the table at the end, too."""
    page = (root / "docs" / "reference" / "errors" / "delta.md").read_text(encoding="utf-8")
    headings = re.findall(r"^### (.+)$", page, re.MULTILINE)
    table = page.partition("## Other Delta conditions")[2]
    names = {one for text in (*headings, table) for one in re.findall(r"[A-Z]+_[A-Z_.]+", text)}
    assert len(names) > 35
    for name in names | {"DELTA_METADATA_MISMATCH"}:
        assert explained(name, capsys).startswith(f"# {name}\n")


@pytest.mark.parametrize(
    ("given", "page"),
    [
        ("CONCURRENT_QUERY", "CONCURRENT_STREAM_LOG_UPDATE"),
        ("DELTA_CONCURRENT_WRITE", "DELTA_CONCURRENT_APPEND"),
        ("FAILED_READ_FILE", "FAILED_READ_FILE.FILE_NOT_EXIST"),
    ],
)
def test_a_condition_without_a_page_has_that_of_another(
    given: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page that mentions it, or that of one of its kinds."""
    assert explained(given, capsys).startswith(f"# {page}\n")


def test_without_a_condition_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """One in each line, with what happened, so that `grep` finds them."""
    assert main(["explain-error"]) == 0
    listed = capsys.readouterr().out.splitlines()
    jar = "DELTASOURCE_JAR: The jar of this package is missing, or Spark cannot use its path"
    assert {jar, "DELTA_SCHEMA_NOT_SET: the table has no columns, or does not exist"} < {
        one.partition(": write")[0] for one in listed
    }
    assert listed == sorted(listed)
    assert all(one.partition(": ")[2] for one in listed)


def test_the_condition_of_every_error_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """Each class of the package has a page, except for the base class, which is never raised."""
    for error in DeltaSourceError.__subclasses__():
        assert error.condition in explained(error.condition, capsys)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("other_targe", "did you mean DELTASOURCE_OTHER_TARGET?"),
        ("DELTA_SOURCE_IGNORE_DELETES", "did you mean DELTA_SOURCE_IGNORE_DELETE?"),
        ("x", NO_PAGE),
        # What resembles nothing much gets no suggestion.
        ("INVALID_CONF_VALUE", NO_PAGE),
    ],
)
def test_an_unknown_condition_is_refused(
    given: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error has the nearest condition."""
    with pytest.raises(SystemExit) as ended:
        main(["explain-error", given])
    assert ended.value.code == 2
    assert f"there is no page for {given}: {hint}\n" in capsys.readouterr().err


def test_the_condition_of_any_failure_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """It is the first in the message of a query, and says nothing."""
    with pytest.raises(SystemExit):
        main(["explain-error", "STREAM_FAILED"])
    assert "give the next condition in its message\n" in capsys.readouterr().err


def test_a_page_is_drawn_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rich, its Markdown is drawn."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    page = explained("jar", capsys)
    assert "## What to do" not in page
    assert "What to do" in page
