# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Event sinks that are given to a monitor as paths, and those that must be closed."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import deltasource
from deltasource import (
    Event,
    OptionsError,
    SessionRunningError,
    json_lines,
    monitor,
    prometheus,
    read_events,
)
from deltasource._monitor.sink_paths import CALLS
from support.event_files import written
from support.fake_streams import Session, Streams, spark_progress
from support.view_samples import started


class Closable:
    """An event sink that counts how often it is closed."""

    def __init__(self, error: Exception | None = None) -> None:
        self.events: list[Event] = []
        self.closed_after: list[int] = []
        self._error = error

    def __call__(self, event: Event) -> None:
        """Take an event."""
        self.events.append(event)

    def close(self) -> None:
        """Count, and fail if it was made so."""
        self.closed_after.append(len(self.events))
        if self._error is not None:
            raise self._error


def run(*event_sinks: Any) -> None:
    """Monitor a query of one batch."""
    streams = Streams()
    with monitor(Session(streams), *event_sinks):
        streams.start()
        streams.tell(spark_progress(0))
        streams.end()


@pytest.mark.parametrize("kind", [str, Path])
def test_paths_are_files_of_events_and_of_gauges(kind: type, tmp_path: Path) -> None:
    """The end of the name says which; functions may be next to them."""
    got: list[Event] = []
    run(kind(tmp_path / "events.jsonl"), got.append, kind(tmp_path / "streams.prom"))
    assert list(read_events(tmp_path / "events.jsonl")) == got
    assert len(got) == 3
    gauges = (tmp_path / "streams.prom").read_text()
    assert 'deltasource_query_state{query="orders",state="ended"} 1\n' in gauges


def test_all_wrong_event_sinks_of_a_call_are_reported_together(tmp_path: Path) -> None:
    """Each by its position, with what is accepted, and together with other wrong arguments."""
    missing = str(tmp_path / "missing" / "a.prom")
    wrong = ["a.txt", print, missing, tmp_path / "prom", 5, None, b"a.prom"]
    session = Session()
    with pytest.raises(OptionsError) as error, monitor(session, *wrong, keep=0):  # type: ignore[arg-type]
        pass
    options = [problem.option for problem in error.value.problems]
    assert options == [f"event_sinks[{number}]" for number in (0, 2, 3, 4, 5, 6)] + ["keep"]
    assert str(error.value.problems[0]) == (
        "event_sinks[0] must be a file whose name ends with .jsonl or .prom, in a local folder "
        "that exists, or a function that takes an event, got 'a.txt'"
    )
    assert session.streams.listeners == []


@pytest.mark.parametrize("name", ["e.jsonl", "e.prom"])
def test_a_file_that_cannot_be_written_is_refused_at_once(name: str) -> None:
    """Otherwise only the log would say so, after the first event."""
    said = (
        "cannot be written (No such file or directory): give a file in a folder that this process "
        f"may write to, got '/proc/{name}'"
    )
    with pytest.raises(OptionsError) as error:
        monitor(Session(Streams()), f"/proc/{name}")
    assert [str(one) for one in error.value.problems] == [f"event_sinks[0] {said}"]
    create = json_lines if name == "e.jsonl" else prometheus
    with pytest.raises(OptionsError) as error:
        create(f"/proc/{name}")
    assert [str(one) for one in error.value.problems] == [f"path {said}"]


def test_a_file_of_events_is_not_changed_before_the_first_event(tmp_path: Path) -> None:
    """Neither is one created, which log rotation or a reader might take for the file."""
    written(tmp_path / "old.jsonl", started())
    before = (tmp_path / "old.jsonl").stat()
    for name in ("old.jsonl", "new.jsonl"):
        json_lines(tmp_path / name)
    prometheus(tmp_path / "new.prom")
    assert [one.name for one in tmp_path.iterdir()] == ["old.jsonl"]
    after = (tmp_path / "old.jsonl").stat()
    assert (after.st_mtime_ns, after.st_size) == (before.st_mtime_ns, before.st_size)


@pytest.mark.parametrize("create", CALLS)
def test_a_function_that_creates_an_event_sink_must_be_called(create: str) -> None:
    """Called with each event, it would fail or create a sink for each, and record nothing."""
    with pytest.raises(OptionsError) as error:
        run(getattr(deltasource, create))
    (problem,) = error.value.problems
    assert problem.option == "event_sinks[0]"
    assert problem.reason == (
        f"must be what {create} returns, not {create} itself: call it, as in {CALLS[create]}"
    )


def test_all_functions_that_create_event_sinks_are_known() -> None:
    """Every public function that returns one is in the list."""
    public = {name: getattr(deltasource, name) for name in deltasource.__all__}
    returns = {
        name: inspect.signature(one).return_annotation
        for name, one in public.items()
        if inspect.isfunction(one)
    }
    assert set(CALLS) == {
        name for name, one in returns.items() if one in ("EventSink", "PrometheusEndpoint")
    }


def test_nothing_is_written_if_one_is_wrong(tmp_path: Path) -> None:
    """The call fails before the first event."""
    with pytest.raises(OptionsError):
        run(tmp_path / "a.jsonl", tmp_path / "a.txt")
    assert list(tmp_path.iterdir()) == []


def test_an_event_sink_is_closed_after_its_last_event() -> None:
    """Once, when the block ends, also if the block fails."""
    sink = Closable()
    run(sink)
    assert (len(sink.events), sink.closed_after) == (3, [3])
    failed = Closable()
    with pytest.raises(ZeroDivisionError), monitor(Session(Streams()), failed):
        raise ZeroDivisionError
    assert failed.closed_after == [0]


def test_an_event_sink_is_closed_if_the_call_is_refused() -> None:
    """Otherwise a server would run on that nobody knows."""
    sink = Closable()
    with pytest.raises(OptionsError):
        run(sink, "a.txt")
    assert sink.closed_after == [0]


def test_an_event_sink_is_closed_if_the_session_has_been_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that serves metrics does so before `monitor` is called."""

    def stopped(_: object) -> SimpleNamespace:
        return SimpleNamespace(stopped=lambda: True)

    monkeypatch.setattr("deltasource._session.jvm.classic_session", stopped)
    sink = Closable()
    with pytest.raises(SessionRunningError, match="has been stopped"):
        monitor(Session(Streams()), sink)
    assert sink.closed_after == [0]


def test_closing_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    """The failure is logged, and the others are closed."""
    second = Closable()
    run(Closable(OSError("broken")), second)
    assert second.closed_after == [3]
    (message,) = caplog.messages
    assert message.endswith("failed; further failures are counted")
