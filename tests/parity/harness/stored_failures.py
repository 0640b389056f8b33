# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that once failed, shrunk and stored as files; they run with the catalogue."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from parity.harness import codec
from parity.planning.script import Plans
from parity.script import Script

FOUND = Path(__file__).resolve().parents[1] / "found"


def digest(script: object) -> str:
    return hashlib.sha256(codec.written(script).encode()).hexdigest()[:12]


def renamed(script: Script) -> Script:
    """The script with a new name: traces are cached by name, so a changed script needs one."""
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
