# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that once failed, shrunk and stored as files; they are run from then on."""

import hashlib
from pathlib import Path

from apply_changes import codec
from apply_changes.history import Script

FOUND = Path(__file__).with_name("found")


def name(script: Script) -> str:
    """The name of the script's file."""
    return hashlib.sha256(codec.written(script).encode()).hexdigest()[:12] + ".json"


def keep(script: Script, folder: Path = FOUND) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name(script)
    file.write_text(codec.written(script), encoding="utf-8")
    return file


def kept(folder: Path = FOUND) -> dict[str, Script]:
    """The stored scripts by the names of their files."""
    return {
        file.stem: codec.read(file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.json"))
    }
