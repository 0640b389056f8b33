# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Combines the results of runs: ratios, growth, counts, and a chart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from rich.table import Table

from bench.run import Run
from bench.run_result import RunResult
from bench.scenario import Measure, Scenario

COUNTS: Final = ("jobs", "list", "status", "open", "lines", "bytes")
BLUE, ORANGE, GREY = "#4878a8", "#d1783c", "#666666"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One measure of one scenario at one size: seconds of each side's repeats.

    counts  of the last repeat of each side, by name
    floor   seconds of the scenario's lower bound, see bench/README.md; None if the measure has none
    """

    scenario: Scenario
    measure: Measure
    size: int
    seconds: Mapping[str, Sequence[float]]
    counts: Mapping[str, Mapping[str, int]]
    floor: float | None

    @property
    def ratio(self) -> float:
        """How many times faster ours is, by the medians."""
        return median(self.seconds["stock"]) / median(self.seconds["ours"])


def lines(scenario: Scenario, runs: Iterable[Run]) -> list[Line]:
    """Combine the runs of one scenario, by measure and size."""
    by_run: dict[tuple[str, int], list[RunResult]] = {}
    for run in runs:
        for size, one in zip(run.sizes, run.results, strict=True):
            by_run.setdefault((run.side, size), []).append(RunResult.of(one))
    sizes = sorted({size for _, size in by_run})
    return [
        Line(
            scenario=scenario,
            measure=measure,
            size=size,
            seconds={
                side: tuple(measure.seconds(one) for one in by_run[side, size])
                for side in ("stock", "ours")
            },
            counts={side: by_run[side, size][-1].costs for side in ("stock", "ours")},
            floor=(
                median(one.start for one in by_run["floor", size])
                if scenario.floor and measure.floor
                else None
            ),
        )
        for measure in scenario.measures
        for size in sizes
    ]


def growth(found: Sequence[Line], line: Line) -> Mapping[str, float] | None:
    """Return the factor by which each side's time grew from the base size; None at that size."""
    since = line.measure.since
    base = line.size / 2 if since is None else since
    smaller = next(
        (
            one
            for one in found
            if one.measure == line.measure and one.size == base and base < line.size
        ),
        None,
    )
    if smaller is None:
        return None
    return {
        side: median(line.seconds[side]) / median(smaller.seconds[side]) for side in line.seconds
    }


def tables(found: Sequence[Line]) -> tuple[Table, Table]:
    """Return the table of times and ratios, and the table of counts."""
    times = Table(title="seconds: median, and slowest / fastest repeat")
    for head in ("scenario", "measure", "size"):
        times.add_column(head)
    for head in ("delta-spark", "ours", "ratio", "goal", "growth", "floor"):
        times.add_column(head, justify="right")
    counts = Table(title="counts, delta-spark / ours")
    for head in ("scenario", "size", *COUNTS, "CPU s", "JIT s", "heap MB"):
        counts.add_column(head)
    for line in found:
        times.add_row(*_times(found, line))
        if line.measure == line.scenario.measures[0]:
            counts.add_row(*_counts(line))
    return times, counts


def _times(found: Sequence[Line], line: Line) -> list[str]:
    grown = growth(found, line)
    return [
        line.scenario.name,
        line.measure.name,
        f"{line.size:,} {line.scenario.unit}",
        _spread(line.seconds["stock"]),
        _spread(line.seconds["ours"]),
        f"{line.ratio:,.1f}",
        _target(found, line),
        "-" if grown is None or line.measure.growth is None else _grown(grown, line.measure.growth),
        "-" if line.floor is None else f"{line.floor:.3f}",
    ]


def _target(found: Sequence[Line], line: Line) -> str:
    return format_target(line.measure) if line.size == target_size(found, line) else "-"


def format_target(measure: Measure) -> str:
    """Format the target of a measure: a ratio, or a time."""
    if measure.limit is not None:
        return f"≤ {format_seconds(measure.limit)}"
    return "-" if measure.ratio is None else f"{measure.ratio:,g}"


def target_size(found: Sequence[Line], line: Line) -> int:
    """Return the size to which the target of a measure applies."""
    return line.measure.at or _largest(found, line.scenario)


def _largest(found: Sequence[Line], scenario: Scenario) -> int:
    return max(line.size for line in found if line.scenario == scenario)


def _grown(grown: Mapping[str, float], most: float) -> str:
    return f"{grown['stock']:.1f} / {grown['ours']:.1f} (≤ {most})"


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.4g} (x{max(seconds) / min(seconds):.2f})"


def _counts(line: Line) -> list[str]:
    stock, ours = line.counts["stock"], line.counts["ours"]
    plain = (f"{stock[name]:,} / {ours[name]:,}" for name in COUNTS)
    cpu = f"{stock['cpuNanos'] / 1e9:.1f} / {ours['cpuNanos'] / 1e9:.1f}"
    heap = f"{stock['heapBytes'] >> 20:,} / {ours['heapBytes'] >> 20:,}"
    return [line.scenario.name, f"{line.size:,}", *plain, cpu, _jit(stock, ours), heap]


def _jit(stock: Mapping[str, int], ours: Mapping[str, int]) -> str:
    """Earlier results do not have the time of the JIT compiler."""
    if "jitMillis" not in ours:
        return "-"
    return f"{stock['jitMillis'] / 1e3:.1f} / {ours['jitMillis'] / 1e3:.1f}"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *rows))


def draw(found: Sequence[Line], path: Path) -> None:
    """Draw both sides' times and the floor at the largest size, on a logarithmic scale."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    largest = [line for line in found if line.size == _largest(found, line.scenario)]
    rows = range(len(largest))
    figure, axes = pyplot.subplots(figsize=(10, 1.5 + 0.75 * len(largest)), layout="constrained")
    for shift, side, colour in ((0.2, "stock", ORANGE), (-0.2, "ours", BLUE)):
        took = [median(line.seconds[side]) for line in largest]
        label = "delta-spark 4.4.0" if side == "stock" else "deltasource"
        bars = axes.barh(
            [row + shift for row in rows], took, height=0.38, color=colour, label=label
        )
        axes.bar_label(bars, [format_seconds(seconds) for seconds in took], padding=3, fontsize=9)
    for row, line in zip(rows, largest, strict=True):
        if line.floor is not None:
            axes.plot([line.floor] * 2, [row - 0.45, row + 0.45], color=GREY, linewidth=1.5)
    axes.plot([], [], color=GREY, linewidth=1.5, label="floor, a lower bound")
    axes.set_xscale("log")
    axes.margins(x=0.12)
    names = [
        f"{line.scenario.title}\n{line.measure.name}, {line.size:,} {line.scenario.unit}"
        for line in largest
    ]
    axes.set_yticks(list(rows), names, fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, frameon=False)
    figure.savefig(path)
    pyplot.close(figure)


def format_seconds(seconds: float) -> str:
    """Format a duration in s, ms or µs."""
    for unit, worth in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= worth:
            return f"{seconds / worth:,.3g} {unit}"
    return f"{seconds * 1e6:,.3g} µs"
