# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs that were kept, as JSON in a folder, and the table of them that stands in a page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench import report
from bench.run import Run
from bench.scenarios import SCENARIOS

HEAD = "scenario | size | delta-spark | ours | ratio | target | growth, ours (delta-spark) | floor"


def kept(folder: Path) -> list[report.Line]:
    """Read the scenarios that are in a folder, in their order."""
    found: list[report.Line] = []
    for scenario in SCENARIOS:
        file = folder / f"{scenario.name}.json"
        if file.exists():
            told = json.loads(file.read_text(encoding="utf-8"))
            found += report.lines(scenario, (Run(**run) for run in told["runs"]))
    return found


def page(found: Sequence[report.Line]) -> str:
    """Answer a table in Markdown, each measure at the size for which its ratio is asked."""
    asked = [line for line in found if line.size == report.asked(found, line)]
    rows = [" | ".join(_cells(found, line)) for line in asked]
    ruler = " | ".join("---" for _ in HEAD.split("|"))
    return "".join(f"| {row} |\n" for row in (HEAD, ruler, *rows))


def _cells(found: Sequence[report.Line], line: report.Line) -> list[str]:
    grown = report.growth(found, line)
    return [
        f"`{line.scenario.name}`, {line.measure.name}",
        f"{line.size:,} {line.scenario.unit}",
        *(report.said(median(line.seconds[side])) for side in ("stock", "ours")),
        f"**{line.ratio:,.{0 if line.ratio >= 20 else 1}f}**",
        "-" if line.measure.ratio is None else f"{line.measure.ratio:,.0f}",
        "-" if grown is None else f"{grown['ours']:.1f} ({grown['stock']:.1f})",
        "-" if line.floor is None else report.said(line.floor),
    ]
