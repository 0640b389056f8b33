# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The machine and the versions that the results depend on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from typing import Any

from bench.run import ROOT, SIDES


def machine() -> dict[str, Any]:
    """Return cores, memory and versions, without the machine's name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "python": platform.python_version(),
        "spark": version("pyspark"),
        "delta_spark": next(
            (jar.stem.rpartition("-")[2] for jar in SIDES["stock"].glob("delta-spark*.jar")), "?"
        ),
        "deltasource": (ROOT / "VERSION").read_text(encoding="utf-8").strip(),
    }
