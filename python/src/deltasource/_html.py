# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Small self-contained HTML: tables and bars, without scripts and style sheets.

Colors are those of the page around it, or of a middle tone, so that they can be read on light and
on dark pages.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from deltasource._format import UNKNOWN, printable

BLUE: Final = "#4c8dd6"
ORANGE: Final = "#d9822b"
GREEN: Final = "#3fa45b"
RED: Final = "#e05252"
GREY: Final = "#8a8f98"

_LINE: Final = "1px solid rgba(128,128,128,0.35)"
_BAR, _GAP, _HEIGHT = 8, 2, 60
_MAX_TEXT: Final = 500


@dataclass(frozen=True)
class Html:
    """HTML that is complete and escaped."""

    text: str

    def __str__(self) -> str:
        """Return the HTML."""
        return self.text


Cell: TypeAlias = Html | str | int | None
"""Text is escaped; None is unknown."""


def escaped(value: Cell) -> str:
    """Return a value as HTML: one line, at most 500 characters, nothing invisible."""
    if isinstance(value, Html):
        return value.text
    if value is None:
        return UNKNOWN
    text = f"{value:,}" if isinstance(value, int) else value
    return html.escape(printable(text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}…"))


def page(*parts: Html) -> str:
    """Return parts below each other."""
    body = "".join(part.text for part in parts)
    return f'<div style="font-size:13px;line-height:1.5">{body}</div>'


def heading(title: str, note: str = "") -> Html:
    """Return a heading, followed by a note."""
    faint = f' <span style="opacity:0.7">{escaped(note)}</span>' if note else ""
    return Html(f'<div style="margin:2px 0 6px 0"><b>{escaped(title)}</b>{faint}</div>')


def colored(text: str, color: str) -> Html:
    """Return text in a color."""
    return Html(f'<span style="color:{color};font-weight:600">{escaped(text)}</span>')


def table(
    names: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Collection[str] = ()
) -> Html:
    """Return a table; the columns in `right` are aligned right, as numbers are."""
    sides = ["right" if name in right else "left" for name in names]
    head = "".join(
        f'<th style="{_cell(side)};opacity:0.7">{escaped(name)}</th>'
        for name, side in zip(names, sides, strict=True)
    )
    body = "".join(f"<tr>{_row(row, sides)}</tr>" for row in rows)
    return Html(
        f'<table style="border-collapse:collapse;margin:0 0 6px 0"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def facts(rows: Iterable[tuple[str, Cell]]) -> Html:
    """Return a table of names and values."""
    body = "".join(
        f'<tr><th style="{_cell("left")};opacity:0.7">{escaped(name)}</th>'
        f'<td style="{_cell("left")}">{escaped(value)}</td></tr>'
        for name, value in rows
    )
    return Html(f'<table style="border-collapse:collapse;margin:0 0 6px 0">{body}</table>')


def bars(
    stacks: Sequence[tuple[Sequence[float], str]], colors: Sequence[str], *, height: int = _HEIGHT
) -> Html:
    """Draw stacked bars, the first number at the bottom; each has a text for the pointer."""
    most = max((sum(numbers) for numbers, _ in stacks), default=0)
    width = max(len(stacks) * (_BAR + _GAP), 1)
    drawn: list[str] = []
    for index, (numbers, title) in enumerate(stacks):
        bottom = float(height)
        drawn.append(f"<g><title>{escaped(title)}</title>")
        for layer, (number, color) in enumerate(zip(numbers, colors, strict=True)):
            # A batch without rows is still a batch.
            high = max(number / most * height if most else 0.0, 1.0 if layer == 0 else 0.0)
            bottom -= high
            drawn.append(
                f'<rect x="{index * (_BAR + _GAP)}" y="{bottom:.1f}" width="{_BAR}" '
                f'height="{high:.1f}" fill="{color}"/>'
            )
        drawn.append("</g>")
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" '
        f'style="vertical-align:bottom;border-bottom:{_LINE}">{"".join(drawn)}</svg>'
    )


def legend(entries: Iterable[tuple[str, str]]) -> Html:
    """Return the names of colors."""
    swatch = "display:inline-block;width:10px;height:10px;margin:0 4px 0 0"
    listed = "".join(
        f'<span style="margin-right:14px"><span style="{swatch};background:{color}"></span>'
        f"{escaped(name)}</span>"
        for name, color in entries
    )
    return Html(f'<div style="margin:4px 0 8px 0;opacity:0.85">{listed}</div>')


def _row(row: Sequence[Cell], sides: Sequence[str]) -> str:
    cells = zip(row, sides, strict=True)
    return "".join(f'<td style="{_cell(side)}">{escaped(value)}</td>' for value, side in cells)


def _cell(side: str) -> str:
    return (
        f"text-align:{side};padding:2px 12px 2px 0;border-bottom:{_LINE};vertical-align:top;"
        "max-width:600px;overflow-wrap:anywhere"
    )
