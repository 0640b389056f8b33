# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The events of a query folded into what a person wants to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import Event, Lag, QueryFailed
from deltasource._views.query_summary import RECENT, QuerySummary, with_event
from support.progress_samples import BEHIND, source
from support.view_samples import batch, ended, failed, idle, in_snapshot, started

ERROR = "[DELTA_SOURCE_TABLE_IGNORE_CHANGES] Detected a data update"


def summary(*events: Event) -> QuerySummary:
    """Return the summary after events."""
    folded: QuerySummary | None = None
    for event in events:
        folded = QuerySummary.after(folded, event)
    assert folded is not None
    return folded


def test_nothing_is_known_of_a_query_that_has_just_started() -> None:
    """What no event has said is None."""
    assert summary(started()) == QuerySummary(
        query="orders", run_id="first", updated=started().timestamp
    )


@pytest.mark.parametrize(
    ("last", "state"),
    [
        (started(), "running"),
        (batch(0), "running"),
        (batch(1, executed=False), "idle"),
        (idle(), "idle"),
        (failed(), "failed"),
        (ended(), "ended"),
    ],
)
def test_the_state_is_that_of_the_last_event(last: Event, state: str) -> None:
    """A query runs, waits, has failed or has ended."""
    assert summary(started(), last).state == state


def test_the_rate_counts_the_time_between_batches() -> None:
    """Rows are divided by the time from the start of the first batch to the end of the last."""
    assert summary(batch(0, rows=10, took=2000)).rows_per_second == 5
    many = [batch(n, seconds=n * 10, rows=30, took=2000) for n in range(3)]
    assert summary(*many).rows_per_second == 90 / 22
    assert summary(*many, idle()).rows_per_second == 0


def test_the_rate_is_that_of_the_latest_ten_batches() -> None:
    """A stream that has become slow is shown as slow."""
    fast = [batch(n, seconds=n, rows=1000) for n in range(10)]
    slow = [batch(10 + n, seconds=10 + n, rows=1) for n in range(10)]
    assert summary(*fast, *slow).rows_per_second == 1


def test_an_unknown_duration_gives_no_rate() -> None:
    """A rate is not invented, nor divided by zero."""
    assert summary(batch(0, took=None)).rows_per_second is None
    assert summary(batch(0, took=0)).rows_per_second is None


def test_the_lag_is_the_largest_of_all_sources() -> None:
    """For each measure, the source that is furthest behind counts."""
    other = source(numVersionsOutstanding="9", secondsOutstanding="1.5")
    lag = summary(batch(0, source(**BEHIND), other)).lag
    assert lag == Lag(versions=9, files=7, bytes=99_200_005, seconds=5400.25)
    assert summary(batch(0, source())).lag is None


def test_a_query_that_waits_keeps_the_lag_that_it_reported() -> None:
    """A progress without a batch has a new lag, and an idle event has none."""
    behind = batch(0, source(**BEHIND))
    caught_up = batch(1, source(numVersionsOutstanding="0"), executed=False)
    assert summary(behind, idle()).lag == summary(behind).lag
    waits = summary(behind, caught_up).lag
    assert waits is not None
    assert waits.versions == 0


def test_time_left_follows_the_pace_between_batches() -> None:
    """From 10 to 40 percent in 180 s: the other 60 percent take 360 s."""
    batches = [in_snapshot(n, 10 + n * 10, seconds=n * 60) for n in range(4)]
    found = summary(*batches)
    assert (found.snapshot_percent, found.snapshot_seconds_left) == (40, 360)


@pytest.mark.parametrize(
    "batches",
    [
        [in_snapshot(0, 10)],
        [in_snapshot(0, 10), in_snapshot(1, 10, seconds=60)],
        [in_snapshot(0, 10), in_snapshot(1, 20)],
        [in_snapshot(0, 10, took=None), in_snapshot(1, 20, seconds=60)],
        [in_snapshot(0, 10), in_snapshot(1, 20, seconds=60, run="second")],
    ],
)
def test_time_left_is_unknown_without_a_pace(batches: Sequence[Event]) -> None:
    """One batch has no pace, nor have batches of two runs, without progress, or without time."""
    runs = [started(run=batches[-1].run_id)] if batches[-1].run_id != "first" else []
    found = summary(*batches[:-1], *runs, batches[-1])
    assert found.snapshot_percent is not None
    assert found.snapshot_seconds_left is None


