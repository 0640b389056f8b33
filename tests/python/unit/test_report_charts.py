# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The charts of a report, drawn by Vega-Lite."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from deltasource._report.chart_data import chart_data
from deltasource._report.charts import charts
from deltasource._report.stream_life import BatchRecord, LagPoint, Moment, MomentKind
from support.report_page import NOTHING, drawn, hostile, marks, shown
from support.report_samples import Files, done, life, stream
from support.view_samples import START

KINDS: Final[tuple[MomentKind, ...]] = ("schema", "failure")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


def test_hostile_text_is_never_a_part_of_a_chart(tmp_path: Path) -> None:
    """Vega-Lite evaluates some of the text of a chart, but none of its data."""
    assert "<script>" not in json.dumps(shown(hostile(tmp_path)).charts["charts"])


def test_every_chart_draws_its_marks(files: Files) -> None:
    """A bar for each batch of which a number is known, and a dashed line for each moment."""
    found = drawn(life(files, events=files.events))
    assert set(found) == {one.id for one in charts(NOTHING)}
    assert marks(found["rows"], "bar") == 2
    assert (marks(found["files"], "bar"), marks(found["files"], "point")) == (2, 2)
    # Two batches in two parts, and one batch of which only the checkpoint knows.
    assert marks(found["times"], "bar") == 4
    assert marks(found["lag-seconds"], "line mark") == 1
    assert marks(found["versions"], "line mark") == 2
    assert {marks(svg, "rule mark") for svg in found.values()} == {5}


def test_a_checkpoint_alone_has_fewer_charts(files: Files) -> None:
    """Those that it does not have say what they need."""
    found = life(files)
    assert set(drawn(found)) == {"files", "bytes", "times", "versions"}
    texts = shown(found).texts
    assert (
        texts.count('Not known. It needs the events that monitor(spark, "events.jsonl") writes.')
        == 1
    )
    assert "Unknown: only a file of events has them." in texts


def test_planning_is_a_part_of_the_batch() -> None:
    """The parts add up to the whole, also if several sources plan longer than the batch took."""
    one = BatchRecord(id=1, started=START, seconds=2.0, planning_seconds=0.5)
    alone = replace(one, planning_seconds=None)
    longer = replace(one, seconds=0.0)
    rows = chart_data(replace(NOTHING, batches=[one, alone, longer]))["batches"]
    assert [(row["planning"], row["rest of the batch"]) for row in rows] == [
        (0.5, 1.5),
        (None, 2.0),
        (0.0, 0.0),
    ]


def test_a_schema_change_does_not_stretch_the_axis() -> None:
    """A copy of a checkpoint may have files of any time."""
    later = START + timedelta(days=900)
    found = replace(NOTHING, batches=[BatchRecord(id=1, started=START, rows=5)])
    ends = [
        shown(replace(found, moments=[Moment(later, kind, "")])).charts["charts"]["rows"]
        for kind in KINDS
    ]
    first, last = (json.loads(one["encoding"]["x"]["scale"]["domain"]["signal"]) for one in ends)
    start = START.timestamp() * 1000
    assert first == [start - 1000, start + 1000]
    assert last[1] > later.timestamp() * 1000


def test_each_source_has_a_line() -> None:
    """With one source there is nothing to tell apart."""
    lag = done(0, 0).lags["0"]
    points = [LagPoint(START, "0", lag), LagPoint(START, "1", lag)]
    assert marks(drawn(replace(NOTHING, lags=points))["lag-versions"], "line mark") == 2
    assert marks(drawn(replace(NOTHING, lags=points[:1]))["lag-versions"], "line mark") == 1
