# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The sections of a page about a stream, each as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from deltasource import _html as html
from deltasource._format import format_count, format_seconds, format_size, format_time
from deltasource._html import Cell, Html
from deltasource._lag import Lag, data_loss_text, lag_text
from deltasource._monitor.events import QueryFailed
from deltasource._report.chart_data import MARKED
from deltasource._report.charts import Chart
from deltasource._report.stream_life import BatchRecord, StreamLife
from deltasource._session.bundle import package_version

LISTED: Final = 50
"""How many of the latest batches are listed."""
MOMENTS: Final = 200
"""How many of the latest moments are listed."""

_NUMBERS: Final = frozenset(
    {
        *("batch", "took", "planning", "rows", "files read", "bytes read", "files written"),
        *("bytes written", "commits"),
    }
)
_USUAL: Final = {"committed": "yes", "times from": "events"}
_MAX_TRACE: Final = 20_000
_MARKS: Final = {"start": "start of a run", "failure": "failure", "schema": "schema change"}
_STATES: Final = {"running": "start", "idle": "start", "failed": "failure", "ended": "end"}


def head(life: StreamLife, now: datetime) -> Sequence[Html]:
    """Return the name of the stream, where it is, and the most important numbers."""
    table = "" if life.table is None else f", table: {html.escaped(life.table)}"
    paths = f"checkpoint: {html.escaped(life.checkpoint)}{table}, written: {format_time(now)}"
    tiles = "".join(f'<div class="tile">{_tile(*one)}</div>' for one in _tiles(life))
    return (
        Html(f"<h1>{html.escaped(life.name)}</h1>"),
        Html(f'<p class="paths">{paths}</p>'),
        Html(f'<div class="tiles">{tiles}</div>'),
    )


def notes(life: StreamLife) -> Html:
    """Return what is missing on the page, and why."""
    if not life.notes:
        return Html("")
    listed = "".join(f"<li>{html.escaped(one)}</li>" for one in life.notes)
    return Html(f'<h2>What is missing</h2><ul class="notes">{listed}</ul>')


def charts(drawn: Iterable[Chart]) -> Html:
    """Return the places of the charts, which a script draws."""
    marks = ", ".join(
        f'<span style="color:{MARKED[kind]}">┆ {text}</span>' for kind, text in _MARKS.items()
    )
    body = "".join(_chart(one) for one in drawn)
    return Html(
        f'<h2>Over time</h2><p class="faint">Times are in UTC. {marks}</p>'
        "<noscript><p>The charts need JavaScript.</p></noscript>"
        f'<div class="charts">{body}</div>'
    )


def moments(life: StreamLife) -> Html:
    """Return what happened, newest first."""
    if not life.moments:
        return _empty("What happened", "Nothing is known except the batches.")
    rows = [
        (_time(one.at), Html(f'<span class="kind {one.kind}">{one.kind}</span>'), one.text)
        for one in reversed(life.moments[-MOMENTS:])
    ]
    title = _title("What happened", len(rows), len(life.moments))
    return Html(f"{title}{_table(('at', 'kind', 'what'), rows, 'story')}")


def failures(life: StreamLife) -> Html:
    """Return the failures with their stack traces, newest first."""
    if life.failure_count is None:
        return _empty("Failures", "Unknown: only a file of events has them.")
    if not life.failures:
        return _empty("Failures", "The events contain none.")
    body = "".join(map(_failure, reversed(life.failures)))
    return Html(f"{_title('Failures', len(life.failures), life.failure_count)}{body}")


def batches(life: StreamLife) -> Html:
    """Return the latest batches, newest first, without the columns that say nothing."""
    if not life.batches:
        return _empty("Batches", "None is known.")
    rows = [_batch(one) for one in reversed(life.batches[-LISTED:])]
    names = [
        name for name in rows[0] if any(row[name] not in (None, _USUAL.get(name)) for row in rows)
    ]
    title = _title("Batches", len(rows), life.batch_count)
    return Html(f"{title}{_table(names, [[row[name] for name in names] for row in rows])}")


def operations(life: StreamLife) -> Html:
    """Return how many commits of each operation the batches have passed."""
    if not life.operations:
        return Html("")
    rows = sorted(life.operations.items(), key=lambda one: (-one[1], one[0]))
    title = _title("Commits that the batches have passed", len(rows), len(rows))
    return Html(f"{title}{_table(('operation', 'commits'), rows)}")


