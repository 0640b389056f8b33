# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The demo fails when a row is missing or double."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from demo.compare import Day, differences

FIRST, SECOND = date(2013, 1, 1), date(2013, 1, 2)
ROOT = Path(__file__).parents[1]


def day(rows: int, checksum: int) -> Day:
    """Make what a day holds."""
    return Day(rows, Decimal(checksum))


def test_equal_days_do_not_differ() -> None:
    """The same days with the same rows are no difference."""
    assert differences({FIRST: day(2, 7)}, {FIRST: day(2, 7)}) == []


def test_a_difference_says_what_is_wrong() -> None:
    """Too few rows, too many, other rows and whole days are each told with their date."""
    expected = {FIRST: day(2, 7), SECOND: day(3, 8)}
    found = differences(expected, {FIRST: day(2, 6)})
    assert [str(one) for one in found] == [
        "2013-01-01: 2 rows, but not the same",
        "2013-01-02: 3 rows missing",
    ]
    assert str(differences({}, {FIRST: day(1, 1)})[0]) == "2013-01-01: 1 rows too many"


@pytest.mark.parametrize("broken", [False, True])
def test_the_demo_fails_with_one_row_removed(broken: bool, tmp_path: Path) -> None:
    """Five days pass; with one row taken from the copy the demo ends with 1 and names the day."""
    out = tmp_path / "a demo"
    command = [sys.executable, "-m", "demo", "--days", "5", "--max-files", "2", "--out", str(out)]
    run = subprocess.run(
        [*command, *(["--break"] if broken else [])], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == int(broken), run.stdout + run.stderr
    assert ("1 rows missing" if broken else "every row once") in run.stdout
    assert (out / "flights.png").stat().st_size > 10_000
