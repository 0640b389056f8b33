# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Adds up JUnit reports of both languages; the last line is `N passed, N failed, N skipped`.

Usage: summary.py REPORT ..., each a file or a folder of files. Exits with 1 when a test failed,
when a report is missing or holds no test, and when a skip has no written reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

# sbt's reports have no room for a reason: ScalaTest's skipped tests carry it in their names.
IN_NAME = "skipped: "


@dataclass(frozen=True)
class Case:
    """One test in a report; `reason` is None if it was not skipped."""

    name: str
    failed: bool = False
    reason: str | None = None


@dataclass(frozen=True)
class Summary:
    """The last line, and the lines printed before it."""

    cases: tuple[Case, ...]
    missing: tuple[str, ...]

    @property
    def failed(self) -> list[Case]:
        return [case for case in self.cases if case.failed]

    @property
    def skipped(self) -> list[Case]:
        return [case for case in self.cases if case.reason is not None]

    @property
    def unexplained(self) -> list[Case]:
        return [case for case in self.cases if case.reason == ""]

    @property
    def good(self) -> bool:
        return not (self.failed or self.missing or self.unexplained)

    def lines(self) -> Iterator[str]:
        for report in self.missing:
            yield f"no tests in {report}"
        for case in self.failed:
            yield f"failed: {case.name}"
        for case in self.skipped:
            yield f"skipped: {case.name}: {case.reason or 'WITHOUT A REASON'}"
        passed = len(self.cases) - len(self.failed) - len(self.skipped)
        yield f"{passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"


def summarize(reports: Iterable[Path]) -> Summary:
    found = {str(report): tuple(_cases(report)) for report in reports}
    missing = tuple(report for report, cases in found.items() if not cases)
    return Summary(tuple(case for cases in found.values() for case in cases), missing)


def _cases(report: Path) -> Iterator[Case]:
    files = sorted(report.glob("*.xml")) if report.is_dir() else [report]
    for file in files:
        if file.exists():
            for element in ElementTree.parse(file).iter("testcase"):
                yield _case(element)


def _case(element: ElementTree.Element) -> Case:
    name = f"{element.get('classname')} {element.get('name')}"
    if element.find("failure") is not None or element.find("error") is not None:
        return Case(name, failed=True)
    skipped = element.find("skipped")
    if skipped is None:
        return Case(name)
    return Case(name, reason=skipped.get("message") or _in_name(name))


def _in_name(name: str) -> str:
    """Return the reason in parentheses after the mark."""
    return name.partition(IN_NAME)[2].removesuffix(")")


def main(arguments: Sequence[str]) -> int:
    summary = summarize(Path(argument) for argument in arguments)
    print("\n".join(summary.lines()))
    return 0 if summary.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
