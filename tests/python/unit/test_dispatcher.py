# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Bringing progress to sinks that fail, hang or are slow."""

from __future__ import annotations

import threading

import pytest

from deltasource import Progress
from deltasource._monitor import dispatcher as _dispatcher
from deltasource._monitor import recorder as _recorder
from deltasource._monitor.dispatcher import ProgressDispatcher
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.recorder import Recorder
from progress_samples import progress

BATCHES = [Progress.of(progress(batchId=number)) for number in range(5)]


def brought(*sinks: object, seconds: float = 30) -> None:
    """Bring all batches to sinks, and close."""
    dispatcher = ProgressDispatcher(sinks, on_idle=lambda: None, idle_seconds=60)  # type: ignore[arg-type] # pyright: ignore
    dispatcher.start()
    for batch in BATCHES:
        dispatcher.put(batch)
    dispatcher.close(seconds=seconds)


def failing(one: Progress) -> None:
    raise OSError(f"disk full at {one.batch_id}")


def test_a_sink_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """It is told once with its traceback, and at the end how often it failed."""
    got: list[Progress] = []
    brought(failing, got.append)
    assert got == BATCHES
    assert caplog.messages == [
        "the sink failing failed; further failures are counted",
        "the sink failing failed 5 times",
    ]
    told = caplog.records[0].exc_info
    assert told is not None
    assert str(told[1]) == "disk full at 0"


def test_a_sink_that_fails_once_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """No sum is told of what was told in full."""
    left = [OSError("once")]

    class Once:
        def __call__(self, _: Progress) -> None:
            if left:
                raise left.pop()

        def __repr__(self) -> str:
            return "mine"

    brought(Once())
    assert caplog.messages == ["the sink mine failed; further failures are counted"]


def test_a_sink_that_hangs_holds_up_nobody(caplog: pytest.LogCaptureFixture) -> None:
    """Closing has an end, and says how much was not brought."""
    free, done = threading.Event(), threading.Event()

    def hanging(one: Progress) -> None:
        free.wait(60)
        if one is BATCHES[-1]:
            done.set()

    brought(hanging, seconds=0.01)
    (said,) = caplog.messages
    assert said.startswith("sinks did not finish in time: about ")
    free.set()
    assert done.wait(30)


def test_what_waits_has_a_bound(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where sinks are too slow, what is not brought is counted."""
    monkeypatch.setattr(_dispatcher, "_CAPACITY", 2)
    got: list[Progress] = []
    dispatcher = ProgressDispatcher([got.append], on_idle=lambda: None, idle_seconds=60)
    for batch in BATCHES:
        dispatcher.put(batch)
    dispatcher.start()
    dispatcher.close(seconds=30)
    assert got == BATCHES[:2]
    what = "passing progress to slow sinks failed"
    assert caplog.messages == [f"{what}; further failures are counted", f"{what} 3 times"]


def test_silence_is_noticed() -> None:
    """Where nothing comes, something else is done, again and again."""
    calls = threading.Semaphore(0)
    dispatcher = ProgressDispatcher([], on_idle=calls.release, idle_seconds=0.001)
    dispatcher.start()
    assert all(calls.acquire(timeout=30) for _ in range(3))
    dispatcher.close(seconds=30)


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A monitor that runs for months does not grow."""
    monkeypatch.setattr(_recorder, "_MAX_SEEN", 3)
    recorder = Recorder(keep=2, forward=list[Progress]().append)
    for number in range(10):
        recorder.record(progress(batchId=number))
    assert len(recorder._seen) == 3
    assert len(recorder.histories["orders"]) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_is_not_kept(error: type[BaseException]) -> None:
    """Only failures are counted."""
    with pytest.raises(error), FailureLog("this"):
        raise error
