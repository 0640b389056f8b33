# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The clone that a release is built from: its version, its commit and its changes."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from release.changelog import Notes, notes


@dataclass(frozen=True)
class Source:
    """A clone of the repository."""

    root: Path

    @property
    def version(self) -> str:
        """The version in VERSION."""
        return (self.root / "VERSION").read_text(encoding="utf-8").strip()

    @property
    def notes(self) -> Notes:
        """The notes of this version."""
        return notes((self.root / "CHANGELOG.md").read_text(encoding="utf-8"), self.version)

    @property
    def commit(self) -> str:
        """The commit that is checked out."""
        return self._git("rev-parse", "HEAD")

    def tag_problems(self, tag: str) -> list[str]:
        """Return why this clone is not what the tag names."""
        right = tag == f"v{self.version}"
        return [] if right else [f"the tag is {tag}, but VERSION says {self.version}"]

    def change_problems(self) -> list[str]:
        """Return an entry if files differ from the commit."""
        changed = self._git("status", "--porcelain")
        return [f"files differ from the commit, commit them:\n{changed}"] if changed else []

    def jar_problems(self, jars: Sequence[Path]) -> list[str]:
        """Return the bundle jars that were built from another commit."""
        commit = f"Deltasource-Git-Commit: {self.commit}"
        return [
            f"{jar.name} was not built from {self.commit}"
            for jar in jars
            if commit not in _manifest(jar)
        ]

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.root), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _manifest(jar: Path) -> str:
    with zipfile.ZipFile(jar) as content:
        text = content.read("META-INF/MANIFEST.MF").decode()
    # A line of more than 72 bytes continues on the next one, after a space.
    return text.replace("\r\n ", "")
