# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Events written as lines of JSON and read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import (
    Event,
    OptionsError,
    Progress,
    ProgressError,
    QueryEnded,
    QueryFailed,
    QueryIdle,
    QueryStarted,
    json_lines,
    read_events,
)
from deltasource._monitor.event_json import from_json, to_json
from support.event_samples import ENDED, FAILED, IDLE, STARTED
from support.progress_samples import QUERY, RUN, progress

EVENTS: tuple[Event, ...] = (STARTED, Progress.of(progress()), IDLE, FAILED, ENDED)


def test_every_event_is_read_back(tmp_path: Path) -> None:
    """The events of a file are those that were written, in order."""
    file = tmp_path / "events.jsonl"
    sink = json_lines(file)
    for event in EVENTS:
        sink(event)
    assert tuple(read_events(file)) == EVENTS
    assert tuple(read_events(str(file))) == EVENTS


def test_a_line_has_the_names_of_spark(tmp_path: Path) -> None:
    """A progress is Spark's own JSON; the other events have Spark's names of ids and a field."""
    json_lines(tmp_path / "a")(FAILED)
    json_lines(tmp_path / "a")(EVENTS[1])
    failed, batch = map(json.loads, (tmp_path / "a").read_text().splitlines())
    assert failed == {
        "event": "failed",
        "id": QUERY,
        "runId": RUN,
        "name": "orders",
        "timestamp": "2026-11-21T17:03:00+00:00",
        "condition": FAILED.condition,
        "message": FAILED.message,
        "exception": FAILED.exception,
        "batchId": 7,
    }
    assert batch == progress()


@given(
    st.sampled_from([QueryStarted, QueryIdle, QueryEnded]),
    st.none() | st.text(),
    st.datetimes(timezones=st.just(timezone.utc)),
)
def test_any_event_survives(kind: type[Any], name: str | None, at: datetime) -> None:
    """Any name and time of an event is read back from its JSON."""
    event = kind(query_id=QUERY, run_id=RUN, name=name, timestamp=at)
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@given(st.none() | st.text(), st.text(), st.none() | st.integers(0, 2**63 - 1))
def test_any_failure_survives(condition: str | None, text: str, batch: int | None) -> None:
    """Any text of a failure is read back from its JSON."""
    event = QueryFailed(
        query_id=QUERY,
        run_id=RUN,
        name=None,
        timestamp=datetime(2026, 1, 31, tzinfo=timezone.utc),
        condition=condition,
        message=text,
        exception=text,
        batch_id=batch,
    )
    assert from_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "this is not JSON: '{'"),
        (b"\xff", "this is not JSON"),
        (b"", "this is not JSON"),
        (b"[" * 100_000, "this is not JSON|nested too deeply"),
        (b"5", "must be a mapping, got 5"),
        (b"{}", "sources in the progress or an event of a query must be a list of mappings"),
        (b'{"event":"gone","id":"a","runId":"b","timestamp":"2026-01-31T00:00:00Z"}', "'gone'"),
        (b'{"event":"idle","id":"a","runId":"b","timestamp":"soon"}', "timestamp in .* must be"),
        (b'{"event":["idle"],"id":"a","runId":"b","timestamp":"2026-01-31T00:00:00Z"}', "one of"),
    ],
)
def test_a_damaged_line_is_named(line: bytes, problem: str, tmp_path: Path) -> None:
    """The events before it are read; the error has the file and the number of the line."""
    file = tmp_path / "events.jsonl"
    json_lines(file)(STARTED)
    with file.open("ab") as lines:
        lines.write(line + b"\n")
    json_lines(file)(ENDED)
    events = read_events(file)
    assert next(events) == STARTED
    with pytest.raises(ProgressError, match=rf"events\.jsonl, line 2: .*{problem}"):
        next(events)


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        (STARTED, {"alreadyRunning": None}),
        (FAILED, {"condition": 5}),
        (FAILED, {"message": None}),
        (FAILED, {"exception": 5}),
        (FAILED, {"batchId": "7"}),
        (IDLE, {"name": 5}),
        (ENDED, {"runId": None}),
    ],
)
def test_an_invalid_field_is_named(event: Event, changed: Mapping[str, object]) -> None:
    """A field of the wrong type is refused."""
    (name,) = changed
    with pytest.raises(ProgressError, match=rf"{name} in .* must be"):
        from_json({**to_json(event), **changed})


@pytest.mark.parametrize("torn", [b"{", b'{"event":"star', b'{"event":"ended","name":"\xc3'])
def test_the_beginning_of_an_event_at_the_end_is_left_out(torn: bytes, tmp_path: Path) -> None:
    """Its writer was killed, or is still writing it; what follows it is not a line of its own."""
    file = tmp_path / "events.jsonl"
    json_lines(file)(STARTED)
    with file.open("ab") as lines:
        lines.write(torn)
    assert list(read_events(file)) == [STARTED]
    whole = json.dumps(to_json(ENDED)).encode()
    file.write_bytes(whole[:20])
    events = read_events(file)
    assert list(events) == []
    file.write_bytes(whole)
    assert list(read_events(file)) == [ENDED]


@pytest.mark.parametrize("end", [b"hello", b"{}", b"5", b"{\n"])
def test_an_end_that_cannot_become_an_event_is_refused(end: bytes, tmp_path: Path) -> None:
    """It does not begin like an event, is complete, or has a newline."""
    file = tmp_path / "events.jsonl"
    json_lines(file)(STARTED)
    with file.open("ab") as lines:
        lines.write(end)
    with pytest.raises(ProgressError, match=r"events\.jsonl, line 2: "):
        list(read_events(file))


def test_a_file_that_does_not_exist_is_refused_at_once(tmp_path: Path) -> None:
    """It is refused before the first event is asked for."""
    wrong: Any
    for wrong in (tmp_path / "missing", tmp_path, 5, None):
        with pytest.raises(OptionsError, match="path must be a local file that exists"):
            read_events(wrong)


def test_a_file_is_read_lazily(tmp_path: Path) -> None:
    """A line that is appended while the file is read is read as well."""
    file = tmp_path / "events.jsonl"
    sink = json_lines(file)
    sink(STARTED)
    events = read_events(file)
    assert next(events) == STARTED
    sink(ENDED)
    assert list(events) == [ENDED]


def test_an_event_after_a_torn_line_has_a_line_of_its_own(tmp_path: Path) -> None:
    """A writer can die in the middle of a line; the next one must not continue it."""
    file = tmp_path / "events.jsonl"
    file.write_bytes(b'{"event": "star')
    json_lines(file)(EVENTS[0])
    json_lines(file)(EVENTS[1])
    lines = file.read_bytes().splitlines()
    assert len(lines) == 3
    assert all(line.startswith(b"{") and line.endswith(b"}") for line in lines[1:])
