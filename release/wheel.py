# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What must be true of the wheel of a release."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

LARGEST: Final = 60_000_000


def problems(wheel: Path, repository: Path) -> list[str]:
    """Check a wheel's size, its metadata, and that its jars are those of a Maven repository."""
    found: list[str] = []
    if (size := wheel.stat().st_size) > LARGEST:
        found.append(f"{wheel.name} has {size} bytes: PyPI's limit is near, at most {LARGEST}")
    twine = [sys.executable, "-m", "twine", "--no-color", "check", "--strict", str(wheel)]
    checked = subprocess.run(twine, capture_output=True, text=True, check=False)
    if checked.returncode != 0:
        found.append(f"twine check: {checked.stdout.strip()}{checked.stderr.strip()}")
    with zipfile.ZipFile(wheel) as content:
        for name in content.namelist():
            if name.endswith(".jar"):
                published = list(repository.rglob(Path(name).name))
                if [jar.read_bytes() for jar in published] != [content.read(name)]:
                    found.append(f"{name} in the wheel is not the jar in the Maven repository")
    return found
