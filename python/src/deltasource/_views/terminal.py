# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The summaries of queries as text for a terminal, with rich."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from deltasource._format import (
    UNKNOWN,
    format_count,
    format_seconds,
    printable,
    sparkline,
)
from deltasource._lag import lag_text
from deltasource._monitor.python_advice import IN_PYTHON
from deltasource._views.query_summary import QuerySummary

if TYPE_CHECKING:
    from rich.text import Text

_STYLES: Final[Mapping[str, str]] = {
    "running": "green",
    "idle": "cyan",
    "failed": "bold red",
    "ended": "dim",
}
_FIRST: Final = ("failed", "running", "idle", "ended")
"""The order in which queries are shown if there is not enough room for all."""
_LEAST_NAME: Final = 8
_LEAST_BARS: Final = 8
_MOST_BARS: Final = 30
_BAR: Final = 20
_ERROR_LINES: Final = 3


def draw(
    summaries: Collection[QuerySummary],
    *,
    title: str,
    note: str = "",
    width: int,
    height: int | None = None,
    now: datetime,
) -> Text:
    """Draw queries: a line each with details below, without the details if there is no room.

    Args:
        summaries: The queries, in the order to draw them.
        title: What is watched.
        note: What could not be read, if anything.
        width: How many characters a line may have.
        height: How many lines there may be; None is no limit.
        now: The current time.
    """
    head = [_title(title, width), _counts(summaries, now=now, width=width)]
    if note:
        head.append(_line([(printable(note), "yellow")], width))
    blocks = [_block(one, _name_width(summaries, width), width) for one in summaries]
    lines = [line for block in blocks for line in block]
    if height is not None and len(head) + len(lines) > height:
        lines = _without_details(list(zip(summaries, blocks, strict=True)), height - len(head))
    return _joined([*head, *lines])


def _title(title: str, width: int) -> Text:
    return _line([(printable(title), "bold")], width)


def _counts(summaries: Collection[QuerySummary], *, now: datetime, width: int) -> Text:
    if not summaries:
        return _line([("no query yet", "dim")], width)
    states = [one.state for one in summaries]
    counts = [f"{states.count(state)} {state}" for state in _FIRST if state in states]
    ago = max(0.0, (now - max(one.updated for one in summaries)).total_seconds())
    noun = "query" if len(states) == 1 else "queries"
    text = f"{len(states)} {noun}: {', '.join(counts)}; last event {format_seconds(ago)} ago"
    return _line([(text, "dim")], width)


def _block(summary: QuerySummary, name_width: int, width: int) -> Sequence[Text]:
    return [
        _main_line(summary, name_width, width),
        *(_line([("  ", ""), *part], width) for part in _details(summary, width - 2)),
        *_error(summary, width),
    ]


def _main_line(summary: QuerySummary, name_width: int, width: int) -> Text:
    style = _STYLES[summary.state]
    batch = UNKNOWN if summary.batch_id is None else f"{summary.batch_id:,}"
    columns = [
        (_padded(printable(summary.query), name_width), "bold"),
        (f"  {summary.state:<7}", style),
        (f"  batch {batch:<7}", ""),
        (f"  {_rate(summary):>13}", ""),
    ]
    left = width - name_width - sum(len(text) for text, _ in columns[1:]) - 2
    if left >= _LEAST_BARS:
        bars = sparkline(summary.recent_rows[-min(left, _MOST_BARS) :])
        columns.append((f"  {bars}", style if summary.state != "failed" else "red"))
    return _line(columns, width)


def _rate(summary: QuerySummary) -> str:
    rate = summary.rows_per_second
    return "" if rate is None else f"{format_count(rate)} rows/s"


def _details(summary: QuerySummary, width: int) -> Iterator[list[tuple[str, str]]]:
    """Return the lines about the snapshot and the lag, as one if it fits."""
    lag = "" if summary.lag is None else lag_text(summary.lag)
    snapshot = _snapshot(summary)
    both = sum(len(text) for text, _ in snapshot) + len(lag) + 2 <= width
    if snapshot and lag and both:
        yield [*snapshot, (f"; {lag}", "dim")]
        return
    if snapshot:
        yield snapshot
    if lag:
        yield [(lag, "dim")]


def _snapshot(summary: QuerySummary) -> list[tuple[str, str]]:
    percent = summary.snapshot_percent
    if percent is None:
        return []
    full = min(_BAR, int(percent / 100 * _BAR))
    left = summary.snapshot_seconds_left
    time = "" if left is None else f", {format_seconds(left)} left"
    return [
        ("snapshot ", "dim"),
        ("━" * full, "green"),
        ("─" * (_BAR - full), "dim"),
        (f" {percent:.1f} %{time}", ""),
    ]


def _error(summary: QuerySummary, width: int) -> Sequence[Text]:
    if summary.error is None:
        return []
    import textwrap

    # After a restart it is no longer the state of the query.
    label, style = ("", "red") if summary.state == "failed" else ("last error: ", "dim")
    # A long message is cut, but not what to do.
    said, mark, advice = printable(summary.error).partition(IN_PYTHON)
    wrap = partial(textwrap.wrap, width=max(width - 2, 10), max_lines=_ERROR_LINES, placeholder="…")
    wrapped = [*wrap(label + said), *wrap(mark + advice)]
    return [_line([(f"  {line}", style)], width) for line in wrapped]


def _without_details(
    blocks: Sequence[tuple[QuerySummary, Sequence[Text]]], height: int
) -> list[Text]:
    """Return the first line of each query, of those that need attention if not all fit."""
    if len(blocks) <= height:
        return [block[0] for _, block in blocks]
    ranked = sorted(blocks, key=lambda block: _FIRST.index(block[0].state))
    shown = [block[0] for _, block in ranked[: max(height - 1, 0)]]
    rest = f"and {len(blocks) - len(shown)} more, which a higher terminal shows"
    return [*shown, _line([(rest, "dim")], len(rest))]


def _name_width(summaries: Collection[QuerySummary], width: int) -> int:
    from rich.cells import cell_len

    longest = max((cell_len(printable(one.query)) for one in summaries), default=0)
    # What the other columns of _main_line need.
    most = width - 9 - 15 - 15 - 2 - _LEAST_BARS
    return max(_LEAST_NAME, min(longest, most))


def _padded(text: str, width: int) -> str:
    """Return text of this width on the screen, where some letters are two columns wide."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) > width:
        return f"{set_cell_size(text, width - 1)}…"
    return set_cell_size(text, width)


def _line(parts: Sequence[tuple[str, str]], width: int) -> Text:
    from rich.text import Text

    line = Text.assemble(*parts)
    line.truncate(width, overflow="ellipsis")
    line.rstrip()
    return line


def _joined(lines: Sequence[Text]) -> Text:
    from rich.text import Text

    return Text("\n").join(lines)
