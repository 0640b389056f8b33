# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that once failed, shrunk and stored as files; they are run from then on."""

import hashlib
from pathlib import Path

from apply_changes import codec
from apply_changes.history import Script

FOUND = Path(__file__).with_name("found")


def keep(script: Script, folder: Path = FOUND) -> Path:
    folder.mkdir(exist_ok=True)
    text = codec.written(script)
    file = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    file.write_text(text, encoding="utf-8")
    return file


def kept(folder: Path = FOUND) -> dict[str, Script]:
    """The stored scripts by the names of their files."""
    return {
        file.stem: codec.read(file.read_text(encoding="utf-8"))
        for file in sorted(folder.glob("*.json"))
    }
