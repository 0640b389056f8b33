# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The jars in this package, and the manifests of jars."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deltasource._errors import JarError, OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._session.spark_lines import SCALA_LINE, require_installed, require_line
from deltasource._text import short_repr

_SPARK_ALLOWED = 'must be a version of Spark as text, such as "4.2.0" or "4.2"'
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


@with_keyword_hints
def jar_path(spark: str | None = None) -> Path:
    """Return the path of the jar for a version of Spark, for example for `spark-submit --jars`.

    Args:
        spark: A version of Spark, such as "4.2.0" or "4.2". By default the Spark in SPARK_HOME, or
            the one in PySpark if SPARK_HOME is not set.

    Returns:
        The absolute path of the jar in this package.

    Raises:
        OptionsError: `spark` is not text, such as the number 4.2.
        SparkVersionError: There is no jar for this version, no Spark is installed, or PySpark and
            SPARK_HOME are of different minor versions.
        JarError: The jar is missing, or its path contains a comma or the separator of class paths,
            which Spark cannot handle.

    Example:
        >>> import deltasource
        >>> print(deltasource.jar_path())  # doctest: +SKIP
        /venv/lib/python3.12/site-packages/deltasource/_jars/deltasource-spark_4.2_2.13-0.1.0.jar
    """
    if spark is not None and not isinstance(spark, str):
        raise OptionsError([InvalidOption("spark", short_repr(spark), _SPARK_ALLOWED)])
    line = require_line(spark or require_installed())
    path = _FOLDER / f"deltasource-spark_{line}_{SCALA_LINE}-{package_version()}.jar"
    if not path.is_file():
        there = sorted(jar.name for jar in _FOLDER.glob("*.jar"))
        raise JarError(
            f"{_FOLDER} does not contain {path.name}, but {', '.join(there) or 'no jar'}: "
            "reinstall the wheel or, in a clone of the repository, run `make jar setup`"
        )
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
