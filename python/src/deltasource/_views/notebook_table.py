# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The summaries of queries as a table of HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from deltasource import _html as html
from deltasource._format import format_count, format_seconds
from deltasource._lag import lag_text
from deltasource._views.query_summary import QuerySummary

_COLORS: Final = {
    "running": html.GREEN,
    "idle": html.BLUE,
    "failed": html.RED,
    "ended": html.GREY,
}
_COLUMNS: Final = ("query", "state", "batch", "rows/s", "lag", "initial snapshot", "recent batches")
_RIGHT: Final = frozenset({"batch", "rows/s"})
_BARS: Final = 24
_HEIGHT: Final = 18


def summaries_html(summaries: Mapping[str, QuerySummary]) -> str:
    """Return a table with a row for each query, and the errors below it."""
    if not summaries:
        return html.page(html.heading("Queries", "none has started yet"))
    rows = [_row(one) for one in summaries.values()]
    errors = [
        html.Html(f"<div>{html.escaped(one.query)}: {html.colored(one.error, html.RED)}</div>")
        for one in summaries.values()
        if one.error is not None
    ]
    return html.page(html.table(_COLUMNS, rows, right=_RIGHT), *errors)


def _row(summary: QuerySummary) -> Sequence[html.Cell]:
    rate = summary.rows_per_second
    bars = [((float(rows),), f"{rows:,} rows") for rows in summary.recent_rows[-_BARS:]]
    return (
        summary.query,
        html.colored(summary.state, _COLORS[summary.state]),
        summary.batch_id,
        None if rate is None else format_count(rate),
        None if summary.lag is None else lag_text(summary.lag),
        _snapshot(summary),
        html.bars(bars, (html.BLUE,), height=_HEIGHT) if bars else None,
    )


def _snapshot(summary: QuerySummary) -> str | None:
    percent, left = summary.snapshot_percent, summary.snapshot_seconds_left
    if percent is None:
        return None
    return f"{percent:.1f} %" + ("" if left is None else f", {format_seconds(left)} left")
