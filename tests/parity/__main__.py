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

from parity.catalogue import PARTS
from parity.recorded import Recordings
from parity.session import Session
from parity.stage import live

FIXED = 20260101
"""The first seed of the scripts that are the same in every run."""


def parsed(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="parity", description=__doc__)
    parser.add_argument(
        "--part", action="append", choices=(*PARTS, "none"), help="of the catalogue"
    )
    parser.add_argument("--planning", type=int, default=0, help="random planning scripts")
    parser.add_argument("--rows", type=int, default=0, help="random scripts with rows")
    parser.add_argument("--seed", type=int, default=FIXED, help="of the first random script")
    parser.add_argument("--fresh", action="store_true", help="a seed of the moment, printed")
    parser.add_argument("--costs", action="store_true", help="jobs, listings and scans of a batch")
    parser.add_argument("--all", action="store_true", help="everything: what make parity runs")
    parser.add_argument("--update", action="store_true", help="record what stock gives, anew")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    asked = parsed(given)
    fresh = random.SystemRandom().randrange(10**9, 10**10)
    seed = fresh if asked.fresh else asked.seed
    console = Console()
    recordings = Recordings()
    with tempfile.TemporaryDirectory(prefix="parity-") as folder:
        stage = live(Path(folder), None if asked.update else recordings.tables())
        session = Session(stage, console)
        parts = [part for part in asked.part or PARTS if part != "none"]
        try:
            if asked.update:
                session.record(recordings)
                return 0
            if parts:
                session.catalogue(parts)
                session.check(recordings, parts)
                session.found()
            session.plans(seed, 1000 if asked.all else asked.planning)
            session.rows(seed, 200 if asked.all else asked.rows)
            if asked.costs or asked.all:
                session.costs(Path(folder))
            if asked.all:
                session.plans(fresh, 200)
                session.rows(fresh, 20)
        finally:
            stage.close()
    return session.report()


if __name__ == "__main__":
    sys.exit(main())
