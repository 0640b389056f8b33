# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The catalogue with all our optimizations on, with all off, and with each one off.

No optimization may change what a stream delivers. Ours runs against stock's recordings.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from parity.harness.both_sides import script_runner
from parity.harness.recorded import Recordings
from parity.session import Session

OFF = {
    "spark.deltasource.log.maxInMemoryCommitBytes": "0",
    "spark.deltasource.log.prefetchCommits": "0",
    "spark.deltasource.log.reuse": "false",
    "spark.deltasource.plan.reuse": "false",
    "spark.deltasource.snapshot.maxFilesOnDriver": "0",
}
"""Each optimization's conf, with the value that turns it off. The list interval is 0 in every
parity run: both sides must see the same commits at the same moment."""

SETTINGS = {
    "all on": {},
    "all off": OFF,
    **{f"without {name.removeprefix('spark.deltasource.')}": {name: OFF[name]} for name in OFF},
}


def run(parts: Sequence[str], folder: Path, console: Console) -> int:
    """Returns 0 if no setting changes any script's result; each setting has its own processes."""
    recordings = Recordings()
    failed = 0
    for number, (name, confs) in enumerate(SETTINGS.items()):
        runner = script_runner(folder / str(number), recordings.tables(), confs)
        session = Session(runner, console)
        try:
            session.recorded(name, recordings, parts)
        finally:
            runner.close()
        failed += session.report()
    return min(failed, 1)
