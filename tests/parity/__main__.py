# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m parity`: stock and ours live, over the catalogue and over random scripts."""

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from parity import switches
from parity.catalogue import PARTS
from parity.recorded import Recordings
from parity.session import Session
from parity.stage import live

FIXED = 20260101
"""The first seed of the scripts that are the same in every run."""

RANDOM = {
    "planning": (1000, 200, "random planning scripts"),
    "chains": (400, 100, "random planning scripts over tables whose schema goes on changing"),
    "rows": (200, 20, "random scripts with rows"),
    "chain-rows": (40, 5, "random scripts with rows over such tables"),
    "confs": (300, 60, "random scripts with rows, of confs, options and schema changes together"),
}
"""How many `--all` runs from the fixed seed, how many from a fresh one, and what they are."""


def parsed(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="parity", description=__doc__)
    parser.add_argument(
        "--part", action="append", choices=(*PARTS, "none"), help="of the catalogue"
    )
    for name, (_, _, told) in RANDOM.items():
        parser.add_argument(f"--{name}", type=int, default=0, help=told)
    parser.add_argument("--seed", type=int, default=FIXED, help="of the first random script")
    parser.add_argument("--fresh", action="store_true", help="a seed of the moment, printed")
    parser.add_argument("--sink", action="store_true", help="what is written, instead of read")
    parser.add_argument("--batch", action="store_true", help="batch writes and reads")
    parser.add_argument("--costs", action="store_true", help="jobs, listings and scans of a batch")
    parser.add_argument(
        "--switches", action="store_true", help="the catalogue with each shortcut on and off"
    )
    parser.add_argument("--all", action="store_true", help="everything: what make parity runs")
    parser.add_argument("--update", action="store_true", help="record what stock gives, anew")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    asked = parsed(given)
    fresh = random.SystemRandom().randrange(10**9, 10**10)
    seed = fresh if asked.fresh else asked.seed
    console = Console()
    recordings = Recordings()
    parts = [part for part in asked.part or PARTS if part != "none"]
    with tempfile.TemporaryDirectory(prefix="parity-") as folder:
        if asked.switches:
            return switches.run(parts, Path(folder), console)
        stage = live(Path(folder), None if asked.update else recordings.tables())
        session = Session(stage, console)
        try:
            if asked.update:
                session.record(recordings)
                session.record_sink(Path(folder))
                session.record_batch(Path(folder))
                return 0
            if asked.sink or asked.all:
                session.sink(Path(folder))
            if asked.batch or asked.all:
                session.batch(Path(folder))
            if parts:
                session.catalogue(parts)
                session.check(recordings, parts)
                session.found()
            for name, (usual, _, _) in RANDOM.items():
                count = vars(asked)[name.replace("-", "_")]
                session.random(name, seed, usual if asked.all else count)
            if asked.costs or asked.all:
                session.costs(Path(folder))
            if asked.all:
                for name, (_, fewer, _) in RANDOM.items():
                    session.random(name, fresh, fewer)
        except KeyboardInterrupt:
            session.cut_short()
        finally:
            stage.close()
    return session.report()


if __name__ == "__main__":
    sys.exit(main())
