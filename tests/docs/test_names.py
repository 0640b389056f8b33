# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Classes, members and files that the docs name exist in the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = (*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
OURS = ("jvm/src/main", "jvm/lines", "python/src")
CODE = (*OURS, "jvm/src/test", "project")

COMMENTS = {".scala": r"(?s)/\*.*?\*/|//[^\n]*", ".py": r'(?s)""".*?"""|#[^\n]*'}
CLASS = r"\b(?:class|object|trait)\s+([A-Z]\w*)"
MEMBER = r"\b(?:def|val|var|type|class|object|trait)\s+{0}\b|\b{0}\s*:|^\s+{0}\s*="

ELSEWHERE = {
    "NullPointerException",
    "S3SingleDriverLogStore",
    "SchemaColumnConvertNotSupportedException",
    "StateCache",
}
"""Classes of Java and Delta that the docs mention and our code does not use."""
ALERTS = set(
    re.findall(
        r"- alert: (\w+)", (ROOT / "docs/how-to/alert-on-lag.md").read_text(encoding="utf-8")
    )
)


@cache
def code(*folders: str) -> Mapping[Path, str]:
    """Return the source files in these folders, without comments."""
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.*")]
    return {
        file: re.sub(COMMENTS[file.suffix], "", file.read_text(encoding="utf-8"))
        for file in files
        if file.suffix in COMMENTS
    }


@cache
def classes() -> Mapping[str, str]:
    """Return our classes, each with the text of the files that define it."""
    found: dict[str, str] = {}
    for text in code(*OURS).values():
        for name in set(re.findall(CLASS, text)):
            found[name] = found.get(name, "") + text
    return found


@cache
def words() -> frozenset[str]:
    """Return every identifier in the code: our names, and those of Spark and Delta that we use."""
    return frozenset(word for text in code(*CODE).values() for word in re.findall(r"\w+", text))


def spans(page: str) -> list[str]:
    """Return the inline code of a page."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?s)^```.*?^```", "", page, flags=re.MULTILINE))


def wrong_members(names: Iterable[str]) -> list[str]:
    """Return each `Class.member` whose class is ours but has no such member."""
    wrong = []
    for name in names:
        parts = re.fullmatch(r"([A-Z]\w*)\.(\w+)(?:\(.*\))?", name)
        if parts and parts[1] in classes() and parts[2] not in ("scala", "py"):
            pattern = MEMBER.format(parts[2])
            if not re.search(pattern, classes()[parts[1]], re.MULTILINE):
                wrong.append(name)
    return wrong


def unknown_names(names: Iterable[str]) -> list[str]:
    """Return each name in CamelCase that the code does not use."""
    camel = (name for name in names if re.fullmatch(r"[A-Z][a-z0-9]+(?:[A-Z]\w*)+", name))
    return sorted({name for name in camel if name not in words() | ELSEWHERE | ALERTS})


def missing_files(names: Iterable[str]) -> list[str]:
    """Return each `File.scala` that does not exist."""
    files = {file.name for file in code(*CODE)}
    scala = (name for name in names if re.fullmatch(r"[\w/]+\.scala", name))
    return [name for name in scala if name.rpartition("/")[2] not in files]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_named_members_exist(page: Path) -> None:
    """A page names only members, classes and files that exist."""
    names = spans(page.read_text(encoding="utf-8"))
    assert wrong_members(names) == []
    assert unknown_names(names) == []
    assert missing_files(names) == []


def test_a_wrong_name_is_found() -> None:
    """A member, a class or a file that does not exist is reported; others are not."""
    page = "`Budget.admit(size)` `Budget.admits` `Lag.of` `Long.MaxValue` `ScanStep.SchemaChange`"
    assert wrong_members(spans(page)) == ["Budget.admits"]
    assert unknown_names(spans("`Budget` `LogScanner` `LogReader` `SetTransaction`")) == [
        "LogReader"
    ]
    assert missing_files(spans("`StreamErrors.scala` `conf/StreamErrs.scala`")) == [
        "conf/StreamErrs.scala"
    ]
    assert spans("a `b`\n```python\nc = `d`\n```\n`e`") == ["b", "e"]
