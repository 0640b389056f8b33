# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Passing events to event sinks that fail, hang or are slow."""

from __future__ import annotations

import itertools
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from deltasource import Event, Progress
from deltasource._monitor import dispatcher as _dispatcher
from deltasource._monitor import recorder as _recorder
from deltasource._monitor.dispatcher import EventDispatcher
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.recorder import Recorder
from support.event_samples import IDLE
from support.progress_samples import progress

BATCHES = [Progress.of(progress(batchId=number)) for number in range(5)]


def dispatch(*event_sinks: object, seconds: float = 30) -> None:
    """Pass all batches to event sinks, and close."""
    sinks: Any = event_sinks
    dispatcher = EventDispatcher(sinks, on_idle=lambda: None, idle_seconds=60)
    dispatcher.start()
    for batch in BATCHES:
        dispatcher.put(batch)
    dispatcher.close(seconds=seconds)


def failing(one: Event) -> None:
    assert isinstance(one, Progress)
    raise OSError(f"disk full at {one.batch_id}")


def test_a_failing_event_sink_does_not_stop_others(caplog: pytest.LogCaptureFixture) -> None:
    """Its first failure is logged with its traceback, and at the end the number of failures."""
    got: list[Event] = []
    dispatch(failing, got.append)
    assert got == BATCHES
    assert caplog.messages == [
        "the event sink failing failed; further failures are counted",
        "the event sink failing failed 5 times",
    ]
    info = caplog.records[0].exc_info
    assert info is not None
    assert str(info[1]) == "disk full at 0"


def test_a_single_failure_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """The number of failures is not logged for a single one."""
    left = [OSError("once")]

    class Once:
        def __call__(self, _: Progress) -> None:
            if left:
                raise left.pop()

        def __repr__(self) -> str:
            return "mine"

    dispatch(Once())
    assert caplog.messages == ["the event sink mine failed; further failures are counted"]


def test_a_hanging_event_sink_does_not_block_closing(caplog: pytest.LogCaptureFixture) -> None:
    """Closing times out, and logs how many events were not passed on."""
    free, done = threading.Event(), threading.Event()

    def hanging(one: Progress) -> None:
        free.wait(60)
        if one is BATCHES[-1]:
            done.set()

    dispatch(hanging, seconds=0.01)
    (message,) = caplog.messages
    assert message.startswith("event sinks did not finish in time: about ")
    free.set()
    assert done.wait(30)


def test_the_queue_is_bounded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If event sinks are too slow, dropped events are counted."""
    monkeypatch.setattr(_dispatcher, "_CAPACITY", 2)
    got: list[Event] = []
    dispatcher = EventDispatcher([got.append], on_idle=lambda: None, idle_seconds=60)
    for batch in BATCHES:
        dispatcher.put(batch)
    dispatcher.start()
    dispatcher.close(seconds=30)
    assert got == BATCHES[:2]
    what = "passing events to slow event sinks failed"
    assert caplog.messages == [f"{what}; further failures are counted", f"{what} 3 times"]


def test_idle_time_triggers_the_callback() -> None:
    """Without events `on_idle` is called repeatedly."""
    calls = threading.Semaphore(0)
    dispatcher = EventDispatcher([], on_idle=calls.release, idle_seconds=0.001)
    dispatcher.start()
    assert all(calls.acquire(timeout=30) for _ in range(3))
    dispatcher.close(seconds=30)


def test_only_progress_puts_off_the_callback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Events of queries that wait for data arrive all the time, and say nothing of their lag."""
    clock = itertools.count()
    monkeypatch.setattr(_dispatcher, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    called, got = threading.Event(), list[Event]()
    dispatcher = EventDispatcher([got.append], on_idle=called.set, idle_seconds=10)
    for _ in range(100):
        dispatcher.put(IDLE)
    dispatcher.start()
    dispatcher.close(seconds=30)
    assert (len(got), called.is_set()) == (100, True)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a monitor does not grow with time."""
    monkeypatch.setattr(_recorder, "_MAX_SEEN", 3)
    recorder = Recorder(keep=2, forward=list[Event]().append)
    for number in range(10):
        recorder.record(progress(batchId=number))
    assert len(recorder._seen) == 3
    assert len(recorder.histories["orders"]) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_exit_exceptions_are_not_suppressed(error: type[BaseException]) -> None:
    """FailureLog suppresses only failures."""
    with pytest.raises(error), FailureLog("this"):
        raise error
