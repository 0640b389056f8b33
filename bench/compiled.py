# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The share of the JIT compiler: the same stream again and again in one process.

With deltasource only. Writes the results to a JSON file and draws the time of each run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from rich.console import Console

from bench import report
from bench.machine import machine
from bench.run import PLANNING, ROOT, floor_of, table_of, task_of, work
from bench.run_result import RunResult
from bench.scenario import Measure, Scale, Scenario
from bench.scenarios import SCENARIOS

PROFILED: Final = ("snapshot", "commit", "backlog", "start", "restart")
GOALS: Final = {
    ("snapshot", "first batch"): 0.6,
    ("commit", "all batches"): 1.0,
    ("backlog", "all batches"): 1.5,
}
"""Seconds, from issue 23."""

COMPILED: Final = 3
"""The last runs, whose median is the time of compiled code."""

SAME: Final = ("jobs", "open", "lines", "bytes")
"""Counts that are the same in each run, so that no run is quicker because it does less."""

HEAD: Final = ("scenario", "size", "first run", "its JIT", "compiled", "its JIT", "goal", "floor")


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The runs of a scenario in one process, in order, and those of its floor in another."""

    scenario: Scenario
    size: int
    runs: Sequence[RunResult]
    floors: Sequence[RunResult]

    def seconds(self, measure: Measure) -> Sequence[float]:
        return [measure.seconds(run) for run in self.runs]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write `compiled.json` and draw `compiled.svg`."""
    parser = argparse.ArgumentParser(prog="bench.compiled", description=__doc__)
    parser.add_argument("--scale", choices=("small", "full"), default="full")
    parser.add_argument("--runs", type=int, default=8, help="runs in a process (default: 8)")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "bench")
    given = parser.parse_args(arguments)
    if given.runs <= COMPILED:
        parser.error(f"--runs must be more than {COMPILED}, got {given.runs}")
    console = Console()
    measured: dict[str, Any] = {}
    for scenario in SCENARIOS:
        if scenario.name in PROFILED:
            with console.status(scenario.title):
                measured[scenario.name] = repeated(scenario, given.scale, given.runs)
    given.out.mkdir(parents=True, exist_ok=True)
    content = {"machine": machine(), "scenarios": measured}
    file = given.out / "compiled.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    found = load(file)
    draw(found, given.out / "compiled.svg")
    console.print(page(found), markup=False, soft_wrap=True)
    console.print(f"chart: {given.out / 'compiled.svg'}")
    return 0


def repeated(scenario: Scenario, scale: Scale, runs: int) -> Mapping[str, Any]:
    """Run a scenario at its largest size in one process, after its warm-up."""
    size, most = scenario.sizes[scale][-1], scenario.batches[scale]
    write = scenario.write
    if write is None:
        raise ValueError(f"{scenario.name} has no log to read")
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        for one in (scenario.warm, size):
            write(table_of(folder, one), folder / f"waiting-{one}", one)
        warm = task_of(scenario, folder, size=scenario.warm, name="warm", batches=min(most, 10))
        tasks = [
            task_of(scenario, folder, size=size, name=f"run-{number}", batches=most)
            for number in range(runs)
        ]
        results = work(
            what=scenario.name, side="ours", warm=warm, tasks=tasks, folder=folder, confs=PLANNING
        )
        first, floor = (floor_of(scenario, folder, one) for one in (scenario.warm, size))
        floors = work(
            what=scenario.name,
            side="floor",
            warm=first,
            tasks=[floor] * runs,
            folder=folder,
            confs={},
        )
    require_same_work(scenario.name, results)
    return {"size": size, "results": results, "floors": floors}


def require_same_work(name: str, results: Sequence[Mapping[str, Any]]) -> None:
    """Fail if a run has read less than another: it would not show what compiling takes."""
    for count in SAME:
        found = {result["costs"][count] for result in results}
        if len(found) > 1:
            raise RuntimeError(f"{name}: the runs differ in {count}: {sorted(found)}")


def load(file: Path) -> Sequence[Profile]:
    """Load saved results; [] if there are none."""
    if not file.exists():
        return []
    saved = json.loads(file.read_text(encoding="utf-8"))["scenarios"]
    return [
        Profile(
            scenario=scenario,
            size=saved[scenario.name]["size"],
            runs=[RunResult.of(result) for result in saved[scenario.name]["results"]],
            floors=[RunResult.of(result) for result in saved[scenario.name]["floors"]],
        )
        for scenario in SCENARIOS
        if scenario.name in saved
    ]


def page(found: Sequence[Profile]) -> str:
    """Return a Markdown table of the first run and of the last ones; empty without results."""
    if not found:
        return ""
    return report.markdown(HEAD, (_cells(one, measure) for one, measure in _measures(found)))


def _measures(found: Sequence[Profile]) -> Iterator[tuple[Profile, Measure]]:
    return ((one, measure) for one in found for measure in one.scenario.measures)


def _cells(profile: Profile, measure: Measure) -> list[str]:
    seconds = profile.seconds(measure)
    # The compiler runs during all batches, so its time is shown for the measure of all of them.
    jit = [run.costs["jitMillis"] / 1e3 for run in profile.runs]
    is_whole = measure == profile.scenario.measures[0]
    goal = GOALS.get((profile.scenario.name, measure.name))
    return [
        f"`{profile.scenario.name}`, {measure.name}",
        f"{profile.size:,} {profile.scenario.unit}",
        report.format_seconds(seconds[0]),
        report.format_seconds(jit[0]) if is_whole else "-",
        f"**{report.format_seconds(median(seconds[-COMPILED:]))}**",
        report.format_seconds(median(jit[-COMPILED:])) if is_whole else "-",
        "-" if goal is None else f"≤ {report.format_seconds(goal)}",
        report.format_seconds(median(floor.start for floor in profile.floors[-COMPILED:])),
    ]


def draw(found: Sequence[Profile], path: Path) -> None:
    """Draw the time of each run."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 3.5), layout="constrained")
    for profile, measure in _measures(found):
        seconds = profile.seconds(measure)
        numbers = range(1, len(seconds) + 1)
        name = f"{profile.scenario.name}, {measure.name}"
        axes.plot(numbers, seconds, marker="o", markersize=3, linewidth=1, label=name)
        axes.set_xticks(list(numbers))
    axes.set_ylim(bottom=0)
    axes.set_xlabel("run in the same process")
    axes.set_ylabel("seconds")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9)
    figure.savefig(path)
    pyplot.close(figure)


if __name__ == "__main__":
    sys.exit(main())
