# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m soak`: runs ten streams in one driver for hours, and reports what was wrong."""

import argparse
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from object_stores.fault_store import faulty_store
from object_stores.store import local_store
from soak import report
from soak.disturbance import Disturbance, disturbances
from soak.place import Place
from soak.result import Result
from soak.soak import Soak
from soak.stream import STREAMS, SoakStream


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--out", type=Path, default=Path("target/soak"), help="for the report")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args(given)
    console = Console(width=None if sys.stdout.isatty() else 160)
    # Tables and the logs of the processes stay, for a look at what was wrong.
    work: Path = options.out / "work"
    shutil.rmtree(work, ignore_errors=True)
    began = time.monotonic()
    with Progress(console=console) as progress:
        task = progress.add_task("starting", total=options.hours * 3600)

        def show(text: str) -> None:
            progress.update(task, description=text, completed=time.monotonic() - began)
            if not console.is_terminal:
                console.log(text)

        rounds = disturbances(options.hours, random.Random(options.seed), time.monotonic)
        result = run(work.resolve(), rounds, seed=options.seed, log=show)
    report.write(result, options.out)
    for text in result.wrong:
        console.print(text, markup=False)
    console.print(f"{len(result.wrong)} findings, see {options.out / report.PAGE}", markup=False)
    return 1 if result.wrong else 0


def run(
    folder: Path,
    rounds: Iterable[Disturbance],
    *,
    streams: Sequence[SoakStream] = STREAMS,
    seed: int,
    confs: Mapping[str, str] | None = None,
    log: Callable[[str], None],
) -> Result:
    """Run a soak in a folder, with a store of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    with local_store(folder) as store, faulty_store(store, folder) as faulty:
        place = Place(folder, faulty)
        return Soak(place, streams, seed=seed, confs=confs or {}, log=log).run(rounds)


if __name__ == "__main__":
    sys.exit(main())
