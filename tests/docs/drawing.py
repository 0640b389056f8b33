# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Boxes, arrows and labels as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape

Kind = Literal["plain", "done", "strong", "faint"]

FILLS: Final = {"plain": "#ffffff", "done": "#d5e8d4", "strong": "#dae8fc", "faint": "#eef0f3"}
LINE: Final = "#57606a"
TEXT: Final = "#1f2328"
LINE_HEIGHT: Final = 17


@dataclass(frozen=True)
class Box:
    """A rectangle with lines of text in its middle; the first line is bold in a strong one."""

    x: int
    y: int
    width: int
    height: int
    lines: Sequence[str]
    kind: Kind = "plain"

    def svg(self) -> str:
        """Return the elements."""
        shape = (
            f'<rect x="{self.x}" y="{self.y}" width="{self.width}" height="{self.height}" rx="5" '
            f'fill="{FILLS[self.kind]}" stroke="{LINE}"/>'
        )
        top = self.y + self.height / 2 - LINE_HEIGHT * (len(self.lines) - 1) / 2 + 5
        texts = [
            Label(self.x + self.width // 2, round(top + number * LINE_HEIGHT), line).svg()
            for number, line in enumerate(self.lines)
        ]
        return "\n".join([shape, *texts])


@dataclass(frozen=True)
class Label:
    """A line of text."""

    x: int
    y: int
    text: str
    align: Literal["start", "middle", "end"] = "middle"
    bold: bool = False

    def svg(self) -> str:
        """Return the element."""
        weight = ' font-weight="bold"' if self.bold else ""
        return (
            f'<text x="{self.x}" y="{self.y}" text-anchor="{self.align}"{weight}>'
            f"{escape(self.text)}</text>"
        )


@dataclass(frozen=True)
class Arrow:
    """A line with a head at its end, straight from one point to another."""

    start: tuple[int, int]
    end: tuple[int, int]
    dashed: bool = False

    def svg(self) -> str:
        """Return the element."""
        (x1, y1), (x2, y2) = self.start, self.end
        dashes = ' stroke-dasharray="5 4"' if self.dashed else ""
        return (
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{LINE}" stroke-width="1.5"'
            f'{dashes} marker-end="url(#head)"/>'
        )


def picture(width: int, height: int, title: str, *shapes: Box | Label | Arrow) -> str:
    """Return a picture on a light card; the site inverts its colors in the dark."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="13" '
            f'fill="{TEXT}" role="img">',
            f"<title>{escape(title)}</title>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{LINE}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" rx="8" fill="#fbfcfd"/>',
            *(shape.svg() for shape in shapes),
            "</svg>",
            "",
        ]
    )
