# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Monitoring queries through Spark's listener events, and by polling without them."""

from __future__ import annotations

import gc
import threading
import warnings
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import Event, History, OptionsError, Progress, QueryEnded, QueryStarted, monitor
from deltasource._monitor import monitor as _monitor
from deltasource._monitor.recorder import Recorder
from support.fake_streams import Query, Session, Streams, spark_progress
from support.progress_samples import QUERY, RUN, progress


@pytest.fixture
def streams() -> Streams:
    """Return a session's queries without any progress."""
    return Streams()


def numbers(history: Sequence[Progress]) -> list[int]:
    return [one.batch_id for one in history]


def batches(events: Sequence[Event]) -> list[Progress]:
    return [one for one in events if isinstance(one, Progress)]


def test_each_query_has_a_history_while_it_runs(streams: Streams) -> None:
    """Histories are keyed by query name, or else by id, and keep the latest batches."""
    with monitor(Session(streams), keep=2) as seen:
        assert dict(seen) == {}
        streams.tell(*map(spark_progress, range(3)))
        streams.tell(spark_progress(7, name=None))
        assert list(seen) == ["orders", QUERY]
        assert (numbers(seen["orders"]), numbers(seen[QUERY])) == ([1, 2], [7])
        streams.end()
    assert streams.listeners == []
    assert isinstance(seen["orders"], History)


def test_a_loop_over_queries_is_not_broken_by_a_new_one(streams: Streams) -> None:
    """The mapping may be iterated while it grows."""
    with monitor(Session(streams)) as seen:
        streams.tell(spark_progress(0))
        for number, name in enumerate(seen):
            streams.tell(spark_progress(number + 1, name=f"after {name}"))
        streams.end()
        assert len(seen) == 2


def test_event_sinks_get_everything_in_order(streams: Streams) -> None:
    """Each event sink has received all events when the block is left."""
    got: list[list[Event]] = [[], []]
    with monitor(Session(streams), got[0].append, got[1].append):
        streams.start()
        streams.tell(*map(spark_progress, range(50)))
        streams.end()
    assert got[0] == got[1]
    assert [type(got[0][0]), type(got[0][-1])] == [QueryStarted, QueryEnded]
    assert numbers(batches(got[0])) == list(range(50))


def test_progress_of_a_running_query_is_loaded(streams: Streams) -> None:
    """Recent progress that Spark still keeps is read first, before new events."""
    streams.queries.append(Query([spark_progress(1), spark_progress(2)]))
    with monitor(Session(streams)) as seen:
        assert numbers(seen["orders"]) == [1, 2]
        streams.tell(spark_progress(2), spark_progress(3))
    assert numbers(seen["orders"]) == [1, 2, 3]


def test_late_events_are_polled_at_the_end(streams: Streams) -> None:
    """A query that still runs is polled when the block is left."""
    query = Query()
    with monitor(Session(streams)) as seen:
        streams.queries.append(query)
        streams.start()
        query.recent += [spark_progress(0), spark_progress(1)]
    assert numbers(seen["orders"]) == [0, 1]


def test_the_last_event_of_a_query_is_awaited(streams: Streams) -> None:
    """An ended query cannot be polled; its termination event follows all its progress."""

    def late() -> None:
        streams.tell(spark_progress(0))
        streams.end()

    with monitor(Session(streams)) as seen:
        streams.start()
        streams.asked = threading.Thread(target=late).start
    assert numbers(seen["orders"]) == [0]


