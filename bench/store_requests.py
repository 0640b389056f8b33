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


@dataclass(frozen=True)
class Target:
    """What our requests are compared with.

    misses    returns what misses the target, from delta-spark's phase and ours
    per_hour  how often the phase runs in an hour, for the price
    """

    text: str
    misses: Callable[[Phase, Phase], Sequence[str]]
    per_hour: Callable[[Phase], float] = lambda _: 1


def _not_fewer(stock: Phase, ours: Phase) -> list[str]:
    return [
        kind for kind, count in ours.requests.items() if count and count >= stock.requests[kind]
    ]


def _more_than_half(stock: Phase, ours: Phase) -> list[str]:
    return ["requests"] if 2 * ours.total > stock.total else []


def _other_than_lookups(_: Phase, ours: Phase) -> list[str]:
    most = {"HEAD 404": float("inf"), "LIST": 1 + ours.seconds / LIST_INTERVAL}
    return [kind for kind, count in ours.requests.items() if count > most.get(kind, 0)]


TARGETS: Final = {
    "start": Target("fewer of each kind", _not_fewer),
    "idle": Target(
        f"HEADs, a LIST every {LIST_INTERVAL} s",
        _other_than_lookups,
        per_hour=lambda phase: 3600 / phase.seconds,
    ),
    # Ten batches.
    "10": Target("half", _more_than_half, per_hour=lambda _: 360),
    "restart": Target("fewer of each kind", _not_fewer),
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
    """Return the head and a row for each phase: delta-spark / ours, ratio, and goal."""
    kinds = [
        kind
        for kind in phases[0][0].requests
        if any(side.requests[kind] for sides in phases for side in sides)
    ]
    head = ["phase", *kinds, "requests", "$ per hour", "ratio", "goal", "met"]
    return [head, *(_row(stock, ours, kinds) for stock, ours in phases)]


def _row(stock: Phase, ours: Phase, kinds: Sequence[str]) -> list[str]:
    target = TARGETS[ours.phase.split()[0].strip(",")]
    return [
        ours.phase,
        *(f"{stock.requests[kind]:,} / {ours.requests[kind]:,}" for kind in kinds),
        f"{stock.total:,} / {ours.total:,}",
        " / ".join(f"{side.dollars * target.per_hour(side):.2g}" for side in (stock, ours)),
        f"**{stock.total / ours.total:.1f}**",
        target.text,
        f"no: {', '.join(misses)}" if (misses := target.misses(stock, ours)) else "yes",
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
