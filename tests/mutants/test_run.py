# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The runner reads patches strictly, and only a failing test counts as a catch."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from mutants import patches, tree
from mutants.patches import Mutant, PatchError, PyTest, ScalaTest
from mutants.run import only, part, report
from mutants.runner import Case, Outcome, Result, cases, covers, result_of

DIFF = """diff --git a/code.txt b/code.txt
--- a/code.txt
+++ b/code.txt
@@ -1 +1 @@
-right
+wrong
"""
HEADER = """Id: S1a
Row: S1
Fault: right is wrong
Tests: a.b.Suite -- -z "part of a name"
Tests: pytest tests/test_x.py::test_y

"""
SCALA = ScalaTest("a.b.Suite", "part of a name")
PYTHON = PyTest("tests/test_x.py::test_y")


def _patch(folder: Path, text: str = HEADER + DIFF, name: str = "S1/S1a.patch") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _mutant(folder: Path) -> Mutant:
    return patches.parse(_patch(folder))


def test_a_patch_is_read(tmp_path: Path) -> None:
    """The header gives the row, the fault and the tests of both languages, in their order."""
    mutant = _mutant(tmp_path)
    assert (mutant.id, mutant.row, mutant.fault) == ("S1a", "S1", "right is wrong")
    assert mutant.tests == (SCALA, PYTHON)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER.replace("Row: S1\n", "") + DIFF, "no line Row:"),
        (HEADER.replace("Row: S1\n", "Row: S1\nRow: S2\n") + DIFF, "two lines Row:"),
        (HEADER.replace("Fault:", "Flaw:") + DIFF, "unknown line 'Flaw'"),
        (HEADER.replace(" -- -z", "") + DIFF, "Tests: is neither"),
        (HEADER.replace("S1a", "S1b") + DIFF, "must be S1/S1b.patch"),
        (HEADER.replace("S1a", "S2a") + DIFF, "Id S2a must be its row S1 and a letter"),
        (HEADER, "no line starts with 'diff --git'"),
    ],
)
def test_a_broken_header_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """Each mistake is reported with the name of the file."""
    _patch(tmp_path, text)
    with pytest.raises(PatchError, match=r"S1a\.patch") as refused:
        patches.load(tmp_path)
    assert message in str(refused.value)


@pytest.mark.parametrize("name", ["S1a.patch", "S2/S1a.patch", "more/S1/S1a.patch"])
def test_a_patch_in_another_folder_is_refused(tmp_path: Path, name: str) -> None:
    """A patch is in the folder of its row."""
    path = _patch(tmp_path, name=name)
    with pytest.raises(PatchError, match=f"^{name}: must be S1/S1a.patch"):
        patches.load(tmp_path)
    path.unlink()
    _patch(tmp_path)
    assert [mutant.id for mutant in patches.load(tmp_path)] == ["S1a"]


def test_a_patch_that_does_not_apply_is_told(tmp_path: Path) -> None:
    """Code that moved on under a patch fails the check."""
    mutant = _mutant(tmp_path)
    (tmp_path / "code.txt").write_text("right\n")
    assert patches.refused([mutant], tmp_path) == []
    (tmp_path / "code.txt").write_text("rewritten\n")
    assert "code.txt" in patches.refused([mutant], tmp_path)[0]


def test_every_row_needs_a_patch_and_every_patch_a_row(tmp_path: Path) -> None:
    """A row without a mutant is as wrong as a patch for a row that does not exist."""
    mutant = _mutant(tmp_path)
    assert patches.uncovered([mutant], ["S1"]) == []
    assert patches.uncovered([mutant], ["S1", "S2"]) == ["no patch for row S2"]
    assert patches.uncovered([mutant], []) == ["S1a.patch: unknown row S1"]
    assert patches.uncovered([replace(mutant, row="M7")], []) == []
    assert patches.uncovered([replace(mutant, row="M7a")], []) == ["S1a.patch: unknown row M7a"]


