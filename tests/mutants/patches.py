# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Mutants on disk: a header that names the fault and the tests that must fail, then a diff.

Id: S3a
Row: S3
Fault: getBatch ignores the start offset
Tests: io.github.deltasource.SomeSuite -- -z "part of a test's name"
Tests: pytest tests/python/spark/test_streams.py::test_restart

The file is S3/S3a.patch: a folder for each row, and an Id is its row and a letter.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
FIELDS = ("Id", "Row", "Fault", "Tests")


class PatchError(Exception):
    """The mistakes in the patches, one per line."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        super().__init__("\n".join(mistakes))


@dataclass(frozen=True)
class ScalaTest:
    """The tests of one suite whose names contain a string."""

    suite: str
    part: str

    def __str__(self) -> str:
        return f'{self.suite} -- -z "{self.part}"'


@dataclass(frozen=True)
class PyTest:
    """One pytest node id."""

    node: str

    def __str__(self) -> str:
        return f"pytest {self.node}"


Test = ScalaTest | PyTest


@dataclass(frozen=True)
class Mutant:
    """One planted fault."""

    id: str
    row: str
    fault: str
    tests: tuple[Test, ...]
    path: Path

    @property
    def touches_jvm(self) -> bool:
        """Whether sbt has to build something for it."""
        return "\n+++ b/jvm/" in self.path.read_text()


def parse(path: Path) -> Mutant:
    header, found, _ = path.read_text().partition("\ndiff --git ")
    lines = [line.partition(": ") for line in header.splitlines() if line.strip()]
    count = Counter(name for name, _, _ in lines)
    mistakes = [
        *(f"{path.name}: unknown line {name!r}" for name in count if name not in FIELDS),
        *(f"{path.name}: no line {name}:" for name in FIELDS if not count[name]),
        *(f"{path.name}: two lines {n}:" for n in ("Id", "Row", "Fault") if count[n] > 1),
    ]
    if not found:
        mistakes.append(f"{path.name}: no line starts with 'diff --git'")
    if mistakes:
        raise PatchError(mistakes)
    value = {name: text.strip() for name, _, text in lines}
    tests = tuple(_test(path, text.strip()) for name, _, text in lines if name == "Tests")
    mutant = Mutant(value["Id"], value["Row"], value["Fault"], tests, path)
    if not re.fullmatch(re.escape(mutant.row) + "[a-z]+", mutant.id):
        raise PatchError([f"{path.name}: Id {mutant.id} must be its row {mutant.row} and a letter"])
    return mutant


def _test(path: Path, text: str) -> Test:
    scala = re.fullmatch(r'([\w.]+) -- -z "([^"]+)"', text)
    if scala:
        return ScalaTest(scala[1], scala[2])
    python = re.fullmatch(r"pytest (\S.*)", text)
    if python:
        return PyTest(python[1])
    raise PatchError([f'{path.name}: Tests: is neither `Suite -- -z "part"` nor `pytest node`'])


def load(folder: Path = FOLDER) -> list[Mutant]:
    """Every patch of a folder, or all mistakes of all of them."""
    read = [_read(path, folder) for path in sorted(folder.rglob("*.patch"), key=_natural)]
    mistakes = [str(error) for error in read if isinstance(error, PatchError)]
    if mistakes:
        raise PatchError(mistakes)
    return [mutant for mutant in read if isinstance(mutant, Mutant)]


def _read(path: Path, folder: Path) -> Mutant | PatchError:
    try:
        mutant = parse(path)
    except PatchError as error:
        return error
    at, wanted = path.relative_to(folder), Path(mutant.row, f"{mutant.id}.patch")
    return mutant if at == wanted else PatchError([f"{at}: must be {wanted}, by its Row and Id"])


def rows(folder: Path = FOLDER) -> list[str]:
    lines = (folder / "rows.txt").read_text().splitlines()
    return [row for line in lines if not line.startswith("#") for row in line.split()]


def refused(mutants: Sequence[Mutant], root: Path) -> list[str]:
    """Patches that no longer apply."""
    return [f"{m.path.name}: {error}" for m in mutants if (error := apply(m, root, "--check"))]


def uncovered(mutants: Sequence[Mutant], known: Sequence[str]) -> list[str]:
    """Rows without a patch, and patches for unknown rows.

    A row `M` and a number is a fixed bug: its test has the number, and no document lists it.
    """
    covered = {mutant.row for mutant in mutants}
    bug = re.compile(r"M\d+")
    return [
        *(f"no patch for row {row}" for row in known if row not in covered),
        *(
            f"{m.path.name}: unknown row {m.row}"
            for m in mutants
            if m.row not in known and not bug.fullmatch(m.row)
        ),
    ]


def apply(mutant: Mutant, tree: Path, *options: str) -> str:
    """Returns git's error message, empty if the patch applied."""
    command = ["git", "apply", *options, str(mutant.path.resolve())]
    # Without the ceiling, git would treat a tree inside another repository as part of it.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(tree.resolve().parent)}
    done = subprocess.run(
        command, cwd=tree, env={**_environment(), **ceiling}, capture_output=True, text=True
    )
    return done.stderr.strip() if done.returncode else ""


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(n or 0), text) for text, n in re.findall(r"(\D+)(\d*)", path.stem)]
