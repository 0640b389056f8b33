# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reports what the scenario `freshness` measures besides p50 and p99, and draws the arrivals."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from rich.table import Table

from bench.arrivals import percentile
from bench.report import BLUE, ORANGE, format_seconds, markdown
from bench.run import Run
from bench.run_result import RunResult

WARM_UP_SECONDS: Final = 60
"""In this time most code is compiled, and what the first batch delayed has arrived."""


def _p99(result: RunResult, *, at_checkpoint: Container[bool]) -> float | None:
    """Return the p99 of the commits after the warm-up; None if there are fewer than two."""
    found = [
        one.seconds
        for one in result.arrivals
        if one.landed >= WARM_UP_SECONDS and one.at_checkpoint in at_checkpoint
    ]
    return percentile(99, found) if len(found) > 1 else None


def _part(result: RunResult, *names: str) -> float:
    """Return what parts of a batch take together: the median of the batches."""
    return median(map(sum, zip(*(result.parts[name] for name in names), strict=True)))


FIGURES: Final[Mapping[str, Callable[[RunResult], float | None]]] = {
    "maximum": lambda result: max(one.seconds for one in result.arrivals),
    "p99 after the first minute": lambda result: _p99(result, at_checkpoint={True, False}),
    "of these, at checkpoints of the target": lambda result: _p99(result, at_checkpoint={True}),
    "of these, all others": lambda result: _p99(result, at_checkpoint={False}),
    "a batch": lambda result: _part(result, "triggerExecution"),
    "of it the source": lambda result: _part(result, "latestOffset", "getBatch"),
    "of it the sink": lambda result: _part(result, "addBatch"),
    "of it Spark's planning and checkpoint": lambda result: _part(
        result, "queryPlanning", "walCommit", "commitOffsets"
    ),
}
"""Seconds of a run, by name."""


def rows(runs: Iterable[Run]) -> list[tuple[str, str, str]]:
    """Return the name of each figure, and the median of each side's repeats."""
    results: dict[str, list[RunResult]] = {"stock": [], "ours": []}
    for run in runs:
        results[run.side] += (RunResult.of(one) for one in run.results)
    stock, ours = results.values()
    return [
        ("batches", _batches(stock), _batches(ours)),
        *((name, _median(of, stock), _median(of, ours)) for name, of in FIGURES.items()),
    ]


def _batches(results: Sequence[RunResult]) -> str:
    return f"{median(len(one.parts['triggerExecution']) for one in results):,.0f}"


def _median(figure: Callable[[RunResult], float | None], results: Sequence[RunResult]) -> str:
    found = [seconds for one in results if (seconds := figure(one)) is not None]
    return format_seconds(median(found)) if found else "-"


def table(runs: Iterable[Run]) -> Table:
    found = Table(title="freshness", box=None)
    found.add_column("")
    for side in ("delta-spark", "ours"):
        found.add_column(side, justify="right")
    for row in rows(runs):
        found.add_row(*row)
    return found


def page(runs: Sequence[Run]) -> str:
    """Return the figures as a Markdown table; empty without runs."""
    return "" if not runs else markdown(("", "delta-spark", "ours"), rows(runs))


def draw(runs: Sequence[Run], path: Path) -> None:
    """Draw when each commit arrived, for the last repeat of each side."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    last = {run.side: RunResult.of(run.results[-1]) for run in runs}
    figure, axes = pyplot.subplots(figsize=(8, 3.5), layout="constrained")
    for side, colour, label in (("stock", ORANGE, "delta-spark"), ("ours", BLUE, "deltasource")):
        landed = [one.landed for one in last[side].arrivals]
        seconds = [one.seconds for one in last[side].arrivals]
        axes.plot(landed, seconds, color=colour, linewidth=0.8, label=label)
    axes.set_yscale("log")
    axes.set_xlabel("seconds since the first commit landed")
    axes.set_ylabel("seconds until it is in the copy")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path)
    pyplot.close(figure)
