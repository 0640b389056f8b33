# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The Spark settings we use: their names, the values already set, and how lists are merged."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

JARS: Final = "spark.jars"
PACKAGES: Final = "spark.jars.packages"
DRIVER_CLASS_PATH: Final = "spark.driver.extraClassPath"
EXECUTOR_CLASS_PATH: Final = "spark.executor.extraClassPath"
EXTENSIONS: Final = "spark.sql.extensions"
CATALOG: Final = "spark.sql.catalog.spark_catalog"
LOG_STORES: Final = ("spark.delta.logStore.class", "delta.logStore.class")
"""The log store for all schemes. Delta reads both spellings, and refuses two that differ."""
S3_LOG_STORES: Final = ("spark.delta.logStore.s3a.impl", "spark.delta.logStore.s3.impl")
V2_MODE: Final = "spark.databricks.delta.v2.enableMode"
LAUNCH_SETTINGS: Final = (
    JARS,
    PACKAGES,
    DRIVER_CLASS_PATH,
    EXECUTOR_CLASS_PATH,
    EXTENSIONS,
    CATALOG,
    *LOG_STORES,
    *S3_LOG_STORES,
    *(key.removeprefix("spark.") for key in S3_LOG_STORES),
)
"""The settings that decide, when Spark starts, which Delta it loads and how that commits."""

DELTA_CATALOG: Final = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
DELTA_EXTENSION: Final = "io.delta.sql.DeltaSparkSessionExtension"
UNITY_CATALOG: Final = "io.unitycatalog."
OUR_S3_LOG_STORE: Final = "io.github.deltasource.S3LogStore"
GUARD: Final = "io.github.deltasource.DeltaSourceGuard"

# Not every package of that group: delta-sharing and the log store for DynamoDB are no second Delta.
_DELTA = re.compile(r"^io\.delta:delta-(core|kernel|spark|storage(?!-s3-dynamodb))")
_DELTA_JAR = re.compile(r"(?:^|/)delta-(?:core|kernel|spark|storage(?!-s3-dynamodb))[^/]*\.jar$")
_FLAGS = {"--jars": JARS, "--packages": PACKAGES, "--driver-class-path": DRIVER_CLASS_PATH}


def submit_arguments() -> dict[str, str]:
    """Return what PYSPARK_SUBMIT_ARGS sets; it overrides the builder when the JVM starts."""
    words = iter(shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", "")))
    found: dict[str, str] = {}
    for word in words:
        flag, _, value = word.partition("=")
        if flag in ("--conf", "-c"):
            key, _, setting = (value or next(words, "")).partition("=")
            found[key] = setting
        elif flag in _FLAGS:
            found[_FLAGS[flag]] = value or next(words, "")
    return {key: value for key, value in found.items() if key in LAUNCH_SETTINGS}


def overriding_arguments(jar: str) -> tuple[str, str] | None:
    """Return what is wrong with PYSPARK_SUBMIT_ARGS that put a jar before ours, and the remedy."""
    submitted = submit_arguments()
    for key, separator in ((JARS, ","), (DRIVER_CLASS_PATH, os.pathsep)):
        if key in submitted and not is_first(jar, submitted[key], separator):
            return (
                f"PYSPARK_SUBMIT_ARGS sets {key} to {submitted[key]} and overrides the builder",
                f"set it to {prepend(jar, submitted[key], separator)}, or use the builder",
            )
    return None


def defaults() -> dict[str, str]:
    """Return what Spark's properties files set; a value set elsewhere replaces it completely.

    Spark reads spark-defaults.conf, unless PYSPARK_SUBMIT_ARGS names another file.
    """
    home = spark_home()
    folder = os.environ.get("SPARK_CONF_DIR") or (str(home / "conf") if home else "")
    named, loads_defaults = _properties_files()
    found = _properties(Path(folder, "spark-defaults.conf")) if loads_defaults else {}
    return found | (_properties(named) if named else {})


def _properties_files() -> tuple[Path | None, bool]:
    """Return the file that PYSPARK_SUBMIT_ARGS names, and whether spark-defaults.conf is read."""
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    named = None
    for word, following in zip(words, [*words[1:], ""], strict=False):
        flag, separator, value = word.partition("=")
        if flag == "--properties-file":
            named = Path(value if separator else following)
    return named, named is None or "--load-spark-defaults" in words


def _properties(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return {}
    settings = (_setting(line) for line in re.sub(r"\\\n\s*", "", text).splitlines())
    return {key: value for key, value in settings if key in LAUNCH_SETTINGS}


def s3_log_stores(before: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that make our log store commit on S3, for each scheme without a store."""
    if any(key in before for key in LOG_STORES):
        return {}
    free = (key for key in S3_LOG_STORES if key.removeprefix("spark.") not in before)
    return {key: before.get(key, OUR_S3_LOG_STORE) for key in free}


def _setting(line: str) -> tuple[str, str]:
    parts = re.fullmatch(r"\s*([^\s=:]+)(?:\s*[=:]\s*|\s+)(.*?)\s*", line)
    return (parts[1], parts[2]) if parts else ("", "")


def spark_home() -> Path | None:
    """Return the folder of the Spark that PySpark would start, found as PySpark finds it."""
    if "SPARK_HOME" in os.environ:
        return Path(os.environ["SPARK_HOME"])
    pyspark = find_spec("pyspark")
    return Path(pyspark.origin).parent if pyspark and pyspark.origin else None


def prepend(ours: str, given: str, separator: str = ",") -> str:
    """Put our entry first in a list, and keep the order of the others."""
    others = [entry for entry in _entries(given, separator) if not same_file(entry, ours)]
    return separator.join([ours, *others])


def is_first(ours: str, given: str, separator: str = ",") -> bool:
    """Whether our entry is the first of a list."""
    return same_file(next(_entries(given, separator), ""), ours)


def contains(ours: str, given: str, separator: str = ",") -> bool:
    """Whether our entry is anywhere in a list."""
    return any(same_file(entry, ours) for entry in _entries(given, separator))


def with_guard(given: str) -> str:
    """Put our guard first, keep the other extensions, and add Delta's if it is missing."""
    others = [entry for entry in _entries(given, ",") if entry != GUARD]
    delta = [] if DELTA_EXTENSION in others else [DELTA_EXTENSION]
    return ",".join([GUARD, *others, *delta])


def second_delta(settings: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the first published Delta in the settings, after the name of its setting."""
    for key, separator, published in (
        (PACKAGES, ",", _DELTA),
        (JARS, ",", _DELTA_JAR),
        (DRIVER_CLASS_PATH, os.pathsep, _DELTA_JAR),
        (EXECUTOR_CLASS_PATH, os.pathsep, _DELTA_JAR),
    ):
        found = (one for one in _entries(settings.get(key, ""), separator) if published.search(one))
        first = next(found, None)
        if first is not None:
            return key, first
    return None


def _entries(text: str, separator: str) -> Iterator[str]:
    return (entry.strip() for entry in text.split(separator) if entry.strip())


def same_file(one: str, other: str) -> bool:
    """Whether two texts name the same file, each as a path or as a file: URI."""
    return local_path(one) == local_path(other)


def local_path(text: str) -> str:
    """Return the path of a file: URI; any other text unchanged."""
    return unquote(urlsplit(text).path) if text.startswith("file:") else text
