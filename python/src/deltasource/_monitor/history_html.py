# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The history of a query as HTML: how long its batches took, and the latest of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deltasource import _html as html
from deltasource._format import format_count, format_seconds, format_time
from deltasource._lag import lag_text
from deltasource._monitor.progress import Progress

_DRAWN: Final = 60
_LISTED: Final = 5
_COLUMNS: Final = ("batch", "started", "rows", "took", "planning", "lag")


def history_html(history: Sequence[Progress]) -> str:
    """Return the HTML of a history, oldest first."""
    batches = [one for one in history if one.executed]
    if not batches:
        return html.page(html.heading("History", "no batch is done yet"))
    drawn = batches[-_DRAWN:]
    rows = sum(batch.rows for batch in batches)
    note = f"{len(batches):,} batches, {format_count(rows)} rows"
    shown = f"duration of the latest {len(drawn)}, at most {_longest(drawn)}"
    return html.page(
        html.heading(batches[-1].query, f"{note}; {shown}"),
        html.bars([_bar(batch) for batch in drawn], (html.ORANGE, html.BLUE)),
        html.legend((("planning", html.ORANGE), ("rest of the batch", html.BLUE))),
        html.table(_COLUMNS, map(_row, reversed(batches[-_LISTED:])), right=set(_COLUMNS[2:5])),
    )


def _bar(batch: Progress) -> tuple[tuple[float, float], str]:
    took = batch.duration_ms or 0
    planning = min(batch.planning_ms or 0, took)
    return (planning, took - planning), (
        f"batch {batch.batch_id}: {batch.rows:,} rows in {took:,} ms, planned in {planning:,} ms"
    )


def _longest(batches: Sequence[Progress]) -> str:
    return format_seconds(max(batch.duration_ms or 0 for batch in batches) / 1000)


def _row(batch: Progress) -> Sequence[html.Cell]:
    return (
        str(batch.batch_id),
        format_time(batch.timestamp),
        batch.rows,
        _milliseconds(batch.duration_ms),
        _milliseconds(batch.planning_ms),
        "; ".join(map(lag_text, batch.lags.values())) or None,
    )


def _milliseconds(number: int | None) -> str | None:
    return None if number is None else f"{number:,} ms"
