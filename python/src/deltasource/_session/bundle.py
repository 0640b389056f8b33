# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The one jar inside this package, and what jars say about themselves."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deltasource.errors import JarError

SPARK_LINE = "4.2"
SCALA_LINE = "2.13"

_FOLDER = Path(__file__).resolve().parents[1] / "jars"


@dataclass(frozen=True)
class Manifest:
    """What the manifest of a jar of ours says."""

    version: str
    spark_line: str
    delta_version: str
    git_commit: str


def package_version() -> str:
    """Answer the version of this package, as installed."""
    from importlib.metadata import version

    return version("deltasource")


def jar_path() -> Path:
    """Answer the path of the jar in this package, for `spark-submit --jars` and the like."""
    name = f"deltasource-spark_{SPARK_LINE}_{SCALA_LINE}-{package_version()}.jar"
    there = sorted(path.name for path in _FOLDER.glob("*.jar"))
    if there != [name]:
        raise JarError(
            f"{_FOLDER} must hold {name} and no other jar, but holds {', '.join(there) or 'none'}: "
            "install the wheel again or, in a clone of the repository, run `make jar setup`"
        )
    path = _FOLDER / name
    # Spark splits its lists of jars at these, whatever quoting is tried.
    if "," in str(path) or os.pathsep in str(path):
        raise JarError(
            f"the path {path} holds a comma or a {os.pathsep!r}, which Spark cannot take: "
            "install the package in a folder without one"
        )
    return path


@lru_cache(maxsize=16)
def manifest(jar: Path) -> Manifest | None:
    """Answer what a jar says about itself; None when it is not one of ours."""
    import zipfile

    try:
        with zipfile.ZipFile(jar) as content:
            text = content.read("META-INF/MANIFEST.MF").decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    lines = text.replace("\r\n", "\n").replace("\n ", "").splitlines()
    says = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "Deltasource-Version" not in says:
        return None
    return Manifest(
        version=says["Deltasource-Version"],
        spark_line=says.get("Deltasource-Spark-Line", "unknown"),
        delta_version=says.get("Deltasource-Delta-Version", "unknown"),
        git_commit=says.get("Deltasource-Git-Commit", "unknown"),
    )
