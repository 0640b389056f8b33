# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The layers of the package, enforced by import-linter."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import deltasource

PLANTED = (
    ("_text.py", "from deltasource._errors import JarError", "lower layers only"),
    ("_options/keys.py", "from deltasource._read import stream", "lower layers only"),
    ("_read/stream.py", "from deltasource._write import stream as other", "lower layers only"),
    ("_monitor/failure_log.py", "from deltasource._monitor import run", "imports itself"),
    ("_session/conf.py", "from deltasource._session import jvm", "imports itself"),
    ("_session/bundle.py", "import py4j", "knows the JVM"),
    ("rooms.py", "", "lower layers only"),
)
"""For each rule: a module, a line that breaks it there, and words of the broken contract."""


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter with the contracts and the package in a folder."""
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
    )


def copied(root: Path, folder: Path) -> Path:
    """Copy the contracts and the package, without its jar."""
    shutil.copy(root / ".importlinter", folder)
    package = root / "python" / "src" / "deltasource"
    ignored = shutil.ignore_patterns("*.jar", "__pycache__")
    return shutil.copytree(package, folder / "deltasource", ignore=ignored)


def test_the_package_follows_the_layers(root: Path, tmp_path: Path) -> None:
    """No module imports from a layer above it, and there are no import cycles."""
    copied(root, tmp_path)
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "line", "broken"), PLANTED)
def test_a_forbidden_import_is_detected(
    module: str, line: str, broken: str, root: Path, tmp_path: Path
) -> None:
    """Upward imports, cycles, a second module with py4j and a module without a layer fail."""
    with (copied(root, tmp_path) / module).open("a", encoding="utf-8") as text:
        text.write(f"\n{line}\n")
    done = lint(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert broken in done.stdout


def test_only_the_package_and_its_testing_are_public() -> None:
    """Every other module and folder in `deltasource`, which Python could import, has a "_"."""
    folder = Path(deltasource.__path__[0])
    names = [path.stem for path in folder.iterdir() if path.is_dir() or path.suffix == ".py"]
    assert names
    assert [name for name in names if not name.startswith("_")] == ["testing"]


def test_no_module_imports_the_public_package(root: Path) -> None:
    """The modules of the package import each other directly."""
    package = root / "python" / "src" / "deltasource"
    importing = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and node.module == "deltasource" and node.names)
        and not all(name.name.startswith("_") for name in node.names)
    ]
    assert importing == []
