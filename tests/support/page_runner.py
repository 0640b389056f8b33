# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs every block of a page, in order, and compares what it prints with what the page shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import Final

from support.json_process import JsonProcess
from support.pages import Block, blocks, outputs, same_output, with_outputs

OWN_PROCESS: Final = "<!-- own process: "
"""At the start of a line of a page: it runs in a new process, as it needs a session of its own."""

CONTINUES: Final = re.compile(r"^<!-- continues: (\S+) -->$", re.MULTILINE)
"""A line of a page: it goes on in the folder of this page, with its variables."""

PATIENCE: Final = 280.0


class PageRunner:
    """Runs pages in one process, which starts with the first page."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: JsonProcess | None = None
        self._latest: tuple[Path, Path] | None = None
        """The page that was run last, and its folder."""

    def run(self, page: Path) -> tuple[str, list[str]]:
        """Run a page.

        Returns:
            The page with the outputs that its blocks printed, and what is wrong: blocks that
            failed, and outputs that the page shows otherwise.
        """
        text = page.read_text(encoding="utf-8")
        own = OWN_PROCESS in text
        if own:
            self.close()
        process = self._process = self._process or self._start()
        continued = CONTINUES.search(text)
        folder = self._continued(page.with_name(continued[1])) if continued else self._new(page)
        self._latest = page, folder
        try:
            return _run(process, folder, page.name, text)
        finally:
            process.call("end")
            if own:
                self.close()

    def close(self) -> None:
        """End the process; may be called twice."""
        if self._process is not None:
            self._process.close()
            self._process = self._latest = None

    def _new(self, page: Path) -> Path:
        """Begin a page in an empty folder."""
        folder = self._folder / page.parent.name / page.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        assert self._process is not None
        self._process.call("open", folder=str(folder))
        return folder

    def _continued(self, page: Path) -> Path:
        """Return the folder of a page, which is run now if it was not the last one."""
        if self._latest is None or self._latest[0] != page:
            self.run(page)
        assert self._latest is not None
        return self._latest[1]

    def _start(self) -> JsonProcess:
        process = JsonProcess("pages", ["support.page_process"], self._folder, patience=PATIENCE)
        process.ready()
        return process


def is_run(block: Block) -> bool:
    """Return whether the runner runs a block, or writes it to a file."""
    return block.mark == "file" or (block.mark != "not run" and block.language in RUN)


def _run(process: JsonProcess, folder: Path, name: str, text: str) -> tuple[str, list[str]]:
    page = blocks(text)
    shown = outputs(page)
    wrong: list[str] = []
    changed: dict[int, str] = {}
    for block in page:
        place = f"{name}:{block.line}"
        if block.mark == "file":
            file = folder / block.value
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
        elif block.mark != "not run" and block.language in RUN:
            printed, failed = RUN[block.language](process, block)
            if failed:
                # The blocks after it would only fail because of it.
                return with_outputs(text, changed), [*wrong, f"{place}: {failed}"]
            output = shown.get(block.line)
            if output is not None and not same_output(output.text, printed):
                wrong.append(f"{place} printed:\n{printed}\ninstead of:\n{output.text}")
                changed[output.line] = printed
    return with_outputs(text, changed), wrong


def _python(process: JsonProcess, block: Block) -> tuple[str, str]:
    """Run a block; return what it printed, and how it failed, or nothing."""
    answer = process.call("python", text=block.text, place=f"line {block.line}")
    printed, error = answer["printed"], answer["error"] or ""
    if block.mark != "raises":
        return printed, f"{error}\nthe log is {process.log}" if error else ""
    if error.partition(":")[0] != block.value:
        return printed, f"raised {error or 'nothing'}, not {block.value}"
    return f"{printed}{error}\n", ""


def _bash(process: JsonProcess, block: Block) -> tuple[str, str]:
    answer = process.call("bash", text=block.text)
    expected = int(block.value) if block.mark == "exits" else 0
    failed = answer["exit_code"] != expected
    return answer["printed"], (
        f"exit code {answer['exit_code']}, not {expected}; the log is {process.log}"
        if failed
        else ""
    )


RUN: Final[dict[str, Callable[[JsonProcess, Block], tuple[str, str]]]] = {
    "python": _python,
    "bash": _bash,
}


def unmarked(page: Sequence[Block], run: Container[str] = RUN) -> list[Block]:
    """Return the blocks of a page that nothing runs and that give no reason for it.

    `run` are the languages whose blocks are run.
    """
    shown = {output.line for output in outputs(page).values()}
    return [
        block
        for block in page
        if block.language not in run and block.line not in shown and not block.mark
    ]
