# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Rules about the Python of this repository that no other tool checks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = ("python/src", "tests", "demo", "bench", "release")
HEADER = "# Copyright 2026 The deltasource authors\n# SPDX-License-Identifier: Apache-2.0\n"


def files(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from sorted((root / folder).rglob("*.py"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_every_test_has_a_docstring(root: Path) -> None:
    """Every test has a docstring of one sentence: the rule it checks."""
    silent = [
        f"{path.relative_to(root)}: {function.name}"
        for path in files(root)
        if path.name.startswith("test_")
        for function in functions(path)
        if function.name.startswith("test_")
        and not (ast.get_docstring(function) or "").rstrip().endswith(".")
    ]
    assert silent == []


def test_every_file_has_its_header(root: Path) -> None:
    """Every file that is not empty begins with the copyright and licence lines."""
    texts = {path: path.read_text(encoding="utf-8") for path in files(root)}
    bare = [path for path, text in texts.items() if text and not text.startswith(HEADER)]
    assert [str(path.relative_to(root)) for path in bare] == []


def test_only_one_module_touches_py4j(root: Path) -> None:
    """Only one module of the package uses py4j and private members of Spark."""
    signs = re.compile(r"py4j|\._jvm|\._jsc|\._jsparkSession|\._gateway|(?<!deltasource)\._options")
    package = root / "python" / "src" / "deltasource"
    touching = {
        path.name
        for path in package.rglob("*.py")
        if signs.search(path.read_text(encoding="utf-8"))
    }
    assert touching == {"jvm.py"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_is_longer_than_250_lines(root: Path, folder: str) -> None:
    """A file of more than 250 lines must be split."""
    long = [
        str(path.relative_to(root))
        for path in (root / folder).rglob("*.py")
        if len(path.read_text(encoding="utf-8").splitlines()) > 250
    ]
    assert long == []
