# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The demo fails if a row is missing or duplicated, and its chart has every batch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import pytest
from demo.__main__ import main
from demo.compare import Day, differences, miscounts
from demo.flights import NAME, count
from demo.follow import Batch, end
from pyspark.sql.streaming.query import StreamingQuery

from support import progress_samples
from support.progress_samples import source

FIRST, SECOND = date(2013, 1, 1), date(2013, 1, 2)
ROOT = Path(__file__).parents[2]


def day(rows: int, checksum: int) -> Day:
    """Make the rows of a day."""
    return Day(rows, Decimal(checksum))


def test_equal_days_do_not_differ() -> None:
    """The same days with the same rows are no difference."""
    assert differences({FIRST: day(2, 7)}, {FIRST: day(2, 7)}) == []


def test_a_difference_says_what_is_wrong() -> None:
    """Missing rows, extra rows, other rows and missing days are each reported with their date."""
    expected = {FIRST: day(2, 7), SECOND: day(3, 8)}
    found = differences(expected, {FIRST: day(2, 6)})
    assert [str(one) for one in found] == [
        "2013-01-01: 2 rows, but some differ",
        "2013-01-02: 3 rows missing",
    ]
    assert str(differences({}, {FIRST: day(1, 1)})[0]) == "2013-01-01: 1 rows too many"


def test_a_miscount_says_both_numbers() -> None:
    """Days whose row counts differ are reported in order, with both counts."""
    assert miscounts({FIRST: 2}, {FIRST: day(2, 7)}) == []
    wrong = miscounts({SECOND: 3}, {SECOND: day(2, 7), FIRST: day(1, 7)})
    assert [str(one) for one in wrong] == [
        "2013-01-01: 0 rows in the data file, 1 in the copy",
        "2013-01-02: 3 rows in the data file, 2 in the copy",
    ]


def test_the_first_days_are_counted_from_the_data_file(tmp_path: Path) -> None:
    """Days are calendar days, in any order of the file."""
    rows = ("2013,10,1,7", "2013,1,2,7", "2013,1,1,NA", "2013,1,2,7")
    with zipfile.ZipFile(tmp_path / "flights.zip", "w") as archive:
        archive.writestr(NAME, "\n".join(("year,month,day,dep_time", *rows, "")))
    counted = count(tmp_path / "flights.zip", 2)
    assert list(counted.items()) == [(FIRST, 1), (SECOND, 2)]


def progress(rows: int, *, snapshot: bool) -> dict[str, Any]:
    """Make Spark's progress of a batch; Spark 4.0 and 4.1 give an offset that is not JSON."""
    metrics = {"initialSnapshotPercent": "40.0"} if snapshot else {}
    offset = {"endOffset": "DeltaSourceOffset(1)"}
    took = {"latestOffset": 5, "getBatch": 2, "addBatch": 100}
    return progress_samples.progress(source(rows, **metrics) | offset, durationMs=took)


class Finishing:
    """A fake query that finishes a batch while it is being stopped."""

    def __init__(self) -> None:
        self.recentProgress = [progress(8, snapshot=True), progress(0, snapshot=False)]

    def stop(self) -> None:
        self.recentProgress.append(progress(9, snapshot=False))

    def awaitTermination(self) -> None:  # noqa: N802 - Spark's name
        pass


def test_no_batch_is_lost_while_stopping() -> None:
    """A batch that finishes while the stream is stopped counts, and one without rows does not."""
    assert end(cast(StreamingQuery, Finishing())) == [Batch(8, 7, True), Batch(9, 7, False)]


@pytest.mark.parametrize("broken", [False, True])
def test_the_demo_fails_with_a_row_lost(broken: bool, tmp_path: Path) -> None:
    """A few days pass; a row lost from the copy or by Spark's read is reported with its day."""
    # Relative, like the demo's default.
    out = os.path.relpath(tmp_path / "a demo", ROOT)
    command = [
        sys.executable,
        "-m",
        "demo",
        "--days",
        "4",
        "--commit-days",
        "1",
        "--max-files",
        "1",
        "--out",
        out,
    ]
    lose = ["--break", "input", "copy"] if broken else []
    run = subprocess.run([*command, *lose], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == int(broken), run.stdout + run.stderr
    lost = r"2013-01-0\d: 1 rows missing", r"2013-01-01: 842 rows in the data file, 84[01] in"
    for message in lost if broken else ("every row once",):
        assert re.search(message, run.stdout), run.stdout
    assert (tmp_path / "a demo" / "flights.png").stat().st_size > 10_000


def test_too_few_days_are_refused() -> None:
    """Fewer days than the snapshot and the stream need are refused before anything starts."""
    with pytest.raises(SystemExit) as ended:
        main(["--days", "2"])
    assert ended.value.code == 2
