# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Following queries by what Spark tells, and by asking where it does not."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import History, OptionsError, Progress, monitor
from deltasource._monitor import monitor as _monitor
from deltasource._monitor.recorder import Recorder
from fake_streams import Query, Session, Streams, spark_progress
from progress_samples import QUERY, RUN, progress


@pytest.fixture
def streams() -> Streams:
    """Answer the queries of a session of which nothing is known yet."""
    return Streams()


def numbers(history: Sequence[Progress]) -> list[int]:
    return [one.batch_id for one in history]


def test_each_query_has_a_history_while_it_runs(streams: Streams) -> None:
    """By its name, or by its id without one; the newest ones, as many as asked for."""
    with monitor(Session(streams), keep=2) as seen:
        assert dict(seen) == {}
        streams.tell(*map(spark_progress, range(3)))
        streams.tell(spark_progress(7, name=None))
        assert list(seen) == ["orders", QUERY]
        assert (numbers(seen["orders"]), numbers(seen[QUERY])) == ([1, 2], [7])
    assert streams.listeners == []
    assert isinstance(seen["orders"], History)


def test_a_loop_over_queries_is_not_broken_by_a_new_one(streams: Streams) -> None:
    """The mapping may be read while it grows."""
    with monitor(Session(streams)) as seen:
        streams.tell(spark_progress(0))
        for number, name in enumerate(seen):
            streams.tell(spark_progress(number + 1, name=f"after {name}"))
        assert len(seen) == 2


def test_sinks_get_everything_in_order(streams: Streams) -> None:
    """Each sink has each progress, once the block is left."""
    got: list[list[Progress]] = [[], []]
    with monitor(Session(streams), got[0].append, got[1].append):
        streams.tell(*map(spark_progress, range(50)))
    assert [numbers(one) for one in got] == [list(range(50))] * 2


def test_a_query_that_runs_already_brings_its_past(streams: Streams) -> None:
    """What Spark still has is taken in at the beginning, before what follows."""
    streams.queries.append(Query([spark_progress(1), spark_progress(2)]))
    with monitor(Session(streams)) as seen:
        assert numbers(seen["orders"]) == [1, 2]
        streams.tell(spark_progress(2), spark_progress(3))
    assert numbers(seen["orders"]) == [1, 2, 3]


def test_an_event_that_is_late_is_asked_for_at_the_end(streams: Streams) -> None:
    """A query that still runs is asked when the block is left."""
    query = Query()
    with monitor(Session(streams)) as seen:
        streams.queries.append(query)
        streams.start()
        query.recent += [spark_progress(0), spark_progress(1)]
    assert numbers(seen["orders"]) == [0, 1]


def test_the_last_event_of_a_query_is_waited_for(streams: Streams) -> None:
    """A query that has ended cannot be asked any more; its end comes behind all it did."""

    def late() -> None:
        streams.tell(spark_progress(0))
        streams.end()

    with monitor(Session(streams)) as seen:
        streams.start()
        streams.asked = threading.Thread(target=late).start
    assert numbers(seen["orders"]) == [0]


def test_an_end_that_never_comes_is_told(
    streams: Streams, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The wait has an end, and what may be missing has a name."""
    monkeypatch.setattr(_monitor, "_CLOSE_SECONDS", 0.01)
    with monitor(Session(streams)):
        streams.start()
    assert caplog.messages == [f"no termination event arrived for these runs: {RUN}"]


def test_queries_are_asked_when_nothing_is_heard(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Spark Connect has dropped the listener, progress comes all the same."""
    monkeypatch.setattr(_monitor, "_POLL_SECONDS", 0.01)
    got, both = list[Progress](), threading.Event()

    def sink(one: Progress) -> None:
        got.append(one)
        if one.batch_id == 1:
            both.set()

    with monitor(Session(streams), sink) as seen:
        streams.listeners.clear()
        streams.queries.append(Query([spark_progress(0), spark_progress(1)]))
        assert both.wait(30)
        assert numbers(seen["orders"]) == [0, 1]
    assert numbers(got) == [0, 1]


def test_a_session_that_is_gone_harms_nobody(
    streams: Streams, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is waited for, nothing is raised, and what failed is told once."""

    def gone() -> None:
        raise ConnectionError("gone")

    with monitor(Session(streams)) as seen:
        streams.start()
        streams.tell(spark_progress(0))
        streams.asked = gone
    assert numbers(seen["orders"]) == [0]
    assert caplog.messages == ["polling queries failed; further failures are counted"]


def test_the_error_of_the_block_goes_out(streams: Streams) -> None:
    """The monitor is closed, and the error is the one that was raised."""
    with pytest.raises(ZeroDivisionError), monitor(Session(streams)):
        raise ZeroDivisionError
    assert streams.listeners == []


@pytest.mark.parametrize("bad", [None, 5, {}, progress(batchId="x"), object()])
def test_a_bad_event_is_counted_and_the_next_one_read(
    bad: Any, streams: Streams, caplog: pytest.LogCaptureFixture
) -> None:
    """It is told with its traceback, once, and never raised into Spark."""
    with monitor(Session(streams)) as seen:
        streams.tell(bad, bad, spark_progress(0), bad)
        for listener in streams.listeners:
            listener.onQueryStarted(bad)
    assert numbers(seen["orders"]) == [0]
    what = "reading the progress of a query failed"
    assert caplog.messages == [f"{what}; further failures are counted", f"{what} 4 times"]
    assert caplog.records[0].exc_info is not None


@pytest.mark.parametrize("keep", [0, True, "5"])
def test_what_cannot_be_kept_is_refused_before_anything_is_done(keep: Any) -> None:
    """No listener is added for a mistake."""
    session = Session()
    with pytest.raises(OptionsError, match="keep must be"), monitor(session, keep=keep):
        pass
    assert session.streams.listeners == []


@given(st.lists(st.sampled_from(["event", "lost", "ask"]), max_size=20))
def test_nothing_is_taken_twice_or_out_of_order(story: list[str]) -> None:
    """However events and questions mix, a history has each progress at most once and in order.

    And once events are lost for good, asking brings all of them.
    """
    got: list[Progress] = []
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
    taken = numbers(got)
    assert taken == sorted(set(taken))
    told = [at for at, what in enumerate(story) if what == "event"]
    since = max(told, default=-1)
    assert [at for at, what in enumerate(story) if what != "ask" and at > since] == [
        at for at in taken if at > since
    ]
    assert set(told) <= set(taken)
