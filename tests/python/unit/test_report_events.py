# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a report takes from the events of a query."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from deltasource import History
from deltasource._monitor.event_json import to_json
from deltasource._report import gather
from deltasource._report.query_events import FAILURES, KEPT, QueryEvents
from deltasource._report.stream_life import BatchRecord
from support.progress_samples import sink, source
from support.report_samples import (
    EVENTS,
    QUERY,
    Files,
    done,
    life,
    noted,
    stream,
    texts,
    written,
)
from support.view_samples import START, batch, ended, failed, idle, started


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


def test_a_run_without_end_was_killed_unless_it_is_the_last() -> None:
    """Nothing reports that a driver was killed."""
    events = QueryEvents()
    for event in (started(), idle(seconds=4), started(seconds=9, run="second")):
        events.add(event)
    (killed,) = events.runs_without_end()
    assert killed.at == START + timedelta(seconds=4)
    assert killed.text.startswith("this run has no end in the events")
    events.add(ended(seconds=12))
    assert events.runs_without_end() == []


def test_runs_without_a_start_are_told_apart() -> None:
    """A History has no starts, and a monitor may find a query that runs already."""
    events = QueryEvents()
    for event in (replace(started(), already_running=True), batch(0, run="b"), ended(run="b")):
        events.add(event)
    assert texts(events.moments) == ["was already running", "another run", "ended"]


def test_a_batch_that_the_sink_skipped_is_a_decision() -> None:
    """After a restart, the target may contain the batch already."""
    events = QueryEvents()
    skipped = {**batch(4).raw, "sink": sink(batchSkipped="true")}
    events.add(type(batch(4)).of(skipped))
    assert texts(events.moments)[1].startswith("batch 4 was skipped")


def test_events_are_counted_and_only_the_latest_are_kept() -> None:
    """The page of a stream that fails for days is not larger than that of another."""
    events = QueryEvents()
    for number in range(FAILURES + 5):
        events.add(failed(seconds=number, run=str(number)))
    assert (events.failure_count, len(events.failures)) == (FAILURES + 5, FAILURES)


def test_a_long_life_is_drawn_in_part(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """All batches are counted, and the page says how many are drawn."""
    monkeypatch.setattr(gather, "KEPT", 2)
    found = life(files, events=files.events)
    assert [one.id for one in found.batches] == [1, 2]
    assert noted(found, "Only the latest 2 of 3 batches are in the charts.")
    events = QueryEvents()
    for number in range(KEPT + 3):
        events.add(done(number, number))
    assert (events.batch_count, len(events.batches)) == (KEPT + 3, KEPT)


def test_events_of_other_queries_are_left_out(files: Files, tmp_path: Path) -> None:
    """The id in the checkpoint decides, not the name."""
    others = written(tmp_path / "others.jsonl", started("payments"), batch(0, name="payments"))
    found = life(files, events=others)
    assert noted(
        found, f"The events are of other queries ('payments'), and none is of this one, {QUERY}."
    )
    assert found.warnings == [
        f"The events are of other queries ('payments'), and none is of this one, {QUERY}."
    ]
    assert (found.rows, found.name, found.lacks_table) == (None, QUERY, False)
    both = written(others, *EVENTS)
    assert life(files, events=both).rows == 20


def test_a_checkpoint_without_an_id_takes_the_only_query(files: Files) -> None:
    """With several queries, nobody knows which one it is."""
    (files.checkpoint / "metadata").write_text("{")
    found = life(files, events=files.events)
    assert found.rows == 20
    assert noted(found, "does not say the id of its query")
    written(files.events, started("payments"))
    found = life(files, events=files.events)
    assert found.rows is None
    assert noted(found, "of several queries ('orders', 'payments')")


def test_lines_that_are_no_events_are_counted(files: Files) -> None:
    """A driver that is killed may leave half a line."""
    with files.events.open("a") as lines:
        # In UTC, this is before the year 1.
        far = {**to_json(started()), "timestamp": "0001-01-01T01:00:00+14:00"}
        lines.write(f'{{"id":\n{json.dumps(far)}\n')
    found = life(files, events=files.events)
    assert found.rows == 20
    assert noted(
        found, "Lines of the file of events that could not be read: 2. The first is line 6: "
    )


def test_an_event_that_is_being_written_is_left_out(files: Files, tmp_path: Path) -> None:
    """It is no damage, also if the file has no other line."""
    with files.events.open("a") as lines:
        lines.write('{"event":"star')
    found = life(files, events=files.events)
    assert (found.rows, noted(found, "could not be read")) == (20, False)
    (tmp_path / "torn.jsonl").write_text('{"event":"star')
    assert noted(life(files, events=tmp_path / "torn.jsonl"), "The events are empty")


def test_an_empty_file_of_events_is_noted(files: Files, tmp_path: Path) -> None:
    """The query may not have started yet."""
    (tmp_path / "empty.jsonl").touch()
    assert noted(life(files, events=tmp_path / "empty.jsonl"), "The events are empty")


def test_a_history_is_enough_for_rows_and_lag(files: Files) -> None:
    """It has neither failures nor ends, so the page does not say that there are none."""
    history = History()
    for number in range(2):
        history.add(done(number, number, run=f"run {number}"))
    found = life(files, events=history)
    assert (found.name, found.rows, len(found.lags), found.run_count) == ("orders", 20, 2, 2)
    assert (found.failure_count, found.summary) == (None, None)
    assert [one.text for one in found.moments if one.kind == "end"] == []
    assert noted(found, "A History has neither failures")


def test_the_record_of_a_progress_leaves_out_what_is_unknown() -> None:
    """A source of another kind reports neither planning nor an end."""
    record = BatchRecord.of(batch(3, source(), took=None))
    assert record == BatchRecord(id=3, started=START, rows=10)
