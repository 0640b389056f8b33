# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The catalogue with every shortcut of ours on, with every one off, and with each one off.

No shortcut may show in what a stream gives. What stock gave is recorded.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from parity.recorded import Recordings
from parity.session import Session
from parity.stage import live

OFF = {
    "spark.deltasource.log.heldCommitBytes": "0",
    "spark.deltasource.log.readAheadCommits": "0",
    "spark.deltasource.log.reuse": "false",
    "spark.deltasource.plan.reuse": "false",
    "spark.deltasource.snapshot.driverFiles": "0",
}
"""Each shortcut that has a switch, with the value that turns it off. That of the interval of
listings is off in every parity run: both sides must see the same at the same moment."""

SETTINGS = {
    "all on": {},
    "all off": OFF,
    **{f"without {name.removeprefix('spark.deltasource.')}": {name: OFF[name]} for name in OFF},
}


def run(parts: Sequence[str], folder: Path, console: Console) -> int:
    """0 if no setting shows in any script; each has processes of its own."""
    recordings = Recordings()
    failed = 0
    for number, (name, confs) in enumerate(SETTINGS.items()):
        stage = live(folder / str(number), recordings.tables(), confs)
        session = Session(stage, console)
        try:
            session.recorded(name, recordings, parts)
        finally:
            stage.close()
        failed += session.report()
    return min(failed, 1)
