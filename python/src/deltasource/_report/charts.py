# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The charts of a page: what each shows, and what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deltasource._report.chart_data import Spec, chart_data
from deltasource._report.drawing import Drawing
from deltasource._report.stream_life import StreamLife


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart. `spec` is None if there is nothing to draw; `why` says what it would need."""

    id: str
    title: str
    note: str
    spec: Spec | None
    why: str


def charts(life: StreamLife) -> Sequence[Chart]:
    """Return the charts of a page."""
    data = chart_data(life)
    drawn = Drawing(data, _domain(life))
    needs_events = 'It needs the events that monitor(spark, "events.jsonl") writes.'
    needs_table = "It needs the table, and its log from the first of these batches on."
    several = len({one["source"] for one in data["lags"]}) > 1
    return (
        Chart(
            id="rows",
            title="Rows",
            note="read by each batch, from all sources",
            spec=drawn.amounts({"rows": "read"}),
            why=needs_events,
        ),
        Chart(
            id="files",
            title="Files",
            note="read: in the log between the offsets of the batch, also what options skip",
            spec=drawn.amounts({"files_read": "read", "files_written": "written"}),
            why=f"{needs_table} What is written needs events.",
        ),
        Chart(
            id="bytes",
            title="Bytes",
            note="size of these files",
            spec=drawn.amounts({"bytes_read": "read", "bytes_written": "written"}),
            why=f"{needs_table} What is written needs events.",
        ),
        Chart(
            id="times",
            title="Planning and running",
            note="seconds for each batch",
            spec=drawn.times(),
            why="No batch has a duration: none is done, or the files of the checkpoint have "
            "times that cannot be right, as those of a copy.",
        ),
        Chart(
            id="lag-seconds",
            title="Lag in time",
            note="age in seconds of the oldest commit that was not read",
            spec=drawn.lag("seconds", several=several),
            why=f"{needs_events} Only our source reports its lag.",
        ),
        Chart(
            id="lag-versions",
            title="Lag in versions",
            note="commits that were not read to their end",
            spec=drawn.lag("versions", several=several),
            why=f"{needs_events} Only our source reports its lag.",
        ),
        Chart(
            id="versions",
            title="Versions",
            note="of the table, and how far the stream has read",
            spec=drawn.versions(),
            why="No batch in the checkpoint has the offset of a Delta source.",
        ),
    )


def _domain(life: StreamLife) -> tuple[int, int]:
    """Return the time that the stream has lived, with a margin of a fiftieth.

    Schema changes have the times of files, which in a copy of a checkpoint may be far away.
    """
    moments = [one.at for one in life.moments if one.kind != "schema"]
    known = [*(one.started for one in life.batches), *(one.at for one in life.lags), *moments]
    times = [round(at.timestamp() * 1000) for at in known if at is not None] or [0]
    margin = max(1000, (max(times) - min(times)) // 50)
    return min(times) - margin, max(times) + margin
