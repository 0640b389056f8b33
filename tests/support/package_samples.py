# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Fake jars and programs for tests."""

from __future__ import annotations

import zipfile
from pathlib import Path

from deltasource._session import bundle

VERSION = bundle.package_version()


def write_jar(path: Path, version: str | None, line: str = "4.2") -> Path:
    """Write a jar whose manifest has our version and Spark line, or neither."""
    says = f"Deltasource-Version: {version}\r\nDeltasource-Spark-Line: {line}\r\n"
    with zipfile.ZipFile(path, "w") as jar:
        text = "Manifest-Version: 1.0\r\n" + (says if version else "")
        jar.writestr(
            "META-INF/MANIFEST.MF", text + "Deltasource-Git-Commit: 01234\r\n 56789\r\n\r\n"
        )
    return path


def fake(folder: Path, name: str, prints: str) -> Path:
    """Return a program that prints a fixed text."""
    program = folder / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\necho '{prints}'\n")
    program.chmod(0o755)
    return program


def spark_home(folder: Path, version: str) -> Path:
    """Return a folder that looks like a Spark of a version."""
    home = folder / f"spark {version}"
    (home / "jars").mkdir(parents=True)
    (home / "jars" / f"spark-core_2.13-{version}.jar").touch()
    (home / "bin").mkdir()
    (home / "bin" / "spark-submit").touch()
    return home
