# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Jars and programs for tests, that say what they are told to say."""

from __future__ import annotations

import zipfile
from pathlib import Path

from deltasource._session import bundle

VERSION = bundle.package_version()


def write_jar(path: Path, version: str | None, line: str = "4.2") -> Path:
    """Write a jar whose manifest says what it is, or nothing of the kind."""
    says = f"Deltasource-Version: {version}\r\nDeltasource-Spark-Line: {line}\r\n"
    with zipfile.ZipFile(path, "w") as jar:
        text = "Manifest-Version: 1.0\r\n" + (says if version else "")
        jar.writestr(
            "META-INF/MANIFEST.MF", text + "Deltasource-Git-Commit: 01234\r\n 56789\r\n\r\n"
        )
    return path


def fake(folder: Path, name: str, prints: str) -> Path:
    """Answer a program that prints something."""
    program = folder / name
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\necho '{prints}'\n")
    program.chmod(0o755)
    return program
