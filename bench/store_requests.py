# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Counts the requests of both sides to an object store, as `object_stores` in `tests` does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.table import Table

from bench.machine import machine
from bench.report import markdown
from bench.run import ROOT
from bench.scenario import Scale

IDLE_SECONDS: Final[Mapping[Scale, int]] = {"small": 5, "full": 20}
"""How long the stream waits at the head of the log."""

LIST_INTERVAL: Final = 10
"""Our source lists the log this often, in seconds, because only a listing shows a gap."""


@dataclass(frozen=True, kw_only=True)
class Phase:
    """What one side did in a phase: requests by kind, and their price in dollars."""

    phase: str
    seconds: float
    requests: Mapping[str, int]
    dollars: float

    @property
    def total(self) -> int:
        return sum(self.requests.values())

    @property
    def per_hour(self) -> float:
        return self.dollars / self.seconds * 3600


@dataclass(frozen=True)
class Target:
    """What our requests are compared with; `met` takes delta-spark's phase and ours."""

    text: str
    met: Callable[[Phase, Phase], bool]


def _fewer(stock: Phase, ours: Phase) -> bool:
    return all(count < stock.requests[kind] or count == 0 for kind, count in ours.requests.items())


def _half(stock: Phase, ours: Phase) -> bool:
    return 2 * ours.total <= stock.total


def _lookups(_: Phase, ours: Phase) -> bool:
    lists, heads = ours.requests["LIST"], ours.requests["HEAD 404"]
    return lists + heads == ours.total and lists <= 1 + ours.seconds / LIST_INTERVAL


TARGETS: Final = {
    "start": Target("fewer of every kind", _fewer),
    "idle": Target(f"HEADs, and a LIST every {LIST_INTERVAL} s", _lookups),
    "10": Target("half", _half),
    "restart": Target("fewer of every kind", _fewer),
}
"""The target of a phase by the first word of its name."""


def measure(scale: Scale, file: Path) -> None:
    """Measure both sides one after the other, and write the file."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        counts = Path(folder) / "counts.json"
        options = ["--idle", str(IDLE_SECONDS[scale]), "--json", str(counts)]
        subprocess.run(
            [sys.executable, "-m", "object_stores", *options],
            env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        sides = json.loads(counts.read_text(encoding="utf-8"))
    file.write_text(json.dumps({"machine": machine(), "sides": sides}), encoding="utf-8")


def load(folder: Path) -> list[tuple[Phase, Phase]]:
    """Load the phases of delta-spark and of ours; empty if there is no file in the folder."""
    file = folder / "requests.json"
    if not file.exists():
        return []
    sides = json.loads(file.read_text(encoding="utf-8"))["sides"]
    return [
        (Phase(**stock), Phase(**ours))
        for stock, ours in zip(sides["stock"], sides["ours"], strict=True)
    ]


def rows(phases: Sequence[tuple[Phase, Phase]]) -> list[list[str]]:
    """Return the head and a row for each phase: delta-spark / ours, ratio, and target."""
    kinds = [
        kind
        for kind in phases[0][0].requests
        if any(side.requests[kind] for sides in phases for side in sides)
    ]
    head = ["phase", *kinds, "requests", "$ per hour", "ratio", "target", "met"]
    return [head, *(_row(stock, ours, kinds) for stock, ours in phases)]


def _row(stock: Phase, ours: Phase, kinds: Sequence[str]) -> list[str]:
    target = TARGETS[ours.phase.split()[0].strip(",")]
    return [
        ours.phase,
        *(f"{stock.requests[kind]:,} / {ours.requests[kind]:,}" for kind in kinds),
        f"{stock.total:,} / {ours.total:,}",
        f"{stock.per_hour:.3f} / {ours.per_hour:.3f}",
        f"**{stock.total / ours.total:.1f}**",
        target.text,
        "yes" if target.met(stock, ours) else "no",
    ]


def table(phases: Sequence[tuple[Phase, Phase]]) -> Table:
    head, *cells = rows(phases)
    found = Table(*head, title="requests to an object store, delta-spark / ours")
    for row in cells:
        found.add_row(*row)
    return found


def page(phases: Sequence[tuple[Phase, Phase]]) -> str:
    """Return the rows as a Markdown table; empty without phases."""
    if not phases:
        return ""
    head, *cells = rows(phases)
    return markdown(head, cells)
