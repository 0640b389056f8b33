# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The last line of a CI run is right about both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.build import ROOT
from support.summary import main

PASSED = '<testcase classname="c" name="p"/>'
FAILED = '<testcase classname="c" name="f"><failure message="no"/></testcase>'
BROKEN = '<testcase classname="c" name="b"><error message="no"/></testcase>'
SKIPPED = '<testcase classname="c" name="s"><skipped message="no such disk"/></testcase>'
IGNORED = '<testcase classname="c" name="s (skipped: no such disk)"><skipped/></testcase>'
SILENT = '<testcase classname="c" name="s"><skipped/></testcase>'


def _report(path: Path, *cases: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")
    return str(path)


def test_reports_of_both_languages_are_added_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of reports and a single report are added up in the last line."""
    _report(tmp_path / "scala" / "a.xml", PASSED, PASSED)
    _report(tmp_path / "scala" / "b.xml", PASSED)
    assert main([str(tmp_path / "scala"), _report(tmp_path / "py.xml", PASSED, SKIPPED)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "4 passed, 0 failed, 1 skipped"


@pytest.mark.parametrize("bad", [FAILED, BROKEN])
def test_one_bad_test_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bad: str
) -> None:
    """A failure and an error both count as failed, whatever else passed."""
    assert main([_report(tmp_path / "r.xml", PASSED, bad)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 failed, 0 skipped"


@pytest.mark.parametrize("skip", [SKIPPED, IGNORED])
def test_the_reason_of_a_skip_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], skip: str
) -> None:
    """The reason comes from pytest's message or from the name of a Scala test."""
    assert main([_report(tmp_path / "r.xml", PASSED, skip)]) == 0
    assert capsys.readouterr().out.splitlines()[-2].endswith(": no such disk")


def test_a_skip_without_a_reason_fails_the_run(tmp_path: Path) -> None:
    """Every skip must give a reason."""
    assert main([_report(tmp_path / "r.xml", PASSED, SILENT)]) == 1


def test_no_scala_test_cancels_itself() -> None:
    """sbt reports tests stopped by `cancel` or `assume` as passed, so `ignore` must be used."""
    suites = list((ROOT / "jvm").glob("**/src/test/**/*.scala"))
    assert suites
    left_out = re.compile(r"\b(cancel|assume)\(")
    assert [suite.name for suite in suites if left_out.search(suite.read_text())] == []


def test_a_missing_or_empty_report_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that did not run are not tests that passed."""
    there, empty = _report(tmp_path / "r.xml", PASSED), _report(tmp_path / "e.xml")
    gone = str(tmp_path / "gone.xml")
    assert main([there, empty]) == 1
    assert main([there, gone]) == 1
    assert f"no tests in {gone}" in capsys.readouterr().out
