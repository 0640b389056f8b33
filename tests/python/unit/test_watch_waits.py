# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `watch` for a file that no query has written yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from deltasource import json_lines
from deltasource.__main__ import main
from support.view_samples import started


def interrupt() -> None:
    """Press Ctrl-C."""
    raise KeyboardInterrupt


def watched(monkeypatch: pytest.MonkeyPatch, file: Path, *steps: Callable[[], None]) -> int:
    """Watch a file in a terminal; each second takes a step."""
    left = list(steps)

    def sleep(_: float) -> None:
        left.pop(0)()

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    # Not the function of the module `time`: threads of Py4J call that one, too.
    monkeypatch.setattr("deltasource._cli.watch.time", SimpleNamespace(sleep=sleep))
    monkeypatch.setenv("COLUMNS", "500")
    code = main(["watch", str(file)])
    assert left == []
    return code


def test_a_file_that_does_not_exist_yet_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The screen says who writes it; once it is there, its queries are shown."""
    file = tmp_path / "[red]events.jsonl"

    def write() -> None:
        json_lines(file)(started("new"))

    assert watched(monkeypatch, file, lambda: None, write, interrupt) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first == (
        f"waiting for {file}; a query writes it when it is monitored with "
        f"monitor(spark, json_lines({str(file)!r}))"
    )
    assert any("new" in line and "batch" in line for line in rest), rest


def test_ctrl_c_ends_the_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command has not failed, and prints no traceback."""
    assert watched(monkeypatch, tmp_path / "never", interrupt) == 0
    shown = capsys.readouterr()
    assert (shown.out.startswith("waiting for "), shown.err) == (True, "")


@pytest.mark.parametrize("mode", [["--once"], ["--format", "json"], []])
def test_a_snapshot_needs_the_file(
    mode: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program does not wait for ever; the error says what to do."""
    file = tmp_path / "never"
    assert main(["watch", str(file), *mode]) == 3
    shown = capsys.readouterr()
    assert (shown.out, shown.err.startswith(f"{file} does not exist. ")) == ("", True)
    assert "watch in a terminal, which waits; a query writes it" in shown.err
    assert f"json_lines({str(file)!r}))" in shown.err
