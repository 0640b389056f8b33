# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The live view in a terminal, as text of a fixed width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import reduce
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from deltasource import Event
from deltasource._format import format_count, format_seconds, format_size, printable, sparkline
from deltasource._views.query_summary import QuerySummary, with_event
from deltasource._views.terminal import draw
from support.view_samples import HOSTILE, SEVERAL, START, batch, failed, started

NOTHING: Mapping[str, QuerySummary] = {}


def lines(events: Iterable[Event], *, width: int = 80, height: int | None = None) -> list[str]:
    """Return the lines of the view, without colors."""
    summaries = reduce(with_event, events, NOTHING).values()
    now = START + timedelta(seconds=200)
    view = draw(summaries, title="events.jsonl", width=width, height=height, now=now)
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as captured:
        console.print(view, soft_wrap=True)
    return captured.get().rstrip("\n").split("\n")


def test_several_queries_at_80_columns() -> None:
    """Each query has a line, and below it the snapshot, the lag and the error."""
    assert lines(SEVERAL) == [
        "events.jsonl",
        "5 queries: 1 failed, 2 running, 1 idle, 1 ended; last event 20 s ago",
        "orders_backfill  running  batch 3            30 rows/s  ▅▆▇█",
        "  snapshot ━━━━━━━━──────────── 40.0 %, 6 min left",
        "payments         failed   batch 0                       █",
        "  [DELTA_SOURCE_TABLE_IGNORE_CHANGES] Detected a data update",
        "items            running  batch 1,203    49,380 rows/s  █",
        "  4 versions, 7 files, 94.6 MiB, 1 h 30 min behind",
        "nightly          ended    batch 0                       █",
        "waiting          idle     batch -             0 rows/s",
    ]


def test_queries_that_do_not_fit_have_one_line() -> None:
    """Without room the details go first, and then the queries that need no attention."""
    one_each = lines(SEVERAL, height=8)
    assert [line.split()[0] for line in one_each[2:]] == [
        *("orders_backfill", "payments", "items", "nightly", "waiting"),
    ]
    assert [line.split()[0] for line in lines(SEVERAL, height=5)[2:]] == [
        *("payments", "orders_backfill", "and"),
    ]
    assert lines(SEVERAL, height=5)[-1] == "and 3 more, which a higher terminal shows"


@pytest.mark.parametrize("width", [20, 40, 79, 80, 120])
@pytest.mark.parametrize("name", ["", "o", "名" * 60, HOSTILE, "[bold]x[/bold]"])
def test_no_name_breaks_a_line(name: str, width: int) -> None:
    """With any name, no line is too wide, and nothing reaches the terminal as a command."""
    events: list[Event] = [
        started(name),
        batch(0, name=name),
        failed(name, message=HOSTILE, condition=None),
    ]
    drawn = lines([*events, *SEVERAL], width=width)
    assert max(map(cell_len, drawn)) <= width
    assert all(line.isprintable() for line in drawn)


def test_the_error_of_an_earlier_run_is_called_the_last() -> None:
    """A query that runs again has not failed."""
    drawn = lines([started(), failed(), started(run="second")])
    assert drawn[2].split()[:2] == ["orders", "running"]
    assert drawn[3].startswith("  last error: [DELTA_SOURCE")


def test_long_errors_are_cut_after_three_lines() -> None:
    """One failure leaves room for the other queries."""
    drawn = lines([started(), failed(message="word " * 500)])
    assert len(drawn) == 6
    assert drawn[-1].endswith("…")
    drawn = lines([started(), failed(message=f"{'word ' * 500} In Python: {'do ' * 5}")])
    assert drawn[-2].endswith("…")
    assert drawn[-1] == "  In Python: do do do do do"


def test_without_queries_the_view_says_so() -> None:
    """A new file has no query."""
    assert lines([]) == ["events.jsonl", "no query yet"]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "-"),
        (0, "0"),
        (0.04, "0.0"),
        (0.44, "0.4"),
        (9.96, "10"),
        (12_345.6, "12,346"),
        (99_999.6, "100k"),
        (999_499, "999k"),
        (999_500, "1.0M"),
        (12_000_000, "12M"),
        (999.6e6, "1.0G"),
        (3e12, "3e+12"),
    ],
)
def test_counts_need_six_characters(number: float | None, text: str) -> None:
    """A rate of any size fits its column."""
    assert format_count(number) == text
    assert len(text) <= 6


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (90, "1 min 30 s"),
        (5400.25, "1 h 30 min"),
        (86_400 * 3 + 7200, "3 d 2 h"),
    ],
)
def test_durations_have_at_most_two_units(seconds: float, text: str) -> None:
    """A person does not need more."""
    assert format_seconds(seconds) == text


def test_sizes_and_bars() -> None:
    """Sizes have binary units; the largest number has the highest bar."""
    assert [format_size(n) for n in (0, 999, 1000, 1 << 20, 99_200_005, 5 << 60)] == [
        *("0 B", "999 B", "1.0 KiB", "1.0 MiB", "94.6 MiB", "5,120.0 PiB"),
    ]
    assert (sparkline([]), sparkline([0, 0]), sparkline([0, 4, 7])) == ("", "▁▁", "▁▅█")


def test_what_a_terminal_acts_on_is_written_out() -> None:
    """Escapes, new lines, changes of direction and half surrogates are visible."""
    assert printable("a\x1b[31m\n\u202eb\ud800") == "a\\x1b[31m\\n\\u202eb\\ud800"
    assert printable("名 é") == "名 é"
