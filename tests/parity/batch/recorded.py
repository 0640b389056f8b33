# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What stock gave for each batch script."""

from collections.abc import Iterable
from pathlib import Path

from parity import codec
from parity.batch.script import BatchScript, Left
from parity.recorded import FOLDER, fitting, write
from parity.store import digest

FILE = FOLDER / "batch.json"


def left(script: BatchScript, file: Path = FILE) -> Left:
    """Raise StaleError if there is none of the script as it is now, or by this stock."""
    found: Left = codec.value(fitting(file, script.name, played(script))["left"])
    return found


def keep(found: Iterable[tuple[BatchScript, Left]], file: Path = FILE) -> None:
    """Replaces the file."""
    scripts = {
        script.name: {"script": played(script), "left": codec.plain(left)} for script, left in found
    }
    write(file, scripts)


def played(script: BatchScript) -> str:
    """The digest of what is run."""
    return digest((script.setup, script.steps))
