# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Measure delta-spark and deltasource on the same tables; see bench/README.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress

from bench import freshness, report, results, store_requests
from bench.machine import machine
from bench.run import ROOT, SIDES, Run, runs
from bench.scenario import Scale, Scenario
from bench.scenarios import SCENARIOS

OUT: Final = ROOT / "target" / "bench"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run scenarios, write one JSON file for each, and print all results in the folder."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    names = [*(scenario.name for scenario in SCENARIOS), "requests"]
    parser.add_argument("scenario", nargs="*", help=f"default: all of {', '.join(names)}")
    parser.add_argument("--scale", choices=("small", "full"), default="full")
    parser.add_argument("--repeats", type=int, help="runs of each side; default: 3, small: 1")
    parser.add_argument("--out", type=Path, default=OUT, help="folder for the results")
    parser.add_argument("--again", action="store_true", help="ignore existing results")
    given = parser.parse_args(arguments)
    if unknown := set(given.scenario) - set(names):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join(names)}")
    out = given.out / given.scale
    out.mkdir(parents=True, exist_ok=True)
    console = Console(width=None if sys.stdout.isatty() else 160)
    measuring: dict[str, Callable[[Path], None]] = {
        scenario.name: partial(measured, scenario, given.scale, given.repeats, console)
        for scenario in SCENARIOS
    }
    measuring["requests"] = partial(store_requests.measure, given.scale)
    for name, measure in measuring.items():
        file = out / f"{name}.json"
        wanted = not given.scenario or name in given.scenario
        if wanted and (given.again or not file.exists()):
            measure(file)
    show(out, console)
    return 0


def measured(
    scenario: Scenario, scale: Scale, repeats: int | None, console: Console, file: Path
) -> None:
    """Run one scenario, and write its file when all runs are done."""
    sizes = scenario.sizes[scale]
    times = repeats or (1 if scale == "small" else 3)
    # At scale small, sizes share a process, to be quick; at full they do not, to be comparable.
    apart = [sizes] if scale == "small" else [(size,) for size in sizes]
    found: list[Run] = []
    with Progress(console=console) as progress:
        total = len(apart) * (times * len(SIDES) + scenario.floor)
        task = progress.add_task(scenario.name, total=total)
        for together in apart:
            for run in runs(scenario, scale, together, times):
                found.append(run)
                progress.advance(task)
    content = {"machine": machine(), "runs": [asdict(run) for run in found]}
    file.write_text(json.dumps(content), encoding="utf-8")


def show(out: Path, console: Console) -> None:
    """Print and draw all results in a folder."""
    found = results.load(out)
    for table in report.tables(found):
        console.print(table)
    if found:
        report.draw(found, out / "bench.svg")
        console.print(f"chart: {out / 'bench.svg'}")
    if saved := results.runs(out, "freshness"):
        console.print(freshness.table(saved))
        freshness.draw(saved, out / "freshness.svg")
        console.print(f"chart: {out / 'freshness.svg'}")
    if phases := store_requests.load(out):
        console.print(store_requests.table(phases))


if __name__ == "__main__":
    sys.exit(main())
