# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Loads saved results, and formats them as a Markdown table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench import report
from bench.run import Run
from bench.scenarios import SCENARIOS

HEAD = (
    "scenario",
    "size",
    "delta-spark",
    "ours",
    "ratio",
    "goal",
    "growth, ours (delta-spark)",
    "floor",
)


def load(folder: Path) -> list[report.Line]:
    """Load the results in a folder, in the order of the scenarios."""
    found: list[report.Line] = []
    for scenario in SCENARIOS:
        if saved := runs(folder, scenario.name):
            found += report.lines(scenario, saved)
    return found


def runs(folder: Path, scenario: str) -> list[Run]:
    """Load the runs of a scenario; empty if it has no file in the folder."""
    file = folder / f"{scenario}.json"
    if not file.exists():
        return []
    return [Run(**run) for run in json.loads(file.read_text(encoding="utf-8"))["runs"]]


def page(found: Sequence[report.Line]) -> str:
    """Return a Markdown table, with each measure at the size its target applies to."""
    lines = [line for line in found if line.size == report.target_size(found, line)]
    return report.markdown(HEAD, (_cells(found, line) for line in lines))


def _cells(found: Sequence[report.Line], line: report.Line) -> list[str]:
    grown = report.growth(found, line)
    return [
        f"`{line.scenario.name}`, {line.measure.name}",
        f"{line.size:,} {line.scenario.unit}",
        *(report.format_seconds(median(line.seconds[side])) for side in ("stock", "ours")),
        f"**{line.ratio:,.{0 if line.ratio >= 20 else 1}f}**",
        report.format_target(line.measure),
        "-" if grown is None else f"{grown['ours']:.1f} ({grown['stock']:.1f})",
        "-" if line.floor is None else report.format_seconds(line.floor),
    ]
