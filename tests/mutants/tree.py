# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A private copy of the working tree, kept between runs so that sbt compiles incrementally."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mutants.patches import Mutant, apply
from support.build import LINE

JARS = Path("python", "src", "deltasource", "_jars")
S3A = Path(".cache", "s3a")
"""The connector that the tests use; git ignores it."""


@dataclass(frozen=True)
class Tree:
    """The copy of the working tree."""

    path: Path

    @contextmanager
    def planted(self, mutant: Mutant) -> Generator[None, None, None]:
        """Applies the fault to the tree, and reverts it on exit."""
        self._apply(mutant)
        try:
            yield
        finally:
            self._apply(mutant, "--reverse")

    def _apply(self, mutant: Mutant, *options: str) -> None:
        error = apply(mutant, self.path, *options)
        if error:
            raise RuntimeError(f"{mutant.path.name} does not apply: {error}")

    def take_bundle(self) -> None:
        """Copy the bundle jar that sbt built to the Python package, replacing all jars there."""
        shutil.rmtree(self.path / JARS, ignore_errors=True)
        (self.path / JARS).mkdir(parents=True)
        for jar in (self.path / "jvm" / "target" / LINE).glob("deltasource-spark_*.jar"):
            shutil.copy2(jar, self.path / JARS)


def copy(root: Path, to: Path) -> Tree:
    """Copy all files that git does not ignore, and delete all others from the copy."""
    wanted = _files(root)
    for name in wanted:
        source, target = root / name, to / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for path in _walk(to):
        if path.relative_to(to) not in wanted:
            path.unlink()
    if (root / S3A).exists() and not (to / S3A).exists():
        (to / S3A).parent.mkdir(exist_ok=True)
        (to / S3A).symlink_to(root / S3A)
    return Tree(to)


def _files(root: Path) -> set[Path]:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return {Path(name) for name in listed.split("\0") if name and (root / name).is_file()}


def _walk(folder: Path) -> Iterator[Path]:
    """The files of a folder, without build outputs."""
    for child in list(folder.iterdir()):
        if not child.is_dir():
            yield child
        elif child.name not in ("target", "_jars", "__pycache__", ".cache"):
            yield from _walk(child)
