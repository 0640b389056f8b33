# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The state of a query in the gauges for Prometheus."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from deltasource import Event, Progress, prometheus
from support.event_samples import ENDED, FAILED, IDLE, STARTED, behind
from support.progress_samples import progress, source


def states(file: Path) -> list[str]:
    """Return the states whose gauge is 1."""
    return re.findall(r'query_state\{query="orders",state="(\w+)"\} 1\n', file.read_text())


def names(file: Path) -> list[str]:
    """Return the names of the gauges in a file."""
    return re.findall(r"^# TYPE deltasource_(\w+) gauge$", file.read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    ("last", "state"),
    [
        (STARTED, "running"),
        (behind(), "running"),
        (behind(durationMs={"triggerExecution": 32}), "idle"),
        (IDLE, "idle"),
        (FAILED, "failed"),
        (ENDED, "ended"),
    ],
)
def test_a_query_has_one_state(last: Event, state: str, tmp_path: Path) -> None:
    """Its gauge is 1 for the current state and 0 for all others."""
    sink = prometheus(tmp_path / "a.prom")
    for event in (STARTED, last):
        sink(event)
    assert states(tmp_path / "a.prom") == [state]
    assert len(re.findall(r" 0\n", (tmp_path / "a.prom").read_text())) >= 3


def test_the_gauge_of_the_snapshot_stays_at_1_until_the_run_ends(tmp_path: Path) -> None:
    """The batch that completes the snapshot has no percentage; a scrape would rarely see one."""
    file = tmp_path / "a.prom"
    sink = prometheus(file)
    seen: list[str | None] = []
    after = Progress.of(progress(source(), source()))
    for event in (STARTED, after, behind(), after, after, IDLE, ENDED, STARTED, after):
        sink(event)
        found = re.findall(r"initial_snapshot_ratio(\{.*\} \S+)\n", file.read_text())
        seen += found or [None]
    ratio = '{query="orders",source="1"}'
    complete = f"{ratio} 1.0"
    assert seen == [None, None, f"{ratio} 0.25", complete, complete, complete, None, None, None]


@pytest.mark.parametrize("end", [FAILED, ENDED])
def test_a_query_that_has_ended_keeps_no_other_numbers(end: Event, tmp_path: Path) -> None:
    """A lag that nobody reads any more would set off alerts."""
    file = tmp_path / "a.prom"
    sink = prometheus(file)
    for event in (STARTED, behind(), end):
        sink(event)
    assert names(file) == [
        "query_state",
        "query_end_timestamp_seconds",
        "progress_timestamp_seconds",
    ]
    sink(replace(STARTED, run_id="next"))
    assert (names(file), states(file)) == (
        ["query_state", "query_start_timestamp_seconds"],
        ["running"],
    )


@pytest.mark.parametrize("late", [behind(), IDLE, FAILED, ENDED])
def test_late_events_do_not_change_the_state_of_the_next_run(late: Event, tmp_path: Path) -> None:
    """The end of a run may arrive after the start of the next."""
    sink = prometheus(tmp_path / "a.prom")
    for event in (STARTED, behind(), replace(STARTED, run_id="next"), late):
        sink(event)
    assert states(tmp_path / "a.prom") == ["running"]
    assert "batch_rows" not in names(tmp_path / "a.prom")
