# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a path that Spark cannot open, such as one whose file system it does not have."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final

from deltasource._errors import RemotePathError
from deltasource._session import jvm

_UNKNOWN: Final = re.compile(r'No FileSystem for scheme "?([\w+.-]+)')
_MISSING: Final = re.compile(r"Class (org\.apache\.hadoop\.fs\.(\w+)\.[\w.$]+) not found")
_TWO_SLASHES: Final = re.compile(r"Wrong FS: (file://([^/\s,]+)[^\s,]*), expected: file:///")
_NO_URI: Final = "java.net.URISyntaxException: "
_PATHS: Final = "Give a path of this system, or a URI such as s3a://bucket/folder"
_PACKAGES: Final[Mapping[str, str]] = {
    "s3a": "org.apache.hadoop:hadoop-aws",
    "abfs": "org.apache.hadoop:hadoop-azure",
    "abfss": "org.apache.hadoop:hadoop-azure",
    "azurebfs": "org.apache.hadoop:hadoop-azure",
}
"""The package of a file system, by its scheme, or by the Java package of its class."""


@contextmanager
def named_if_unknown() -> Generator[None, None, None]:
    """Raise RemotePathError, with what to do, if Spark cannot open a path: its own is Java's."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if explain(text, None) is None:
            raise
        # The Java stack says nothing else.
        raise RemotePathError(explain(text, jvm.hadoop_version())) from None


def explain(text: str, hadoop: str | None) -> str | None:
    """Return what to do about an exception that says Spark cannot open a path; None for others.

    Args:
        text: The exception with its causes.
        hadoop: The version of Spark's Hadoop; None if it runs elsewhere.
    """
    if _NO_URI in text:
        # Java takes the drive of a path of Windows for a scheme.
        reason = text.partition(_NO_URI)[2].partition("\n")[0].strip()
        return f"Spark cannot open the path: {reason}. {_PATHS}"
    if slashes := _TWO_SLASHES.search(text):
        return (
            f"Spark takes {slashes[2]} in {slashes[1]} for the name of a server: write file:/// "
            "with three slashes"
        )
    unknown, missing = _UNKNOWN.search(text), _MISSING.search(text)
    if unknown is None and missing is None:
        return None
    name = unknown[1] if unknown else missing[2] if missing else ""
    why = f"its class {missing[1]} is not there" if missing else "it has no file system for them"
    scheme = "abfss" if name == "azurebfs" else name
    return f"Spark cannot open paths with {scheme}://, {why}: {_advice(name, hadoop)}"


def _advice(name: str, hadoop: str | None) -> str:
    if name in ("s3", "s3n"):
        return "write s3a:// instead, or set spark.hadoop.fs.s3.impl"
    package = _PACKAGES.get(name)
    if package is None:
        return "check the path, or add the jar of that file system to spark.jars"
    version = hadoop or "<version of its Hadoop>"
    return f"add {package}:{version} to spark.jars.packages before Spark starts"
