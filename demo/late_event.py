# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Draws the picture of docs/apply-changes.md: what a late event does to a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

OUT: Final = Path(__file__).parents[1] / "docs" / "pictures" / "late-event.svg"

Period: TypeAlias = tuple[int, int | None, int]
"""The day at which a row starts, the day at which it ends if it does, and the price."""

EVENTS: Final = {5: 10, 12: 12, 15: 10}
LATE: Final = 12
BEFORE: Final[Sequence[Period]] = [(5, None, 10)]
AFTER: Final[Sequence[Period]] = [(5, 12, 10), (12, 15, 12), (15, None, 10)]

WIDTH: Final = 720
HEIGHT: Final = 300
LEFT: Final = 130
DAY: Final = 42
LAST: Final = 18
COLORS: Final = {10: "#4a7bb7", 12: "#c4661f"}
EVENT: Final = "#333333"


def draw() -> str:
    """Return the picture as SVG."""
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        *_history(30, "Before", BEFORE, [day for day in EVENTS if day != LATE]),
        *_history(160, "After", AFTER, list(EVENTS)),
        *(_text(_x(day), 285, f"Jan {day}", anchor="middle") for day in EVENTS),
    ]
    lines = "\n".join(f"  {one}" for one in body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="14">\n'
        f"{lines}\n</svg>\n"
    )


def _history(top: int, title: str, rows: Sequence[Period], events: Sequence[int]) -> Iterator[str]:
    yield _text(16, top + 18, title, weight="bold")
    yield _text(16, top + 18 + 24, "events")
    for day in events:
        late = day == LATE
        yield (
            f'<circle cx="{_x(day)}" cy="{top + 37}" r="6" '
            f'fill="{COLORS[EVENTS[day]] if late else EVENT}"/>'
        )
        yield _text(_x(day) + 11, top + 42, f"{EVENTS[day]}" + (", late" if late else ""))
    yield _text(16, top + 81, "rows")
    for start, end, price in rows:
        width = _x(LAST if end is None else end) - _x(start) - 4
        yield (
            f'<rect x="{_x(start)}" y="{top + 60}" width="{width}" height="32" rx="4" '
            f'fill="{COLORS[price]}"/>'
        )
        text = f"{price}" + (", open" if end is None else "")
        yield _text(_x(start) + width / 2, top + 81, text, anchor="middle", fill="#ffffff")


def _x(day: int) -> int:
    return LEFT + (day - 5) * DAY


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    weight: str = "normal",
    fill: str = EVENT,
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{fill}">{text}</text>'
    )


if __name__ == "__main__":
    OUT.write_text(draw(), encoding="utf-8")
