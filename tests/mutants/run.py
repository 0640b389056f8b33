# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Applies each mutant to a copy of the code and checks that the tests it names catch it.

Usage, with `tests` on the path: python -m mutants.run [--check] [--only ID ...] [--part K/N]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from mutants import patches
from mutants.patches import Mutant, PatchError
from mutants.runner import Outcome, Result, Runner
from mutants.sbt_shell import SbtShell
from mutants.tree import copy
from support.fraction import fraction

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _options(arguments)
    try:
        mutants = patches.load()
    except PatchError as error:
        return _fail(str(error))
    wrong = patches.refused(mutants, ROOT)
    if options.check:
        wrong += patches.uncovered(mutants, patches.rows())
    if wrong:
        return _fail("\n".join(wrong))
    if options.check:
        print(f"{len(mutants)} mutants apply, and every row has one")
        return 0
    unknown = set(options.only) - {name for one in mutants for name in (one.id, one.row)}
    if unknown:
        return _fail(f"no mutant has the Id or the Row {', '.join(sorted(unknown))}")
    return _try(part(only(mutants, options.only), *options.part))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutants.run", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only check that every patch applies")
    parser.add_argument(
        "--only",
        metavar="ID",
        nargs="+",
        default=[],
        help="only these mutants; M52 is all of that row",
    )
    parser.add_argument(
        "--part",
        metavar="K/N",
        type=fraction,
        default=(1, 1),
        help="only the K-th of N parts of all mutants",
    )
    return parser.parse_args(arguments)


def only(mutants: Sequence[Mutant], names: Sequence[str]) -> Sequence[Mutant]:
    """The mutants with one of these ids or rows; all if no name is given."""
    return [one for one in mutants if not names or one.id in names or one.row in names]


def part(mutants: Sequence[Mutant], number: int, count: int) -> Sequence[Mutant]:
    """The `number`-th of `count` parts of nearly equal length, in the original order."""
    bounds = [len(mutants) * at // count for at in (number - 1, number)]
    return mutants[slice(*bounds)]


def _try(mutants: Sequence[Mutant]) -> int:
    tree = copy(ROOT, ROOT / "target" / "mutants")
    log = ROOT / "target" / "mutants.log"
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        log.open("w", buffering=1) as output,
        SbtShell(_launcher(), tree.path, output) as sbt,
        Progress(*bar, console=Console(stderr=True)) as progress,
    ):
        runner = Runner(tree, sbt)
        task = progress.add_task("the named tests, without a mutant", total=len(mutants))
        failing = runner.failing_without_mutant(mutants)
        if failing:
            return _fail("\n  ".join(["without a mutant, these fail or do not exist:", *failing]))
        results = []
        for mutant in mutants:
            progress.update(task, description=f"{mutant.id} {mutant.fault}")
            results.append(runner.run(mutant))
            if not progress.console.is_terminal:
                print(f"{mutant.id} {results[-1].outcome.value}", flush=True)
            progress.advance(task)
    return report(results, Console(width=None if sys.stdout.isatty() else 160))


def report(results: Sequence[Result], console: Console) -> int:
    table = Table("mutant", "row", "fault", "outcome", "by")
    for result in results:
        mutant = result.mutant
        style = "" if result.outcome is Outcome.CAUGHT else "bold red"
        by = "\n".join(result.by)
        table.add_row(mutant.id, mutant.row, mutant.fault, result.outcome.value, by, style=style)
    console.print(table)
    caught = sum(result.outcome is Outcome.CAUGHT for result in results)
    console.print(f"{caught} of {len(results)} mutants were caught")
    return 0 if caught == len(results) else 1


def _fail(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


def _launcher() -> list[str]:
    properties = (ROOT / "project" / "build.properties").read_text()
    version = properties.partition("sbt.version=")[2].split()[0]
    jar = ROOT / ".cache" / f"sbt-launch-{version}.jar"
    if not jar.exists():
        raise SystemExit(f"{jar} does not exist: run `make setup`")
    quiet = ["-Dsbt.color=false", "-Dsbt.supershell=false", "-Dsbt.server.autostart=false"]
    return ["java", "-Xmx2g", "-Xss4m", *quiet, "-jar", str(jar)]


if __name__ == "__main__":
    sys.exit(main())
