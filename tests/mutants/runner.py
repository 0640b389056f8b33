# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests that a mutant names, and decides from their reports whether it was caught."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from xml.etree import ElementTree

from mutants.patches import Mutant, PyTest, ScalaTest, Test
from mutants.sbt_shell import HungError, SbtShell
from mutants.tree import Tree
from support.build import LINE, SBT_PROJECT

SECONDS = 300.0
"""For the tests of a mutant. Without a mutant, all tests run together, and have more time."""


class Outcome(Enum):
    """Only CAUGHT passes: if compilation or the run fails, no test has noticed the fault."""

    CAUGHT = "caught"
    SURVIVED = "survived"
    NOT_COMPILED = "did not compile"
    NOT_BUILT = "was not compiled in"
    NOT_RUN = "its tests did not run"
    HUNG = "hung"


@dataclass(frozen=True)
class Case:
    """One test that ran."""

    suite: str
    name: str
    failed: bool


@dataclass(frozen=True)
class Result:
    """The outcome of a mutant, and the tests that caught it."""

    mutant: Mutant
    outcome: Outcome
    by: tuple[str, ...] = ()


class NotCompiledError(Exception):
    """The code does not compile, so no test ran."""


def result_of(mutant: Mutant, ran: Iterable[Case]) -> Result:
    named = [case for case in ran if any(covers(test, case) for test in mutant.tests)]
    if not named:
        return Result(mutant, Outcome.NOT_RUN)
    by = tuple(case.name for case in named if case.failed)
    return Result(mutant, Outcome.CAUGHT if by else Outcome.SURVIVED, by)


def covers(test: Test, case: Case) -> bool:
    match test:
        case ScalaTest(suite, part):
            return case.suite == suite and part in case.name
        case PyTest(node):
            file, *inner = node.split("::")
            place = ".".join([file.removesuffix(".py").replace("/", "."), *inner])
            name = f"{case.suite}.{case.name}"
            return name == place or name.startswith((f"{place}.", f"{place}["))


def cases(report: Path) -> list[Case]:
    """Read a JUnit report; skipped tests did not run."""
    found = ElementTree.parse(report).iter("testcase") if report.exists() else ()
    return [
        Case(case.get("classname", ""), case.get("name", ""), _has(case, "failure", "error"))
        for case in found
        if not _has(case, "skipped")
    ]


def _has(case: ElementTree.Element, *tags: str) -> bool:
    return any(case.find(tag) is not None for tag in tags)


@dataclass(frozen=True)
class Runner:
    """Judges mutants in one tree with one sbt."""

    tree: Tree
    sbt: SbtShell

    def failing_without_mutant(self, mutants: Iterable[Mutant]) -> list[str]:
        """The named tests that fail without any mutant, or that do not exist."""
        tests = sorted({test for mutant in mutants for test in mutant.tests}, key=str)
        ran = self._run_tests(tests)
        passing = [case for case in ran if not case.failed]
        return [
            str(test)
            for test in tests
            if not any(covers(test, case) for case in passing)
            or any(covers(test, case) for case in ran if case.failed)
        ]

    def run(self, mutant: Mutant) -> Result:
        try:
            with self.tree.planted(mutant):
                before = self.sbt.compilations
                result = result_of(mutant, self._run_tests(mutant.tests))
                built = self.sbt.compilations > before or not mutant.touches_jvm
        except NotCompiledError:
            return Result(mutant, Outcome.NOT_COMPILED)
        except HungError:
            return Result(mutant, Outcome.HUNG)
        if result.outcome is Outcome.SURVIVED and not built:
            return Result(mutant, Outcome.NOT_BUILT)
        return result

    def _run_tests(self, tests: Sequence[Test]) -> list[Case]:
        scala = [test for test in tests if isinstance(test, ScalaTest)]
        python = [test.node for test in tests if isinstance(test, PyTest)]
        return (self._scala(scala) if scala else []) + (self._python(python) if python else [])

    def _scala(self, tests: Sequence[ScalaTest]) -> list[Case]:
        suites = sorted({test.suite for test in tests})
        parts = " ".join(f'-z "{part}"' for part in sorted({test.part for test in tests}))
        reports = self.tree.path / "jvm" / "target" / LINE / "test-reports"
        shutil.rmtree(reports, ignore_errors=True)
        self._sbt(f"{SBT_PROJECT}/testOnly {' '.join(suites)} -- {parts}")
        return [case for suite in suites for case in cases(reports / f"TEST-{suite}.xml")]

    def _python(self, nodes: Sequence[str]) -> list[Case]:
        self._sbt(f"; {SBT_PROJECT}/bundle; {SBT_PROJECT}/stock")
        self.tree.take_bundle()
        report = self.tree.path / "target" / "pytest-mutant.xml"
        report.unlink(missing_ok=True)
        paths = [str(self.tree.path / folder) for folder in ("python/src", "tests")]
        try:
            subprocess.run(
                [sys.executable, "-m", "pytest", *nodes, f"--junitxml={report}"],
                cwd=self.tree.path,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS * (1 + len(nodes) // 5),
            )
        except subprocess.TimeoutExpired:
            raise HungError(f"pytest {' '.join(nodes)}") from None
        return cases(report)

    def _sbt(self, command: str) -> None:
        if "Compilation failed" in self.sbt.run(command, SECONDS):
            raise NotCompiledError(command)
