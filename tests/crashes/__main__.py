# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m crashes`: kills streams and reports lost and duplicated rows."""

import argparse
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from crashes.killing import APPLYING, COPYING, run
from crashes.place import Place
from parity.harness.both_sides import OURS, STOCK


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="crashes", description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--streams", type=int, default=3)
    parser.add_argument(
        "--files", type=int, help="files in the source, one per batch; default: 10 for each kill"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--turns", action="store_true", help="alternate between stock and ours")
    parser.add_argument("--apply", action="store_true", help="apply changes instead of copying")
    options = parser.parse_args(given)
    console = Console()
    with tempfile.TemporaryDirectory(prefix="crashes-") as folder:
        crashes = run(
            Place(Path(folder), options.streams),
            files=options.files or 10 * options.kills,
            kills=options.kills,
            sides=(OURS, STOCK) if options.turns else (OURS,),
            seed=options.seed,
            moments=APPLYING if options.apply else COPYING,
            applies=options.apply,
            log=console.log,
        )
        faults = crashes.wrong()
    console.print(f"seed {options.seed}: {crashes.kills} kills of {options.streams} streams each")
    for moment, count in crashes.caught.items():
        console.print(f"  {count} streams were killed {moment.value}")
    if crashes.kills < options.kills:
        left = options.kills - crashes.kills
        console.print(f"{left} runs ended before their kill: use more --files")
    for fault in faults:
        console.print(fault)
    return 1 if faults or crashes.kills < options.kills else 0


if __name__ == "__main__":
    sys.exit(main())
