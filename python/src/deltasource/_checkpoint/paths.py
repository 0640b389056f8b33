# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Paths that can be read, on the local file system, through a Spark session or through fsspec."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol, TextIO
from urllib.parse import unquote, urlsplit

from deltasource._checkpoint import fsspec_path, hadoop_path
from deltasource._errors import CheckpointError, DeltaSourceError, RemotePathError
from deltasource._options.schema_tracking import home_rule, is_location
from deltasource._options.validation import validate
from deltasource._types import SessionLike

# One letter before the colon is a drive, not a scheme.
_SCHEME = re.compile(r"([A-Za-z][\w+.-]+):")
CHECKPOINT_SIGNS: Final = ("metadata", "offsets", "commits", "sources")

PATH_ALLOWED: Final = "must be a path or a URI that is not empty"

# Not `.7.crc`, `.7.<uuid>.tmp` or `7.compact`.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


class Stat(Protocol):
    """The status of a file."""

    @property
    def st_mtime(self) -> float:
        """The modification time, in seconds since 1970."""
        ...


class ReadablePath(Protocol):
    """The part of `pathlib.Path` that reading a checkpoint needs.

    Raises FileNotFoundError if a file does not exist, OSError if it cannot be read.
    """

    @property
    def name(self) -> str: ...
    def __truediv__(self, child: str, /) -> ReadablePath: ...
    def exists(self) -> bool: ...
    def is_dir(self) -> bool: ...
    def iterdir(self) -> Iterator[ReadablePath]: ...
    def stat(self) -> Stat: ...
    def open(self, *, encoding: str) -> TextIO: ...
    def read_text(self, encoding: str) -> str: ...


def resolve_path(
    path: str | os.PathLike[str], spark: SessionLike | None = None, *, argument: str = "path"
) -> ReadablePath:
    """Return a path that can be read; with a session, text is a path as in `spark.read`.

    Without a session it is a local path, a file: URI, or a URI that fsspec can read; any other
    scheme raises RemotePathError. A path object is always local. What cannot be a path raises
    OptionsError about `argument`.
    """
    # Python takes empty text for the current folder.
    validate((argument, path, is_location(path), PATH_ALLOWED), home_rule(argument, path))
    if not isinstance(path, str):
        return local_folder(path)
    if spark is not None:
        return hadoop_path.resolve(spark, path)
    scheme = _SCHEME.match(path)
    is_remote = scheme is not None and scheme[1].lower() != "file"
    remote = fsspec_path.resolve(path) if is_remote else None
    return local_folder(path) if remote is None else remote


def local_folder(path: str | os.PathLike[str]) -> Path:
    """Return a local path or the path of a file: URI; RemotePathError for any other scheme."""
    text = os.fspath(path)
    scheme = _SCHEME.match(text) if isinstance(path, str) else None
    if scheme is None:
        return Path(text)
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise RemotePathError(f"the path must be a folder or a URI, got {text}: {error}") from error
    if scheme[1].lower() != "file" or parts.netloc not in ("", "localhost"):
        raise RemotePathError(
            f"the path must be local, got {text}: copy it to a local folder or, in Python, pass a "
            "session that can read it (`spark=`)"
        )
    return Path(unquote(parts.path))


@contextmanager
def os_errors_as(kind: type[DeltaSourceError], path: ReadablePath) -> Generator[None, None, None]:
    """Raise OSError as one of our errors."""
    try:
        yield
    except OSError as error:
        raise unreadable(kind, path, error) from error


def unreadable(
    kind: type[DeltaSourceError], path: ReadablePath, error: OSError
) -> DeltaSourceError:
    """Return the error for a file or folder that may be intact but cannot be read now."""
    return kind(
        f"cannot read {path}: {error.strerror}. Check that it can be reached and that this process "
        "may read it"
    )


def list_children(folder: ReadablePath) -> list[ReadablePath]:
    """List a folder, sorted by name; [] if it does not exist, or cannot, such as one with a NUL."""
    # Asking first whether it is a folder takes two more requests on an object store.
    try:
        return sorted(folder.iterdir(), key=lambda child: child.name)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return []


def is_checkpoint(folder: ReadablePath) -> bool:
    """Whether a folder contains what Spark writes into the checkpoint of a query."""
    return any((folder / sign).exists() for sign in CHECKPOINT_SIGNS)


def require_checkpoint(folder: ReadablePath) -> None:
    """Raise CheckpointError if a folder is not the checkpoint of a query, or cannot be read."""
    with os_errors_as(CheckpointError, folder):
        found = is_checkpoint(folder)
    if not found:
        with os_errors_as(CheckpointError, folder):
            is_table = (folder / "_delta_log").exists()
            missing = not_a_folder(folder)
        contents = f"contains none of {', '.join(CHECKPOINT_SIGNS)}"
        if is_table:
            contents = "is the folder of a table"
        raise CheckpointError(
            f"{absolute(folder)} is not a checkpoint: it {missing or contents}. Give the "
            "checkpointLocation of the query"
        )


def absolute(path: ReadablePath) -> ReadablePath:
    """Return a local path with the working folder of Python, which may not be that of Spark."""
    return path.absolute() if isinstance(path, Path) else path


def not_a_folder(path: ReadablePath) -> str | None:
    """Return "does not exist" or "is a file" for a path that is no folder; None for a folder."""
    if path.is_dir():
        return None
    return "is a file" if path.exists() else "does not exist"


def numbered_files(folder: ReadablePath) -> dict[int, ReadablePath]:
    """List the files of a folder whose names are numbers, by number; {} if it does not exist.

    Leaves out the other files of Spark (`.7.crc`, `.7.<uuid>.tmp`).
    """
    found = {int(file.name): file for file in list_children(folder) if _NUMBER.fullmatch(file.name)}
    return dict(sorted(found.items()))
