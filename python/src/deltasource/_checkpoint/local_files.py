# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Folders and numbered files that this process can read by itself."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

from deltasource.errors import DeltaSourceError, RemotePathError

# One letter before the colon is a drive, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][\w+.-]+):")
# Not `.7.crc`, `.7.<uuid>.tmp` or `7.compact`.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


def folder(path: str | os.PathLike[str]) -> Path:
    """Answer the folder a path or a file: URI names; RemotePathError for any other scheme."""
    text = os.fspath(path)
    scheme = _SCHEME.match(text) if isinstance(path, str) else None
    if scheme is None:
        return Path(text)
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise RemotePathError(f"{text} is no URI: {error}. Give the path of a folder") from error
    if scheme[1].lower() != "file" or parts.netloc not in ("", "localhost"):
        raise RemotePathError(
            f"{text} is not on this machine: to read it needs a Spark session, which is not "
            "offered yet. Copy what is to be read to a local folder, and give that"
        )
    return Path(unquote(parts.path))


@contextmanager
def told(kind: type[DeltaSourceError], path: Path) -> Generator[None, None, None]:
    """Turn what the system refuses into an error with a name."""
    try:
        yield
    except OSError as error:
        raise kind(
            f"{path} cannot be read: {error.strerror}. Give a folder that this process may read"
        ) from error


def numbered(place: Path) -> dict[int, Path]:
    """Answer the files of a folder that have a number for a name, by number; {} if it is missing.

    What Spark keeps beside them (`.7.crc`, `.7.<uuid>.tmp`) is no such file.
    """
    if not place.is_dir():
        return {}
    found = {int(file.name): file for file in place.iterdir() if _NUMBER.fullmatch(file.name)}
    return dict(sorted(found.items()))