def test_the_slowest_source_counts_for_the_snapshot() -> None:
    """With two snapshots, the percentage is the smaller; after them there is none."""
    both = batch(0, source(initialSnapshotPercent="25"), source(initialSnapshotPercent="80"))
    assert summary(both).snapshot_percent == 25
    after = summary(in_snapshot(0, 50), in_snapshot(1, 99, seconds=9), batch(2, seconds=20))
    assert (after.snapshot_percent, after.snapshot_seconds_left) == (None, None)


@pytest.mark.parametrize(("end", "error"), [(failed(), ERROR), (ended(), None)])
def test_nobody_is_behind_after_the_end(end: Event, error: str | None) -> None:
    """A query that has failed or ended keeps its batches, and no numbers of a running one."""
    batches = [in_snapshot(0, 10), batch(1, source(**BEHIND), seconds=10)]
    found = summary(started(), *batches, end)
    assert (found.batch_id, found.recent_rows, found.error) == (1, (10, 10), error)
    numbers = (found.rows_per_second, found.lag, found.snapshot_percent)
    assert numbers == (None, None, None)
    assert found.snapshot_seconds_left is None


def test_an_error_is_its_condition_and_its_first_line() -> None:
    """An exception without a condition has only its line, and one without text only its name."""
    assert summary(failed(message="one\ntwo", condition=None)).error == "one"
    assert summary(failed(message="", condition="BAD")).error == "[BAD]"


def test_a_restart_keeps_the_last_error_and_the_batches() -> None:
    """The next run has a rate of its own."""
    found = summary(batch(0, rows=1), failed(), started(run="second"))
    assert (found.state, found.error, found.recent_rows) == ("running", ERROR, (1,))
    assert (found.batch_id, found.rows_per_second) == (0, None)
    after = summary(batch(0), failed(), started(run="second"), batch(1, run="second", seconds=90))
    assert after.rows_per_second == 10


@pytest.mark.parametrize("late", [batch(7), idle(), ended()])
def test_late_events_of_the_last_run_change_nothing(late: Event) -> None:
    """The end of a run may arrive after the start of the next."""
    running = summary(started(), started(run="second"))
    assert QuerySummary.after(running, late) == running


def test_a_late_failure_is_the_last_error_of_a_running_query() -> None:
    """The state is that of the next run."""
    found = summary(started(), started(run="second"), failed())
    assert (found.state, found.error, found.run_id) == ("running", ERROR, "second")


def test_a_run_without_a_start_follows_one_that_has_ended() -> None:
    """If a file was lost, the first event of a run is a batch."""
    found = summary(started(), ended(), batch(5, run="second"))
    assert (found.state, found.run_id, found.batch_id) == ("running", "second", 5)


def test_queries_are_kept_apart() -> None:
    """Each name has a summary, in the order in which they appeared."""
    events: Sequence[Event] = (started("a"), started("b"), failed("a"), batch(0, name="b"))
    nothing: Mapping[str, QuerySummary] = {}
    folded = reduce(with_event, events, nothing)
    assert [(name, one.state) for name, one in folded.items()] == [
        ("a", "failed"),
        ("b", "running"),
    ]
    assert nothing == {}


def snapshot_batch(number: int, percent: float, **given: Any) -> Event:
    return in_snapshot(number, round(percent, 1), **given)


NUMBERS = st.floats(0, 100, allow_nan=False)
EVENTS = st.one_of(
    st.builds(started, run=st.sampled_from("ab"), seconds=NUMBERS),
    st.builds(idle, run=st.sampled_from("ab"), seconds=NUMBERS),
    st.builds(ended, run=st.sampled_from("ab"), seconds=NUMBERS),
    st.builds(failed, run=st.sampled_from("ab"), seconds=NUMBERS, message=st.text()),
    st.builds(
        snapshot_batch,
        st.integers(0, 50),
        NUMBERS,
        run=st.sampled_from("ab"),
        seconds=NUMBERS,
        rows=st.integers(0, 10**12),
        took=st.none() | st.integers(0, 10**7),
        executed=st.booleans(),
    ),
)


@given(st.lists(EVENTS, min_size=1, max_size=80))
def test_no_order_of_events_gives_a_number_that_cannot_be(events: list[Event]) -> None:
    """Rates and times are never negative, errors are one line, and the memory is bounded."""
    found = summary(*events)
    assert len(found.recent) <= RECENT
    assert found.rows_per_second is None or found.rows_per_second >= 0
    assert found.snapshot_seconds_left is None or found.snapshot_seconds_left >= 0
    assert found.run_id in {event.run_id for event in events}
    assert (found.error is None) == (not any(isinstance(one, QueryFailed) for one in events))
    assert found.error is None or len(found.error.splitlines()) == 1
    if found.state in ("failed", "ended"):
        assert (found.lag, found.rows_per_second, found.snapshot_percent) == (None, None, None)
