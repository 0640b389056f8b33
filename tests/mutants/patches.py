# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Mutants as they stand on disk: a header that says what is wrong and who must notice, then a diff.

Id: S3a
Row: S3
Fault: getBatch ignores the start offset
Tests: io.github.deltasource.SomeSuite -- -z "part of a test's name"
Tests: pytest tests/python/spark/test_streams.py::test_restart
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
    """What is wrong with the patches, one mistake a line."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        super().__init__("\n".join(mistakes))


@dataclass(frozen=True)
class ScalaTest:
    """The tests of one suite whose names contain a text."""

    suite: str
    part: str

    def __str__(self) -> str:
        return f'{self.suite} -- -z "{self.part}"'


@dataclass(frozen=True)
class PyTest:
    """One node of the Python tests."""

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
        """Tell whether sbt has to build something for it."""
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
    if value["Id"] != path.stem:
        raise PatchError([f"{path.name}: its Id is {value['Id']}, the file must be called so"])
    return Mutant(value["Id"], value["Row"], value["Fault"], tests, path)


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
    read = [_read(path) for path in sorted(folder.glob("*.patch"), key=_natural)]
    mistakes = [str(error) for error in read if isinstance(error, PatchError)]
    if mistakes:
        raise PatchError(mistakes)
    return [mutant for mutant in read if isinstance(mutant, Mutant)]


def _read(path: Path) -> Mutant | PatchError:
    try:
        return parse(path)
    except PatchError as error:
        return error


def rows(folder: Path = FOLDER) -> list[str]:
    lines = (folder / "rows.txt").read_text().splitlines()
    return [row for line in lines if not line.startswith("#") for row in line.split()]


def refused(mutants: Sequence[Mutant], root: Path) -> list[str]:
    """Patches that no longer apply."""
    return [f"{m.path.name}: {said}" for m in mutants if (said := apply(m, root, "--check"))]


def uncovered(mutants: Sequence[Mutant], known: Sequence[str]) -> list[str]:
    """Rows without a patch, and rows nobody knows.

    A row `M` and a number is a fixed bug: its test carries the number, and no document lists it.
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
    """Answers what git said against it, nothing if it went well."""
    command = ["git", "apply", *options, str(mutant.path.resolve())]
    # Without the ceiling git would take a tree inside another repository for a part of that.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(tree.resolve().parent)}
    done = subprocess.run(
        command, cwd=tree, env={**_environment(), **ceiling}, capture_output=True, text=True
    )
    return done.stderr.strip() if done.returncode else ""


def _environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(n or 0), text) for text, n in re.findall(r"(\D+)(\d*)", path.stem)]
