# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands of docs/reference/watch-and-report.md, and the pictures of monitoring."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from deltasource.__main__ import main
from deltasource._views.connect_queries import ADDRESS_ALLOWED, is_address
from support.pages import blocks, words
from support.report_samples import stream, written
from support.view_samples import SEVERAL


@pytest.fixture
def page(root: Path) -> str:
    """Return the text of the page."""
    return (root / "docs/reference/watch-and-report.md").read_text(encoding="utf-8")


def test_its_commands_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line of a bash block runs on a file of events, or on a stream."""
    stream(tmp_path)
    written(tmp_path / "events.jsonl", *SEVERAL)
    monkeypatch.chdir(tmp_path)
    lines = [line for one in blocks(page) if one.language == "bash" for line in words(one.text)]
    assert lines
    for line in lines:
        assert shlex.split(line)[:3] == ["python", "-m", "deltasource"]
        assert main(shlex.split(line)[3:]) == 0
        shown = "report.html" if "report" in line else "payments"
        assert shown in capsys.readouterr().out
    assert "restarted" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_its_address_has_the_ids_of_a_session(page: str) -> None:
    """The address of the page is in the form that the error asks for."""
    (address,) = re.findall(r'^address = "(.+)"$', page, re.MULTILINE)
    assert is_address(address)
    assert all(f"{name}=" in address for name in ("session_id", "user_id"))
    assert "session_id=...;user_id=..." in ADDRESS_ALLOWED


def test_its_pictures_exist_and_are_small(page: str, root: Path) -> None:
    """Each picture is below 150 kB, and loads nothing."""
    page += (root / "docs/reference/monitoring.md").read_text(encoding="utf-8")
    pictures = [root / "docs/reference" / name for name in re.findall(r"!\[.+\]\((.+)\)", page)]
    assert [one.name for one in pictures] == ["watch.svg", "report.png", "notebook.png"]
    assert all(one.stat().st_size < 150_000 for one in pictures)
    assert "url(" not in pictures[0].read_text(encoding="utf-8").replace("url(#", "")
