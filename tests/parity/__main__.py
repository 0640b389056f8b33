# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m parity`: runs the catalogue and random scripts live on stock and ours."""

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from parity import switches
from parity.catalogue import PARTS
from parity.harness.both_sides import script_runner
from parity.harness.recorded import Recordings, is_newest_line
from parity.session import Session
from support.build import LOCAL_FILES

FIXED = 20260101
"""The first seed of the random scripts that every run repeats."""

RANDOM = {
    "planning": (1000, 200, "random planning scripts"),
    "chains": (400, 100, "random planning scripts over tables whose schema keeps changing"),
    "rows": (200, 20, "random scripts with rows"),
    "chain-rows": (40, 5, "random scripts with rows over such tables"),
    "confs": (300, 60, "random scripts with rows that combine confs, options and schema changes"),
}
"""Per kind: how many `--all` runs from the fixed seed, how many from a fresh one, and the help."""


def parsed(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="parity", description=__doc__)
    parser.add_argument(
        "--part", action="append", choices=(*PARTS, "none"), help="part of the catalogue"
    )
    for name, (_, _, text) in RANDOM.items():
        parser.add_argument(f"--{name}", type=int, default=0, help=text)
    parser.add_argument("--seed", type=int, default=FIXED, help="seed of the first random script")
    parser.add_argument("--fresh", action="store_true", help="use a new random seed")
    parser.add_argument("--sink", action="store_true", help="the sink's scripts")
    parser.add_argument("--batch", action="store_true", help="batch writes and reads")
    parser.add_argument("--lines", action="store_true", help="restarts on another line of Spark")
    parser.add_argument("--costs", action="store_true", help="jobs, listings and scans per batch")
    parser.add_argument(
        "--switches", action="store_true", help="the catalogue with each optimization on and off"
    )
    parser.add_argument("--all", action="store_true", help="everything: what make parity runs")
    parser.add_argument("--update", action="store_true", help="record stock's results again")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    options = parsed(given)
    # As in the tests: the workers of both sides use local files without a process for each.
    os.environ.setdefault("SPARK_DIST_CLASSPATH", str(LOCAL_FILES))
    fresh = random.SystemRandom().randrange(10**9, 10**10)
    seed = fresh if options.fresh else options.seed
    console = Console()
    recordings = Recordings()
    parts = [part for part in options.part or PARTS if part != "none"]
    with tempfile.TemporaryDirectory(prefix="parity-") as folder:
        if options.switches:
            return switches.run(parts, Path(folder), console)
        # The tables are those of the newest line, on all lines.
        writes_tables = options.update and is_newest_line()
        runner = script_runner(Path(folder), None if writes_tables else recordings.tables())
        session = Session(runner, console)
        try:
            if options.update:
                session.record(recordings)
                session.record_sink(Path(folder))
                session.record_batch(Path(folder))
                return 0
            if options.sink or options.all:
                session.sink(Path(folder))
            if options.batch or options.all:
                session.batch(Path(folder))
            if options.lines or options.all:
                session.lines(recordings)
            if parts:
                session.catalogue(parts)
                session.check(recordings, parts)
                session.found()
            for name, (usual, _, _) in RANDOM.items():
                count = vars(options)[name.replace("-", "_")]
                session.random(name, seed, usual if options.all else count)
            if options.costs or options.all:
                session.costs(Path(folder))
            if options.all:
                for name, (_, fewer, _) in RANDOM.items():
                    session.random(name, fresh, fewer)
        except KeyboardInterrupt:
            session.cut_short()
        finally:
            runner.close()
    return session.report()


if __name__ == "__main__":
    sys.exit(main())
