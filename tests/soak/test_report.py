# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The report, and what decides whether a soak is good."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from soak import report
from soak.batch_files import BatchFiles
from soak.disturbance import Disturbance, disturbances
from soak.flatness import RULES
from soak.query_end import QueryEnd
from soak.result import Result, wrong_rows
from soak.sample import Sample
from soak.stream import named

SAMPLES = [
    Sample(
        hours=number / 50,
        minutes=1.2,
        life=number // 50,
        uses={rule.name: 100.0 + number % 50 for rule in RULES},
        requests={"GET": 7},
        backlog={"append": number % 3},
    )
    for number in range(100)
]
RESULT = Result(
    seed=1,
    hours=2,
    machine={"cores": 2},
    rounds={Disturbance.KILL_DRIVER.value: 1},
    batches={"append": 41},
    rows={"append": 1234},
    operations={"Append": 50},
    faults={"503 SlowDown": 3},
    ends={"DELTASOURCE_LOG_READ_FAILED": 2},
    findings=["append: 1 rows are lost, such as x"],
    samples=SAMPLES,
)


def test_the_report_has_a_page_the_numbers_and_a_picture(tmp_path: Path) -> None:
    """The page names what ran, each verdict, and what was wrong."""
    report.write(RESULT, tmp_path)
    page = (tmp_path / report.PAGE).read_text()
    for line in (
        "- append: 1 rows are lost, such as x",
        "- heap of driver 1 grows: 118 to 144",
        "| live threads | 2 | 50 | 118.0 | 143.5 | +42.4 | GROWS |",
        "| append | 42 | 1,234 | 2 |",
        "| Append | 50 |",
        "| the driver is killed | 1 |",
        "| GET | 5.8 |",
        "| 503 SlowDown | 3 |",
        "| DELTASOURCE_LOG_READ_FAILED | 2 |",
    ):
        assert line in page
    numbers = json.loads((tmp_path / report.NUMBERS).read_text())
    assert len(numbers["samples"]) == 100
    assert numbers["wrong"][0] == RESULT.findings[0]
    assert "<svg" in (tmp_path / report.PICTURE).read_text()


def test_lost_and_doubled_rows_are_told_apart() -> None:
    """Equal rows count as often as they are there."""
    assert list(wrong_rows("s", {"a": 2, "b": 1}, {"a": 2, "b": 1})) == []
    assert list(wrong_rows("s", {"a": 2, "b": 1}, {"a": 1, "c": 1, "b": 3})) == [
        "s: 1 rows are lost, such as a",
        "s: 3 rows are doubled or never written, such as b, c",
    ]


STREAM_FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: "


@pytest.mark.parametrize(
    ("stream", "error", "disturbed", "denied", "fine"),
    [
        ("append", None, False, False, False),
        ("append", None, True, False, True),
        ("available-now", None, False, False, True),
        ("available-now", "[DELTASOURCE_LOG_READ_FAILED] x", False, False, False),
        ("max-files", "[DELTASOURCE_LOG_READ_FAILED] x", False, True, True),
        ("append", "[DELTASOURCE_LOG_READ_FAILED] x", False, True, False),
        ("max-files", STREAM_FAILED + "[DELTA_SCHEMA_CHANGED_WITH_VERSION] x", False, False, True),
        ("append", STREAM_FAILED + "[DELTA_SCHEMA_CHANGED_WITH_VERSION] x", False, False, False),
        ("schema-tracking", "[DELTA_STREAMING_METADATA_EVOLUTION] x", False, False, True),
        ("schema-tracking", "[DELTASOURCE_OTHER_RUN] x", False, False, False),
    ],
)
def test_a_query_may_only_end_because_of_what_the_soak_did(
    stream: str, error: str | None, *, disturbed: bool, denied: bool, fine: bool
) -> None:
    """Every other end is a finding."""
    end = QueryEnd(stream=stream, error=error, disturbed=disturbed)
    assert end.is_expected(named(stream), denied=denied) is fine


def test_an_end_has_the_condition_of_its_cause() -> None:
    """Spark's own condition only says that the query failed."""
    errors = {
        None: "finished",
        STREAM_FAILED + "[DELTASOURCE_OTHER_RUN] of [x]": "DELTASOURCE_OTHER_RUN",
        STREAM_FAILED + "it broke": "an error without a condition",
    }
    found = {
        error: QueryEnd(stream="append", error=error, disturbed=False).condition for error in errors
    }
    assert found == errors


@pytest.mark.parametrize(("hours", "kills"), [(2, (3, 5)), (0.2, (3, 5))])
def test_the_driver_is_killed_a_few_times(hours: float, kills: tuple[int, int]) -> None:
    """Rounds end when the time is over, and all kinds of disturbances occur."""
    now = [1000.0]

    def clock() -> float:
        now[0] += hours * 3600 / 1000
        return now[0]

    found = Counter(disturbances(hours, random.Random(3), clock))
    assert found.total() == pytest.approx(1000, abs=5)
    assert kills[0] <= found[Disturbance.KILL_DRIVER] <= kills[1]
    assert set(found) == set(Disturbance)


def test_a_batch_that_is_run_again_must_have_the_same_rows(tmp_path: Path) -> None:
    """Only the first run is counted; other rows fail the query."""
    files = BatchFiles(tmp_path / "target")
    files.save(["a", "b"], 0)
    files.save(["b", "a"], 0)
    files.save(["b"], 1)
    assert Counter(files.rows()) == Counter("abb")
    with pytest.raises(ValueError, match="batch 0 was run again with other rows"):
        files.save(["a"], 0)
