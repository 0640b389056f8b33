# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What `make jar` and `make setup` build: for the line of the installed PySpark, or for another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pyspark

ROOT: Final = Path(__file__).resolve().parents[2]
LINE: Final = ".".join(pyspark.__version__.split(".")[:2])
LINES: Final = tuple(sorted(path.name for path in (ROOT / "jvm" / "lines").iterdir()))
SBT_PROJECT: Final = f"spark{LINE.replace('.', '')}"
_VERSION: Final = (ROOT / "VERSION").read_text().strip()


def stock(line: str) -> Path:
    """The folder with the published jars of a line, unmodified."""
    return ROOT / "jvm" / "target" / line / "stock"


def bundle(line: str) -> Path:
    """The jar of a line."""
    return ROOT / "jvm" / "target" / line / f"deltasource-spark_{line}_2.13-{_VERSION}.jar"


def python(line: str) -> Path:
    """The Python whose environment has the PySpark of a line."""
    if line == LINE:
        return Path(sys.executable)
    folder = ".venv" if line == LINES[-1] else f".venv-{line}"
    return ROOT / folder / "bin" / "python"


STOCK: Final = stock(LINE)
BUNDLE: Final = bundle(LINE)
LOCAL_FILES: Final = ROOT / "tests" / "jvm" / "target" / "local-files.jar"
"""Local files without a process for each of them; `core-site.xml` in it makes Hadoop use it."""
