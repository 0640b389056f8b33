# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The events of a query that starts, waits, fails and ends, as a monitor passes them on."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest
from pyspark.sql.streaming.listener import QueryTerminatedEvent

from deltasource import (
    Event,
    Progress,
    QueryEnded,
    QueryFailed,
    QueryIdle,
    QueryStarted,
    monitor,
)
from deltasource._monitor import recorder as _recorder
from deltasource._monitor.recorder import Recorder
from support.exception_samples import PYTHON, PYTHON_CONDITION, RAISED
from support.fake_streams import Query, Session, Streams, spark_progress
from support.progress_samples import QUERY, RUN

OTHER = "0c1d2e3f-1111-4222-8333-000000000000"
AT = "2026-11-21T17:02:40.000Z"
WAITING = {"durationMs": {"latestOffset": 30, "triggerExecution": 32}}


def events(story: Callable[[Streams], Any]) -> list[Event]:
    """Return what a sink received of a story."""
    got: list[Event] = []
    streams = Streams()
    with monitor(Session(streams), got.append):
        story(streams)
    return got


def named(got: list[Event]) -> list[str]:
    return [str(one) for one in got]


def test_a_failure_has_its_condition_message_and_batch() -> None:
    """A query that fails in its second batch: started, one progress, failed."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.tell(spark_progress(0))
        streams.end(exception=PYTHON, condition=PYTHON_CONDITION)

    before = datetime.now(timezone.utc)
    started, progress, failed = events(story)
    assert started == QueryStarted(
        query_id=QUERY,
        run_id=RUN,
        name="orders",
        timestamp=datetime(2026, 11, 21, 17, 2, 30, tzinfo=timezone.utc),
    )
    assert isinstance(progress, Progress)
    assert isinstance(failed, QueryFailed)
    assert before <= failed.timestamp <= datetime.now(timezone.utc)
    assert failed == QueryFailed(
        query_id=QUERY,
        run_id=RUN,
        name="orders",
        timestamp=failed.timestamp,
        condition=PYTHON_CONDITION,
        message="ValueError: boom",
        exception=PYTHON,
        batch_id=1,
    )
    assert str(failed) == f"'orders' failed in batch 1: [{PYTHON_CONDITION}] ValueError: boom"


def test_the_first_batch_of_a_run_fails_without_a_number() -> None:
    """Spark does not say which batch it was; the condition may be only in the text."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.end(exception=RAISED)

    assert named(events(story)) == [
        "'orders' started",
        "'orders' failed: [USER_RAISED_EXCEPTION] mine SQLSTATE: P0001",
    ]


@pytest.mark.parametrize(("fields", "batch"), [({}, 4), (WAITING, 3)])
def test_the_failed_batch_follows_the_last_that_was_executed(
    fields: dict[str, Any], batch: int
) -> None:
    """The progress of a query that waits names the batch that it waits for."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.tell(spark_progress(3, **fields))
        streams.end(exception="java.io.IOException: disk full")

    failed = events(story)[-1]
    assert str(failed) == f"'orders' failed in batch {batch}: disk full"


def test_an_end_without_an_exception_is_no_failure() -> None:
    """An AvailableNow run, or a query that was stopped."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.wait(at=AT)
        streams.end()

    started, idle, ended = events(story)
    assert idle == QueryIdle(
        query_id=QUERY,
        run_id=RUN,
        name="orders",
        timestamp=datetime(2026, 11, 21, 17, 2, 40, tzinfo=timezone.utc),
    )
    assert isinstance(ended, QueryEnded)
    assert named([started, idle, ended]) == [
        "'orders' started",
        "'orders' waits for data",
        "'orders' ended",
    ]


def test_a_query_without_a_name_is_called_by_its_id() -> None:
    """The name of each event is None, and its query is the id."""
    got: list[Event] = []
    streams = Streams([Query(name=None)])
    with monitor(Session(streams), got.append):
        streams.queries.clear()
        streams.end()
    assert [(one.name, one.query) for one in got] == [(None, QUERY)] * 2


def test_a_query_that_is_already_running_is_found() -> None:
    """Its start is not invented: the event says that it was missed."""
    got: list[Event] = []
    streams = Streams([Query([spark_progress(7)])])
    with monitor(Session(streams), got.append):
        streams.queries.clear()
        streams.end(exception=RAISED)
    assert [type(one) for one in got] == [QueryStarted, Progress, QueryFailed]
    assert str(got[0]) == "'orders' was already running"
    assert "failed in batch 8" in str(got[2])


def test_an_end_that_arrives_before_its_start_is_passed_on_after_it() -> None:
    """Over Connect they arrive in two threads. It does not wait for the end of the block."""

    def story(streams: Streams) -> None:
        streams.end(exception=RAISED)
        streams.start()
        streams.start(OTHER)
        streams.end(OTHER)

    got = events(story)
    assert [type(one) for one in got] == [QueryStarted, QueryFailed, QueryStarted, QueryEnded]
    assert {one.name for one in got} == {"orders"}


def test_an_end_without_a_start_is_passed_on_when_the_block_ends() -> None:
    """A query ended while the listener was added."""
    got = events(lambda streams: streams.end())
    assert [type(one) for one in got] == [QueryEnded]


def test_nothing_follows_the_end_of_a_run() -> None:
    """A start or progress that arrives late does not make a run that ended run again."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.end()
        streams.start()
        streams.wait()
        streams.tell(spark_progress(0))
        streams.end()

    assert [type(one) for one in events(story)] == [QueryStarted, QueryEnded]


def test_runs_of_a_query_are_told_apart() -> None:
    """The end of a run may arrive after the start of the next, which runs on."""

    def story(streams: Streams) -> None:
        streams.start()
        streams.start(OTHER)
        streams.end()
        streams.tell(spark_progress(0, runId=OTHER))
        streams.end(OTHER)

    got = events(story)
    assert [(type(one), one.run_id) for one in got] == [
        (QueryStarted, RUN),
        (QueryStarted, OTHER),
        (QueryEnded, RUN),
        (Progress, OTHER),
        (QueryEnded, OTHER),
    ]


def test_an_end_over_a_broken_listener_is_not_invented(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing says how the query ended; a warning names the run."""
    monkeypatch.setattr("deltasource._monitor.monitor._END_SECONDS", 0.01)

    def story(streams: Streams) -> None:
        streams.start()
        streams.listeners.clear()

    assert [type(one) for one in events(story)] == [QueryStarted]
    assert caplog.messages == [f"no termination event arrived for these runs: {RUN}"]


def test_runs_that_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a monitor does not grow with the number of runs."""
    monkeypatch.setattr(_recorder, "_MAX_SEEN", 3)
    recorder = Recorder(keep=2, forward=list[Event]().append)
    for _ in range(10):
        run = uuid.uuid4()
        recorder.found(Query(runId=str(run)))
        recorder.ended(QueryTerminatedEvent(uuid.UUID(QUERY), run, None, None))
    assert (len(recorder._running), len(recorder._ended)) == (0, 3)
