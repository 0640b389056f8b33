# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How long a table keeps its log, and how much time that leaves a lagging stream."""

from __future__ import annotations

import math
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import Checkpoint, CommitError
from deltasource._checkpoint.retention import CLEANUP, DURATION, retention
from deltasource._intervals import parse_interval
from support.checkpoint_samples import TABLE, add, checkpoint, commit, offset

DAY = 86_400.0
UNITS = {"week": 7 * DAY, "day": DAY, "hour": 3600.0, "minute": 60.0, "second": 1.0}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("interval 30 days", 30 * DAY),
        ("interval 1 week", 7 * DAY),
        ("INTERVAL 2 Days 12 hours", 2.5 * DAY),
        ("7 days", 7 * DAY),
        ("  interval   1   day  ", DAY),
        ("interval 1.5 seconds", 1.5),
        ("interval 90 minutes -30 minutes", 3600.0),
        ("interval + 1 second", 1.0),
        ("interval 500 milliseconds", 0.5),
        ("interval 0 days", 0.0),
        ("interval 1 month", None),
        ("interval 1 year", None),
        ("interval -1 day", None),
        ("interval 1.5 days", None),
        ("interval 1day", None),
        ("interval 1 fortnight", None),
        ("interval", None),
        ("interval days", None),
        ("30", None),
        ("", None),
    ],
)
def test_an_interval_is_parsed_as_spark_does(text: str, seconds: float | None) -> None:
    """Weeks to microseconds are added up; months, years and negative intervals give None."""
    assert parse_interval(text) == seconds


@given(st.text())
def test_any_text_is_an_interval_or_none(text: str) -> None:
    """No table property makes the parser fail."""
    for given_text in (text, f"interval {text}", f"interval 1 day {text}"):
        seconds = parse_interval(given_text)
        assert seconds is None or seconds >= 0


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(list(UNITS))), min_size=1))
def test_parts_add_up(parts: list[tuple[int, str]]) -> None:
    """An interval is the sum of its parts, with or without `interval` and plural s."""
    total = sum(number * UNITS[unit] for number, unit in parts)
    assert parse_interval(" ".join(f"{number} {unit}" for number, unit in parts)) == total
    assert parse_interval(" ".join(["interval", *(f"{n} {unit}s" for n, unit in parts)])) == total


@pytest.mark.parametrize(
    ("properties", "seconds"),
    [
        ({}, 30 * DAY),
        ({"mine": "1"}, 30 * DAY),
        ({DURATION: "interval 1 day"}, DAY),
        ({DURATION: "for ever"}, None),
        ({CLEANUP: "true"}, 30 * DAY),
        ({CLEANUP: "False", DURATION: "interval 1 day"}, math.inf),
    ],
)
def test_properties_set_the_retention(properties: dict[str, str], seconds: float | None) -> None:
    """Delta's defaults apply if a property is not set; an invalid value gives None."""
    assert retention(properties) == seconds


def hours(folder: Path, *read: str, now: float) -> float | None:
    """Return the hours until data loss for a stream at an offset."""
    stream = Checkpoint(checkpoint(folder / "checkpoint", *read, done=[len(read) - 1]))
    time = datetime.fromtimestamp(now, timezone.utc)
    return stream.backlog(folder / "table", now=time).hours_to_data_loss


def metadata(**properties: str) -> dict[str, object]:
    dotted = {name.replace("_", "."): value for name, value in properties.items()}
    return {"metaData": {"id": TABLE, "configuration": dotted}}


def test_the_latest_properties_apply(tmp_path: Path) -> None:
    """The oldest unread commit is kept for the table's current retention."""
    table = tmp_path / "table"
    commit(table, 0, metadata(), add(1), seconds=0)
    commit(table, 1, add(1), seconds=DAY)
    assert hours(tmp_path, offset(1), now=2 * DAY) == 29 * 24
    commit(table, 2, metadata(delta_logRetentionDuration="interval 2 days"), seconds=2 * DAY)
    assert hours(tmp_path, offset(1), now=2 * DAY) == 24
    assert hours(tmp_path, offset(1), now=2.75 * DAY) == 6
    assert hours(tmp_path, offset(1), now=9 * DAY) == 0
    assert hours(tmp_path, offset(3), now=9 * DAY) == 48


def test_lost_commits_have_no_time_left(tmp_path: Path) -> None:
    """A cleaned-up commit is lost, but an initial snapshot may still be in a checkpoint."""
    table = tmp_path / "table"
    for version in range(3):
        commit(table, version, metadata(), seconds=0)
    for version in range(2):
        (table / "_delta_log" / f"{version:020}.json").unlink()
    assert hours(tmp_path, offset(1), now=0) == 0
    assert hours(tmp_path, offset(1, 5, snapshot=True), now=0) is None


def test_the_checksum_file_has_the_properties(tmp_path: Path) -> None:
    """If no commit has the properties any more, the latest checksum file may."""
    commit(tmp_path / "table", 5, add(1), seconds=0)
    assert hours(tmp_path, offset(5), now=0) is None
    checksum = tmp_path / "table/_delta_log" / f"{5:020}.crc"
    properties = f'{{"{DURATION}":"interval 1 day"}}'
    checksum.write_text(f'{{"metadata":{{"id":"{TABLE}","configuration":{properties}}}}}')
    assert hours(tmp_path, offset(5), now=0) == 24


@pytest.mark.parametrize("properties", [5, ["a"], "x"])
def test_damaged_properties_are_reported(properties: object, tmp_path: Path) -> None:
    """A commit whose properties are not a map is damaged."""
    commit(tmp_path / "table", 0, {"metaData": {"id": TABLE, "configuration": properties}})
    with pytest.raises(CommitError, match="cannot read the commit of version 0"):
        hours(tmp_path, offset(0), now=0)
