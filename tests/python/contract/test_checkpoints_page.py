# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The output shown in docs/reference/checkpoints.md is what the commands and the package print."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path

import pytest

from deltasource import _errors as errors
from deltasource.__main__ import main
from support.checkpoint_samples import TABLE, checkpoint, offset, put, table, tracked

M = 1_000_000
SIZES = ([5], [4], [3], [2], [1], [1], [50 * M, 30 * M, 16_400_000], [M], [900_000, 900_004])


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """Return the text of the page."""
    return (root / "docs/reference/checkpoints.md").read_text(encoding="utf-8")


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the page's checkpoint and table in the working folder."""
    batches = (offset(4, 999, snapshot=True), offset(5), offset(7))
    folder = checkpoint(tmp_path / "checkpoint", *batches, done=[0, 1])
    table(tmp_path / "orders", *SIZES)
    times = {"commitInfo": {"inCommitTimestamp": int((time.time() - 5400) * 1000)}}
    with (tmp_path / "orders/_delta_log" / f"{5:020}.json").open("a") as commit:
        commit.write(json.dumps(times))
    log = folder / "schemas" / f"_schema_log_{TABLE}"
    put(log, "0", tracked(4, amount="integer"))
    put(log, "1", tracked(6, amount="long", note="string"))
    monkeypatch.chdir(tmp_path)


def shown(page: str, language: str) -> list[tuple[str, str]]:
    """Return the blocks of a language, each with the text shown below it."""
    found = re.findall(rf"```{language}\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert found
    return found


@pytest.mark.usefixtures("sample")
def test_commands_print_what_is_shown(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command of the page prints the text below it, except for elapsed times."""
    for line, text in shown(page, "bash"):
        words = shlex.split(line)
        assert words[:3] == ["python", "-m", "deltasource"]
        assert main(words[3:]) == 0
        printed = re.sub(r"540\d\.\d", "5400.0", capsys.readouterr().out)
        assert printed == text


@pytest.mark.usefixtures("sample")
def test_the_code_prints_what_is_shown(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The Python block runs unchanged and prints the text below it."""
    for code, text in shown(page, "python"):
        exec(code, {})
        assert capsys.readouterr().out == text


def test_the_conditions_are_those_of_the_code(page: str) -> None:
    """Every condition of the page's table is one that this package raises."""
    classes = (one for one in vars(errors).values() if isinstance(one, type))
    conditions = {one.condition for one in classes if issubclass(one, errors.DeltaSourceError)}
    listed = re.findall(r"^\| `(DELTA\w+)`", page, re.MULTILINE)
    assert listed
    assert set(listed) <= conditions
