# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m apply_changes`: random histories on an engine, compared with the fold over them."""

import argparse
import random
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from apply_changes import stored_failures
from apply_changes.explore import Exploration, Result
from apply_changes.memory_engines import IncrementalEngine
from apply_changes.random_scripts import random_script
from apply_changes.run import Engine
from apply_changes.shrink import PATIENCE
from apply_changes.spark_engine import SparkEngine, session

TRIALS = 60
"""How often a script is run to shrink it, if each trial is a stream."""


def parsed(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="apply_changes", description=__doc__)
    parser.add_argument("--histories", type=int, default=500, help="how many random histories")
    parser.add_argument("--seed", type=int, default=20260101, help="seed of the first one")
    parser.add_argument("--fresh", action="store_true", help="use a new random seed")
    parser.add_argument("--engine", choices=("spark", "memory"), default="spark")
    parser.add_argument("--together", type=int, default=420, help="histories that share a table")
    parser.add_argument(
        "--found", type=Path, default=stored_failures.FOUND, help="folder for failures"
    )
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    options = parsed(given)
    seed = random.SystemRandom().randrange(10**9) if options.fresh else options.seed
    console = Console()
    stored = list(stored_failures.kept(options.found).values())
    scripts = [random_script(number) for number in range(seed, seed + options.histories)]
    with engines(options.engine) as engine:
        patience = PATIENCE if options.engine == "memory" else TRIALS
        exploration = Exploration(engine, patience, options.found)
        again = [Result(1, 1, (found,)) for one in stored if (found := exploration.run(one))]
        results = list(
            followed(console, seed, len(scripts), exploration.results(scripts, options.together))
        )
    for result in (*again, *results):
        for failure in result.failures:
            file = stored_failures.name(failure.script)
            console.print(f"{file}: {failure}", markup=False, highlight=False)
    divergent = sum(result.divergent for result in (*again, *results))
    histories = len(stored) + sum(result.histories for result in results)
    console.print(f"{histories} histories, {divergent} divergent", highlight=False)
    return 1 if divergent else 0


def followed(
    console: Console, seed: int, total: int, results: Iterator[Result]
) -> Iterator[Result]:
    """The results, with a line of progress."""
    with Progress(console=console) as progress:
        task = progress.add_task(f"histories from {seed}", total=total)
        for result in results:
            progress.advance(task, result.histories)
            yield result


@contextmanager
def engines(name: str) -> Generator[Callable[[], Engine], None, None]:
    if name == "memory":
        yield IncrementalEngine
        return
    with session() as spark:
        yield lambda: SparkEngine(spark)


if __name__ == "__main__":
    sys.exit(main())