def footer() -> Html:
    """Return what has written the page."""
    return Html(
        f"<footer>Written by deltasource {html.escaped(package_version())}. Vega-Lite draws the "
        "charts; it is inside this page, under the BSD-3-Clause license.</footer>"
    )


def _tiles(life: StreamLife) -> Iterable[tuple[str, Cell]]:
    summary, lag = life.summary, life.lag
    if summary is None:
        yield "state", None
    else:
        state = Html(f'<span class="{_STATES[summary.state]}">{summary.state}</span>')
        yield f"at its last event, {format_time(summary.updated)}", state
    yield "batches", life.batch_count
    yield "rows", None if life.rows is None else format_count(life.rows)
    yield "runs", life.run_count
    yield "failures", life.failure_count
    yield from _lag_tile(lag)
    yield "until data loss", None if lag is None else data_loss_text(lag)


def _lag_tile(lag: Lag | None) -> Iterable[tuple[str, Cell]]:
    """Return the number of versions, and the other numbers below it."""
    if lag is None:
        yield "behind the table now", None
        return
    first, _, others = lag_text(lag).removesuffix(" behind").partition(", ")
    yield f"behind the table now{others and f': {others}'}", first


def _tile(name: str, value: Cell) -> str:
    return f'<b>{html.escaped(value)}</b><span class="faint">{html.escaped(name)}</span>'


def _chart(one: Chart) -> str:
    drawn = f'<div id="{one.id}"></div>'
    body = f'<p class="faint">Not known. {html.escaped(one.why)}</p>' if one.spec is None else drawn
    return (
        f'<div class="chart"><h3>{one.title} <span class="faint">{html.escaped(one.note)}</span>'
        f"</h3>{body}</div>"
    )


def _failure(failure: QueryFailed) -> str:
    trace = failure.exception
    cut = "\n…" if len(trace) > _MAX_TRACE else ""
    lines = "\n".join(html.escaped(line.expandtabs(4)) for line in trace[:_MAX_TRACE].splitlines())
    return (
        f'<details><summary>{_time(failure.timestamp)} <span class="failure">'
        f"{html.escaped(str(failure))}</span></summary><pre>{lines}{cut}</pre></details>"
    )


def _batch(one: BatchRecord) -> Mapping[str, Cell]:
    return {
        "batch": str(one.id),
        "started": _time(one.started),
        "took": _duration(one.seconds),
        "planning": _duration(one.planning_seconds),
        "rows": one.rows,
        "files read": one.files_read,
        "bytes read": _size(one.bytes_read),
        "files written": one.files_written,
        "bytes written": _size(one.bytes_written),
        "ended by": one.closed_by,
        "committed": "yes" if one.committed else Html('<span class="decision">no</span>'),
        "end offset": one.end,
        "times from": "files" if one.from_files else "events",
    }


def _table(names: Sequence[str], rows: Iterable[Sequence[Cell]], kind: str = "") -> Html:
    sides = [' class="number"' if name in _NUMBERS else "" for name in names]
    head = "".join(f"<th{side}>{name}</th>" for side, name in zip(sides, names, strict=True))
    body = "".join(f"<tr>{_cells(row, sides)}</tr>" for row in rows)
    inner = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return Html(f'<div class="scroll"><table class="{kind}">{inner}</table></div>')


def _cells(row: Sequence[Cell], sides: Sequence[str]) -> str:
    cells = zip(sides, row, strict=True)
    return "".join(f"<td{side}>{html.escaped(value)}</td>" for side, value in cells)


def _title(text: str, shown: int, total: int) -> Html:
    latest = "" if shown >= total else f"the latest {shown:,} of {total:,}"
    return Html(f'<h2>{text} <span class="faint">{latest}</span></h2>')


def _empty(title: str, why: str) -> Html:
    return Html(f'<h2>{title}</h2><p class="faint">{why}</p>')


def _time(at: datetime | None) -> Html | None:
    return None if at is None else Html(f'<span class="time">{format_time(at)}</span>')


def _duration(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else format_seconds(seconds)


def _size(size: int | None) -> str | None:
    return None if size is None else format_size(size)
