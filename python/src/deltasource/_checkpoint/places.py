# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Folders and numbered files, on the local disk or where a session reaches them."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TextIO
from urllib.parse import unquote, urlsplit

from deltasource.errors import DeltaSourceError, RemotePathError
from deltasource.types import SessionLike

# One letter before the colon is a drive, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][\w+.-]+):")
# Not `.7.crc`, `.7.<uuid>.tmp` or `7.compact`.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


class Stat(Protocol):
    """What is known of a file without opening it."""

    @property
    def st_mtime(self) -> float:
        """When it was last written, in seconds since 1970."""
        ...


class Place(Protocol):
    """A file or a folder: of `pathlib.Path`, which is one, what reading a checkpoint needs.

    What cannot be read raises OSError, what is not there FileNotFoundError.
    """

    @property
    def name(self) -> str: ...
    def __truediv__(self, child: str, /) -> Place: ...
    def exists(self) -> bool: ...
    def is_dir(self) -> bool: ...
    def iterdir(self) -> Iterator[Place]: ...
    def stat(self) -> Stat: ...
    def open(self, *, encoding: str) -> TextIO: ...
    def read_text(self, encoding: str) -> str: ...


def place(path: str | os.PathLike[str], spark: SessionLike | None = None) -> Place:
    """Answer what a path names: with a session, text is a path as that session's Spark takes it.

    Without one it is a local path or a file: URI, and RemotePathError is raised for any other
    scheme. A path object is local in any case.
    """
    if spark is None or not isinstance(path, str):
        return folder(path)
    from deltasource._session import remote_path

    return remote_path.of(spark, path)


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
            f"{text} is not on this machine: give the Spark session that reaches it too, as "
            "`spark`, or copy what is to be read to a local folder"
        )
    return Path(unquote(parts.path))


@contextmanager
def told(kind: type[DeltaSourceError], at: Place) -> Generator[None, None, None]:
    """Turn what the system refuses into an error with a name."""
    try:
        yield
    except OSError as error:
        raise kind(
            f"{at} cannot be read: {error.strerror}. Give a folder that this process may read"
        ) from error


def children(at: Place) -> list[Place]:
    """Answer what a folder holds, by name; [] if it is missing."""
    return sorted(at.iterdir(), key=lambda child: child.name) if at.is_dir() else []


def numbered(at: Place) -> dict[int, Place]:
    """Answer the files of a folder that have a number for a name, by number; {} if it is missing.

    What Spark keeps beside them (`.7.crc`, `.7.<uuid>.tmp`) is no such file.
    """
    found = {int(file.name): file for file in children(at) if _NUMBER.fullmatch(file.name)}
    return dict(sorted(found.items()))
