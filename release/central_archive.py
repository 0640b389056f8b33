# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The archive that Maven Central takes: a Maven repository with signatures, as a zip file."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Final

from release.central_rules import artifact_files

# The first time that a zip file can hold, so that equal files give equal archives.
TIME: Final = (1980, 1, 1, 0, 0, 0)


def copy_version(repository: Path, version: str, out: Path) -> None:
    """Copy the artifacts of one version from a Maven repository."""
    for pom in repository.rglob(f"*-{version}.pom"):
        shutil.copytree(pom.parent, out / pom.parent.relative_to(repository))


def sign(repository: Path, command: str) -> None:
    """Run a command for each file, with its path as the last argument; it writes FILE.asc."""
    for file in artifact_files(repository):
        subprocess.run([*shlex.split(command), str(file)], check=True)


def archive(repository: Path, out: Path) -> None:
    """Write all files of a repository to a zip file: sorted, and all with the same time."""
    with zipfile.ZipFile(out, "w") as content:
        for file in sorted(path for path in repository.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(repository).as_posix(), TIME)
            entry.external_attr = 0o644 << 16
            content.writestr(entry, file.read_bytes(), zipfile.ZIP_STORED)