def test_a_missing_termination_event_is_logged(
    streams: Streams, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The wait times out, and the runs with missing events are logged."""
    monkeypatch.setattr(_monitor, "_END_SECONDS", 0.01)
    with monitor(Session(streams)):
        streams.start()
    assert caplog.messages == [f"no termination event arrived for these runs: {RUN}"]


def test_queries_are_polled_without_events(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Spark Connect has dropped the listener, progress still arrives."""
    monkeypatch.setattr(_monitor, "_POLL_SECONDS", 0.01)
    got, both = list[Event](), threading.Event()

    def sink(one: Event) -> None:
        got.append(one)
        if isinstance(one, Progress) and one.batch_id == 1:
            both.set()

    with monitor(Session(streams), sink) as seen:
        streams.listeners.clear()
        streams.queries.append(Query([spark_progress(0), spark_progress(1)]))
        assert both.wait(30)
        assert numbers(seen["orders"]) == [0, 1]
    assert numbers(batches(got)) == [0, 1]


def test_a_lost_session_raises_no_error(streams: Streams, caplog: pytest.LogCaptureFixture) -> None:
    """The monitor does not wait or raise, and logs the failure once."""

    def gone() -> None:
        raise ConnectionError("gone")

    with monitor(Session(streams)) as seen:
        streams.start()
        streams.tell(spark_progress(0))
        streams.asked = gone
    assert numbers(seen["orders"]) == [0]
    assert caplog.messages == ["polling queries failed; further failures are counted"]


def test_an_error_in_the_block_is_raised(streams: Streams) -> None:
    """The monitor is closed, and the block's own error is raised."""
    with pytest.raises(ZeroDivisionError), monitor(Session(streams)):
        raise ZeroDivisionError
    assert streams.listeners == []


@pytest.mark.parametrize("bad", [None, 5, {}, progress(batchId="x"), object()])
def test_a_malformed_event_is_counted_and_the_next_one_read(
    bad: Any, streams: Streams, caplog: pytest.LogCaptureFixture
) -> None:
    """The first one is logged with its traceback, and none is raised into Spark."""
    with monitor(Session(streams)) as seen:
        streams.tell(bad, bad, spark_progress(0), bad)
        for listener in streams.listeners:
            listener.onQueryStarted(bad)
            listener.onQueryIdle(bad)
            listener.onQueryTerminated(bad)
        streams.end()
    assert numbers(seen["orders"]) == [0]
    what = "reading an event of a query failed"
    assert caplog.messages == [f"{what}; further failures are counted", f"{what} 6 times"]
    assert caplog.records[0].exc_info is not None


def test_monitoring_without_a_block_warns(streams: Streams) -> None:
    """As for a coroutine that is not awaited: the call alone does nothing."""
    with pytest.warns(RuntimeWarning, match=r"not used in a `with` statement.*as queries:"):
        monitor(Session(streams))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with monitor(Session(streams)):
            pass
        gc.collect()


@pytest.mark.parametrize("keep", [0, True, "5"])
def test_an_invalid_keep_is_refused_before_anything_is_done(keep: Any) -> None:
    """No listener is added."""
    session = Session()
    with pytest.raises(OptionsError, match="keep must be"), monitor(session, keep=keep):
        pass
    assert session.streams.listeners == []


@given(st.lists(st.sampled_from(["event", "lost", "ask"]), max_size=20))
def test_progress_is_recorded_once_and_in_order(story: list[str]) -> None:
    """However events and polls mix, a history has each progress at most once and in order.

    Polling recovers all lost events.
    """
    got: list[Event] = []
    recorder = Recorder(keep=100, forward=got.append)
    query = Query()
    for number, what in enumerate(story):
        if what == "ask":
            recorder.record_missed(query.recentProgress)
        else:
            query.recent.append(spark_progress(number))
        if what == "event":
            recorder.record(query.recent[-1])
    recorder.record_missed(query.recentProgress)
    taken = numbers(batches(got))
    assert taken == sorted(set(taken))
    delivered = [number for number, what in enumerate(story) if what == "event"]
    since = max(delivered, default=-1)
    reported = [number for number, what in enumerate(story) if what != "ask"]
    assert [number for number in reported if number > since] == [
        number for number in taken if number > since
    ]
    assert set(delivered) <= set(taken)
