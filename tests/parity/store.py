# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that once failed, shrunk, as files: they are run with the catalogue from then on."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from parity import codec
from parity.planning.script import Plans
from parity.script import Script

FOUND = Path(__file__).resolve().parent / "found"


def digest(script: object) -> str:
    return hashlib.sha256(codec.written(script).encode()).hexdigest()[:12]


def renamed(script: Script) -> Script:
    """Traces are kept by name, so a script that changed needs another."""
    plain = replace(script, name="made up")
    return replace(plain, name=digest(plain))


def keep(script: Script | Plans, folder: Path = FOUND) -> Path:
    folder.mkdir(exist_ok=True)
    kind = "planning" if isinstance(script, Plans) else "rows"
    file = folder / f"{kind}-{digest(script)}.json"
    file.write_text(codec.written(script))
    return file


def kept(folder: Path = FOUND) -> dict[str, Script | Plans]:
    """The stored scripts by the names of their files."""
    return {
        file.stem: codec.value(json.loads(file.read_text()))
        for file in sorted(folder.glob("*.json"))
    }
