# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The jar in this package, and the manifests of jars."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deltasource._errors import JarError

SPARK_LINE = "4.2"
SCALA_LINE = "2.13"

_FOLDER = Path(__file__).resolve().parents[1] / "_jars"


@dataclass(frozen=True)
class Manifest:
    """The manifest of one of our jars."""

    version: str
    spark_line: str
    delta_version: str
    git_commit: str


def package_version() -> str:
    """Return the installed version of this package."""
    from importlib.metadata import version

    return version("deltasource")


def jar_path() -> Path:
    """Return the path of the jar in this package, for example for `spark-submit --jars`.

    Returns:
        The absolute path of the one jar in this package.

    Raises:
        JarError: The jar is missing, there is more than one, or its path contains a comma or the
            separator of class paths, which Spark cannot handle.

    Example:
        >>> import deltasource
        >>> print(deltasource.jar_path())  # doctest: +SKIP
        /venv/lib/python3.12/site-packages/deltasource/_jars/deltasource-spark_4.2_2.13-0.1.0.jar
    """
    name = f"deltasource-spark_{SPARK_LINE}_{SCALA_LINE}-{package_version()}.jar"
    there = sorted(path.name for path in _FOLDER.glob("*.jar"))
    if there != [name]:
        raise JarError(
            f"{_FOLDER} must contain {name} and no other jar, got {', '.join(there) or 'none'}: "
            "reinstall the wheel or, in a clone of the repository, run `make jar setup`"
        )
    path = _FOLDER / name
    # Spark splits its lists of jars at these, and no quoting prevents it.
    if "," in str(path) or os.pathsep in str(path):
        raise JarError(
            f"the path of the jar must not contain a comma or {os.pathsep!r}, got {path}: install "
            "the package in another folder"
        )
    return path


@lru_cache(maxsize=16)
def manifest(jar: Path) -> Manifest | None:
    """Read the manifest of a jar; None if it is not one of ours."""
    import zipfile

    try:
        with zipfile.ZipFile(jar) as content:
            text = content.read("META-INF/MANIFEST.MF").decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return None
    lines = text.replace("\r\n", "\n").replace("\n ", "").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "Deltasource-Version" not in fields:
        return None
    return Manifest(
        version=fields["Deltasource-Version"],
        spark_line=fields.get("Deltasource-Spark-Line", "unknown"),
        delta_version=fields.get("Deltasource-Delta-Version", "unknown"),
        git_commit=fields.get("Deltasource-Git-Commit", "unknown"),
    )