def test_the_rows_are_those_of_the_contract() -> None:
    """D1 to D11 and S1 to S15, each once, then only rows of docs/internals/behaviour.md."""
    contract = [f"D{n}" for n in range(1, 12)] + [f"S{n}" for n in range(1, 16)]
    rows = patches.rows()
    behaviour = (patches.FOLDER.parents[1] / "docs" / "internals" / "behaviour.md").read_text()
    assert rows[: len(contract)] == contract
    assert [row for row in rows if f"\n| {row} |" not in behaviour] == []
    assert len(rows) == len(set(rows))


def test_the_copy_follows_the_tree_and_only_the_copy_is_changed(tmp_path: Path) -> None:
    """A deleted file is deleted from the copy, and an applied fault is reverted."""
    root, copied = tmp_path / "root", tmp_path / "root" / "target" / "mutants"
    root.mkdir()
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    (root / ".gitignore").write_text("target/\n")
    (root / "code.txt").write_text("right\n")
    (root / "gone.txt").write_text("")
    tree.copy(root, copied)
    (root / "gone.txt").unlink()
    there = tree.copy(root, copied)
    assert sorted(path.name for path in copied.iterdir()) == [".gitignore", "code.txt"]
    with there.planted(_mutant(tmp_path)):
        assert (copied / "code.txt").read_text() == "wrong\n"
        assert (root / "code.txt").read_text() == "right\n"
    assert (copied / "code.txt").read_text() == "right\n"


@pytest.mark.parametrize(
    ("ran", "outcome"),
    [
        ([Case("a.b.Suite", "a part of a name", failed=True)], Outcome.CAUGHT),
        ([Case("a.b.Suite", "a part of a name", failed=False)], Outcome.SURVIVED),
        ([Case("a.b.Other", "a part of a name", failed=True)], Outcome.NOT_RUN),
        ([], Outcome.NOT_RUN),
    ],
)
def test_only_a_named_test_that_fails_catches(
    tmp_path: Path, ran: list[Case], outcome: Outcome
) -> None:
    """A test that another patch names, or one that did not run, proves nothing."""
    assert result_of(_mutant(tmp_path), ran).outcome is outcome


def test_a_python_node_covers_its_cases() -> None:
    """A node is a file, a function, or one of its parametrized cases."""
    case = Case("tests.test_x", "test_y[1]", failed=False)
    assert all(covers(PyTest(node), case) for node in ("tests/test_x.py", PYTHON.node))
    assert covers(PyTest("tests/test_x.py::test_y[1]"), case)
    assert not covers(PyTest("tests/test_x.py::test_yy"), case)


def test_a_report_is_read_without_what_was_skipped(tmp_path: Path) -> None:
    """A skipped test did not run; a missing report has no tests."""
    file = tmp_path / "r.xml"
    file.write_text(
        '<testsuite><testcase classname="s" name="a"><failure/></testcase>'
        '<testcase classname="s" name="b"/><testcase classname="s" name="c"><skipped/></testcase>'
        "</testsuite>"
    )
    assert cases(file) == [Case("s", "a", failed=True), Case("s", "b", failed=False)]
    assert cases(tmp_path / "gone.xml") == []


@pytest.mark.parametrize("outcome", Outcome)
def test_anything_but_a_catch_fails_the_run(tmp_path: Path, outcome: Outcome) -> None:
    """A fault that does not compile, hangs or is not tested was not caught."""
    result = Result(_mutant(tmp_path), outcome)
    assert report([result], Console(quiet=True)) == (0 if outcome is Outcome.CAUGHT else 1)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_parts_hold_every_mutant_once(tmp_path: Path, count: int) -> None:
    """This also holds with fewer mutants than parts."""
    mutants = [replace(_mutant(tmp_path), id=f"S{number}a") for number in range(5)]
    parts = [part(mutants, number + 1, count) for number in range(count)]
    assert [mutant for one in parts for mutant in one] == mutants
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_the_mutants_to_run_are_named_by_id_or_row(tmp_path: Path) -> None:
    """--only takes ids and rows; without it, all mutants run."""
    mutants = [
        replace(_mutant(tmp_path), id=one, row=one[:2]) for one in ("S1a", "S1b", "S2a", "S2b")
    ]
    assert [one.id for one in only(mutants, ["S1", "S2a"])] == ["S1a", "S1b", "S2a"]
    assert [one.id for one in only(mutants, ["S1b"])] == ["S1b"]
    assert only(mutants, []) == mutants
