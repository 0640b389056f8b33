# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the runner of pages reports, with a process that answers what the test says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import page_runner
from support.page_runner import PageRunner

Run = Callable[[str], tuple[str, list[str]]]


class FakeProcess:
    """Answers the calls of a runner: Python prints its text, a shell its first word."""

    log = "pages.log"

    def __init__(self) -> None:
        self.calls: list[str] = []

    def call(self, name: str, **given: Any) -> Any:
        """Note the call, and answer it."""
        self.calls.append(name)
        text = str(given.get("text", ""))
        if name == "python":
            error = "ValueError: bad" if "raise" in text else None
            return {"printed": text, "error": error}
        return {"printed": text.split()[0] + "\n" if text else "", "exit_code": "fail" in text}

    def close(self) -> None:
        """Note the end."""
        self.calls.append("close")


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> FakeProcess:
    """Return the process of all runners."""
    fake = FakeProcess()

    def start(_: PageRunner) -> FakeProcess:
        return fake

    monkeypatch.setattr(PageRunner, "_start", start)
    return fake


@pytest.fixture
def run(process: FakeProcess, tmp_path: Path) -> Run:
    """Return a function that runs a page, given as text."""
    assert process.calls == []

    def run(text: str) -> tuple[str, list[str]]:
        page = tmp_path / "page.md"
        page.write_text(text)
        return PageRunner(tmp_path / "work").run(page)

    return run


def fenced(language: str, text: str, mark: str = "") -> str:
    """Return a block of a page."""
    return (f"<!-- {mark} -->\n" if mark else "") + f"```{language}\n{text}\n```\n\n"


def test_a_right_page_stays_as_it_is(run: Run) -> None:
    """Outputs that match are not changed, and nothing is wrong."""
    page = fenced("python", "print") + fenced("text", "pr...t") + fenced("bash", "ls -l")
    assert run(page + fenced("text", "ls")) == (page + fenced("text", "ls"), [])


def test_a_wrong_output_is_reported_and_replaced(run: Run) -> None:
    """The page is returned with what was printed; the blocks after it run as well."""
    page = fenced("bash", "one") + fenced("text", "1") + fenced("bash", "two") + fenced("text", "2")
    updated, wrong = run(page)
    assert updated == page.replace("\n1\n", "\none\n").replace("\n2\n", "\ntwo\n")
    assert [text.split(" printed")[0] for text in wrong] == ["page.md:1", "page.md:9"]


def test_a_page_ends_at_a_block_that_fails(run: Run, process: FakeProcess) -> None:
    """Blocks after it would fail because of it; the page is cleaned up."""
    _, [wrong] = run(fenced("python", "raise") + fenced("bash", "ls"))
    assert wrong.startswith("page.md:1: ValueError: bad")
    assert process.calls == ["open", "python", "end"]


@pytest.mark.parametrize(
    ("text", "mark", "wrong"),
    [
        ("raise", "raises: ValueError", False),
        ("raise", "raises: KeyError", True),
        ("print", "raises: ValueError", True),
    ],
)
def test_a_block_must_raise_what_it_says(text: str, mark: str, wrong: bool, run: Run) -> None:
    """The exception ends the output; another one, or none, is wrong."""
    page = fenced("python", text, mark) + fenced("text", f"{text}\nValueError: bad")
    assert bool(run(page)[1]) is wrong


@pytest.mark.parametrize(
    ("text", "mark", "wrong"),
    [("fail", "exits: 1", False), ("fail", "", True), ("ls", "exits: 1", True)],
)
def test_a_shell_must_exit_as_it_says(text: str, mark: str, wrong: bool, run: Run) -> None:
    """Without a mark, the exit code is 0."""
    assert bool(run(fenced("bash", text, mark))[1]) is wrong


def test_files_are_written_and_other_blocks_left_out(
    run: Run, process: FakeProcess, tmp_path: Path
) -> None:
    """A block can be a file of the page's folder; one that is not run is not sent."""
    page = fenced("yaml", "a: 1", "file: conf/a.yaml") + fenced("bash", "rm", "not run: harmful")
    assert run(page)[1] == []
    [file] = tmp_path.rglob("conf/a.yaml")
    assert file.read_text() == "a: 1\n"
    assert process.calls == ["open", "end"]


def test_a_page_can_have_a_process_of_its_own(run: Run, process: FakeProcess) -> None:
    """The process ends after the page."""
    run("<!-- own process: it stops Spark -->\n")
    assert process.calls == ["open", "end", "close"]


def test_a_page_can_continue_another(process: FakeProcess, tmp_path: Path) -> None:
    """The page before it is run first, unless it was the last one; both have one folder."""
    for name, text in (("1.md", fenced("bash", "a")), ("2.md", "<!-- continues: 1.md -->\n")):
        (tmp_path / name).write_text(text + fenced("bash", "b"))
    runner = PageRunner(tmp_path / "work")
    runner.run(tmp_path / "2.md")
    assert process.calls == ["open", "bash", "bash", "end", "bash", "end"]
    process.calls.clear()
    runner.run(tmp_path / "1.md")
    runner.run(tmp_path / "2.md")
    assert process.calls == ["open", "bash", "bash", "end", "bash", "end"]
    assert page_runner.RUN.keys() == {"python", "bash"}
