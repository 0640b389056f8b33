# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What `make jar` builds for the line of the installed PySpark."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pyspark

ROOT: Final = Path(__file__).resolve().parents[2]
LINE: Final = ".".join(pyspark.__version__.split(".")[:2])
SBT_PROJECT: Final = f"spark{LINE.replace('.', '')}"
TARGET: Final = ROOT / "jvm" / "target" / LINE
STOCK: Final = TARGET / "stock"
"""The folder with the published jars, unmodified."""
BUNDLE: Final = (
    TARGET / f"deltasource-spark_{LINE}_2.13-{(ROOT / 'VERSION').read_text().strip()}.jar"
)
