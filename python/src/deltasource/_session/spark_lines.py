# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The minor versions of Spark that this package has a jar for, and the one that is installed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from deltasource._errors import SparkVersionError
from deltasource._session import conf

SPARK_LINES: Final = ("4.0", "4.1", "4.2")
SCALA_LINE: Final = "2.13"
_BROKEN: Final = {
    "4.3": "With Spark 4.3, this Delta Lake fails with NoSuchMethodError: "
    "it calls constructors that Spark has changed. "
}
"""What happens on a later version, as seen by `make link`; the page of Spark versions lists it."""

HOME_FIX: Final = "unset SPARK_HOME to use PySpark's own Spark, or set it to the folder of a Spark"


def line_of(version: str) -> str | None:
    """Return the line of a version of Spark, such as 4.2 for 4.2.1; None if there is no jar."""
    line = _minor(version)
    return line if line in SPARK_LINES else None


def require_line(version: str) -> str:
    """Return the line of a version of Spark, or of a line.

    Raises:
        SparkVersionError: There is no jar for this version.
    """
    line = line_of(version)
    if line is None:
        raise SparkVersionError(
            f"Spark {version} is not supported: this package has jars for Spark {supported()}, the "
            f"versions that this Delta Lake is published for. {_BROKEN.get(_minor(version), '')}"
            f"Instead: {replacement(version)}"
        )
    return line


def require_installed() -> str:
    """Return the version of Spark that would start.

    Raises:
        SparkVersionError: No Spark is installed, SPARK_HOME is empty or not a folder, or PySpark
            and SPARK_HOME are of different lines.
    """
    if (problem := _not_a_folder()) is not None:
        raise SparkVersionError(f"{problem}: {HOME_FIX}")
    spark, pyspark = spark_version(), pyspark_version()
    if spark is None:
        raise SparkVersionError(f"{home_problem() or 'no Spark is installed'}: {installed_fix()}")
    if pyspark is not None and not is_same_line(spark, pyspark):
        raise SparkVersionError(f"{difference(spark, pyspark)}: {replacement(spark)}")
    return spark


def spark_version() -> str | None:
    """Return the version of the Spark in SPARK_HOME, else in PySpark; None if there is none."""
    home = conf.spark_home()
    names = sorted(path.name for path in home.glob("jars/spark-core_*.jar")) if home else []
    found = re.fullmatch(r"spark-core_[\d.]+-(.+)\.jar", names[0]) if names else None
    # A client of Spark Connect has no jars.
    return found[1] if found else pyspark_version()


def home_problem() -> str | None:
    """Say what keeps SPARK_HOME from starting Spark; None if it is complete, or not set."""
    home = conf.spark_home() if "SPARK_HOME" in os.environ else None
    if home is None:
        return None
    if (problem := _not_a_folder()) is not None:
        return problem
    needed = {"bin/spark-submit": "spark-submit", "jars/spark-core_*.jar": "jars"}
    missing = [name for pattern, name in needed.items() if not any(home.glob(pattern))]
    return f"SPARK_HOME is {home}, which has no {' and no '.join(missing)}" if missing else None


def _not_a_folder() -> str | None:
    """Say why SPARK_HOME is not a folder; None if it is one, or not set."""
    home = os.environ.get("SPARK_HOME")
    # PySpark would look for Spark in the working directory.
    if home == "":
        return "SPARK_HOME is set, but empty"
    is_folder = home is None or Path(home).is_dir()
    return None if is_folder else f"SPARK_HOME is {home}, which is not a folder"


def pyspark_version() -> str | None:
    """Return the version of PySpark; None if it is not installed."""
    try:
        from pyspark import __version__
    except ImportError:
        return None
    return str(__version__)


def is_same_line(one: str, other: str) -> bool:
    """Whether two versions of Spark have the same first two numbers."""
    return _minor(one) == _minor(other)


def difference(spark: str, pyspark: str) -> str:
    """Say that PySpark and the Spark that it starts have different versions."""
    return f"PySpark is {pyspark}, but SPARK_HOME ({conf.spark_home()}) is Spark {spark}"


def install(version: str = SPARK_LINES[-1]) -> str:
    """Return the command that installs the PySpark of a version's line; the newest by default."""
    line = line_of(version) or SPARK_LINES[-1]
    return f"pip install 'pyspark=={line}.*'"


def replacement(version: str) -> str:
    """Return how to use a Spark of a version's line, or of the newest one if there is no jar."""
    command = install(version)
    # Another PySpark would start the same Spark.
    if "SPARK_HOME" not in os.environ or line_of(version) or spark_version() != version:
        return command
    return f"set SPARK_HOME to the folder of a Spark {supported('or')}, or unset it and {command}"


def installed_fix() -> str:
    """Return how to repair the Spark that would start, if `require_installed` refuses it."""
    if home_problem() is not None:
        return HOME_FIX
    spark, pyspark = spark_version(), pyspark_version()
    if spark is None:
        return install()
    if pyspark is not None and line_of(spark) and not is_same_line(spark, pyspark):
        return match_pyspark(spark)
    return replacement(spark)


def match_pyspark(spark: str) -> str:
    """Return how to make PySpark and the Spark in SPARK_HOME the same."""
    return f"unset SPARK_HOME, or pip install 'pyspark=={spark}'"


def supported(before_last: str = "and") -> str:
    """Return the lines, for a message."""
    return f"{', '.join(SPARK_LINES[:-1])} {before_last} {SPARK_LINES[-1]}"


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])
