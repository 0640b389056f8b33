# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stock's recorded results of each sink script."""

from collections.abc import Iterable
from pathlib import Path

from parity.harness import codec
from parity.harness.recorded import FOLDER, fitting, write
from parity.harness.stored_failures import digest
from parity.sink.script import Outcome, SinkScript

FILE = FOLDER / "sink.json"


def outcome(script: SinkScript, file: Path = FILE) -> Outcome:
    """The recording; raises StaleError if it is missing, or of another script or stock version."""
    read: Outcome = codec.value(fitting(file, script.name, played(script))["outcome"])
    return read


def keep(outcomes: Iterable[tuple[SinkScript, Outcome]], file: Path = FILE) -> None:
    """Replaces the file."""
    scripts = {
        script.name: {"script": played(script), "outcome": codec.plain(outcome)}
        for script, outcome in outcomes
    }
    write(file, scripts)


def played(script: SinkScript) -> str:
    """A digest of everything that determines the result."""
    return digest((script.steps, script.folder))
