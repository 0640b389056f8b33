# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The file of events that `watch` follows: it grows, moves, is cut, and has damaged lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deltasource._views.event_tail import EventTail
from support.event_files import written
from support.view_samples import SEVERAL, ended, started


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """Return a file with the events of several queries."""
    return written(tmp_path / "events.jsonl", *SEVERAL)


@pytest.fixture
def tail(events: Path) -> Iterator[EventTail]:
    """Return the follower of that file, whose events have been read."""
    found = EventTail(events)
    assert list(found.poll()) == list(SEVERAL)
    yield found
    found.close()


def test_new_lines_are_new_events(events: Path, tail: EventTail) -> None:
    """Each event is returned once."""
    assert tail.poll() == []
    written(events, started("new"))
    assert tail.poll() == [started("new")]
    assert tail.poll() == []


def test_a_half_written_line_is_read_later(events: Path, tail: EventTail) -> None:
    """A line counts when its end is there."""
    whole = written(events.with_name("other"), ended("new")).read_bytes()
    for part, found in ((whole[:9], []), (whole[9:20], []), (whole[20:], [ended("new")])):
        with events.open("ab") as file:
            file.write(part)
        assert tail.poll() == found


def test_a_file_that_is_moved_away_is_read_to_its_end(events: Path, tail: EventTail) -> None:
    """Log rotation loses no event: neither of the old file nor of the new one."""
    moved = events.rename(events.with_name("events.jsonl.1"))
    written(moved, started("late"))
    assert tail.poll() == [started("late")]
    written(moved, ended("late"))
    written(events, started("new"))
    assert tail.poll() == [ended("late"), started("new")]
    written(events, ended("new"))
    assert tail.poll() == [ended("new")]


def test_a_file_that_is_cut_is_read_again(events: Path, tail: EventTail) -> None:
    """This is the other way to rotate a log."""
    os.truncate(events, 0)
    written(events, started("new"))
    assert tail.poll() == [started("new")]


def test_a_line_whose_writer_was_killed_is_skipped(events: Path, tail: EventTail) -> None:
    """The note has the number of lines and the first one, with its number after a rotation."""
    assert tail.note == ""
    events.unlink()
    written(events, started())
    with events.open("a") as file:
        file.write("x\n{")
    written(events, ended())
    assert tail.poll() == [started(), ended()]
    assert tail.note == (
        f"lines skipped, which are not events: 2; {events}, line 2: this is not JSON: 'x'"
    )
