# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What stock gave for each sink script."""

from collections.abc import Iterable
from pathlib import Path

from parity import codec
from parity.recorded import FOLDER, fitting, write
from parity.sink.script import Outcome, SinkScript
from parity.store import digest

FILE = FOLDER / "sink.json"


def outcome(script: SinkScript, file: Path = FILE) -> Outcome:
    """Raise StaleError if it is not of the script as it is now, or not of this stock."""
    read: Outcome = codec.value(fitting(file, script.name, played(script))["outcome"])
    return read


def keep(outcomes: Iterable[tuple[SinkScript, Outcome]], file: Path = FILE) -> None:
    """In place of all that was there."""
    scripts = {
        script.name: {"script": played(script), "outcome": codec.plain(outcome)}
        for script, outcome in outcomes
    }
    write(file, scripts)


def played(script: SinkScript) -> str:
    """The digest of what is run."""
    return digest((script.steps, script.folder))
