# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stock's recorded results of each batch script."""

from collections.abc import Iterable
from pathlib import Path

from parity.batch.script import BatchScript, Left
from parity.harness import codec
from parity.harness.recorded import FOLDER, fitting, write
from parity.harness.stored_failures import digest

FILE = FOLDER / "batch.json"


def left(script: BatchScript, file: Path = FILE) -> Left:
    """The recording; raises StaleError if it is missing, or of another script or stock version."""
    found: Left = codec.value(fitting(file, script.name, played(script))["left"])
    return found


def keep(found: Iterable[tuple[BatchScript, Left]], file: Path = FILE) -> None:
    """Replaces the file."""
    scripts = {
        script.name: {"script": played(script), "left": codec.plain(left)} for script, left in found
    }
    write(file, scripts)


def played(script: BatchScript) -> str:
    """A digest of everything that determines the result."""
    return digest((script.setup, script.steps))
