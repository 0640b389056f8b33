# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Paths on object stores and other file systems, read through fsspec, without a session.

fsspec finds the library of a store by the scheme: s3fs for `s3://` and `s3a://`, gcsfs for `gs://`,
adlfs for `abfss://`. The library finds the credentials. In errors a path is spelled as the caller
gave it, so `s3a://` stays `s3a://`, although s3fs calls the same object `bucket/key`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Final, TextIO, TypeVar

from deltasource._checkpoint.fsspec_calls import call_store, one_line
from deltasource._errors import RemotePathError
from deltasource._session.extras import install_line

T = TypeVar("T")

_LIBRARIES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("s3", "s3a"), "s3fs"),
    **dict.fromkeys(("gs", "gcs"), "gcsfs"),
    **dict.fromkeys(("abfs", "abfss", "az"), "adlfs"),
}
# s3fs asks for the size of an object before each read, unless it may use only one connection.
_ONE_CONNECTION: Final[Mapping[str, object]] = {"max_concurrency": 1}
_OPTIONS: Final[Mapping[str, Mapping[str, object]]] = {
    "s3": _ONE_CONNECTION,
    "s3a": _ONE_CONNECTION,
}

_OTHER_WAYS: Final = (
    "Or, in Python, pass a session that can read it (`spark=`), or copy it to a local folder"
)


@dataclass(frozen=True)
class FileTime:
    """The status of a file: its modification time, in seconds since 1970."""

    st_mtime: float


@dataclass(frozen=True)
class FsspecPath:
    """The part of `pathlib.Path` that reading a checkpoint needs, on the file systems of fsspec."""

    _files: Any
    _uri: str
    _key: str

    def __str__(self) -> str:
        return self._uri

    @property
    def name(self) -> str:
        return _last_part(self._uri)

    def __truediv__(self, child: str, /) -> FsspecPath:
        uri, key = (f"{one.rstrip('/')}/{child}" for one in (self._uri, self._key))
        return FsspecPath(self._files, uri, key)

    def exists(self) -> bool:
        return self._type() is not None

    def is_dir(self) -> bool:
        return self._type() == "directory"

    def iterdir(self) -> Iterator[FsspecPath]:
        keys = self._call(lambda: [str(key) for key in self._files.ls(self._key, detail=False)])
        # A folder can contain an object with its own name, and a file lists itself.
        return (self / _last_part(key) for key in keys if key.strip("/") != self._key.strip("/"))

    def stat(self) -> FileTime:
        modified: datetime = self._call(lambda: self._files.modified(self._key))
        if modified.tzinfo is None:
            modified = modified.replace(tzinfo=timezone.utc)
        return FileTime(modified.timestamp())

    def open(self, *, encoding: str) -> TextIO:
        # Spark's and Delta's files are small enough to fetch whole.
        return io.TextIOWrapper(io.BytesIO(self._read()), encoding)

    def read_text(self, encoding: str) -> str:
        return self._read().decode(encoding)

    def _read(self) -> bytes:
        return self._call(lambda: bytes(self._files.cat_file(self._key)))

    def _type(self) -> str | None:
        # fsspec's own `exists` and `isdir` are false if the file system fails.
        try:
            return self._call(lambda: str(self._files.info(self._key)["type"]))
        except FileNotFoundError:
            return None

    def _call(self, action: Callable[[], T]) -> T:
        def uncached() -> T:
            # Listings are cached, and a query adds files while it runs.
            self._files.invalidate_cache()
            return action()

        return call_store(uncached)


def resolve(uri: str) -> FsspecPath | None:
    """Return a path on the file system of a URI's scheme; None if fsspec does not know the scheme.

    Raises RemotePathError if fsspec or the library of the store is not installed, or refuses the
    path.
    """
    scheme, separator, rest = uri.partition("://")
    scheme = scheme.lower()
    # To fsspec, "::" separates two URIs.
    if not separator or "::" in uri or not _is_known(scheme, uri):
        return None
    from fsspec.core import url_to_fs

    def connect() -> tuple[Any, str]:
        # A cached instance would keep the credentials of the first call.
        options = {**_OPTIONS.get(scheme, {}), "skip_instance_cache": True}
        files, key = url_to_fs(f"{scheme}://{rest}", **options)
        return files, str(key)

    try:
        files, key = call_store(connect)
    except OSError as error:
        raise RemotePathError(
            f"cannot open {uri} with fsspec: {error.strerror}. Check the path and the credentials. "
            f"{_OTHER_WAYS}"
        ) from error
    return FsspecPath(files, uri, key)


def _is_known(scheme: str, uri: str) -> bool:
    """Whether fsspec knows a scheme; RemotePathError if its library is not installed."""
    library = _LIBRARIES.get(scheme)
    try:
        from fsspec.registry import get_filesystem_class
    except ImportError as error:
        raise _not_installed(uri, "fsspec", library) from error
    try:
        get_filesystem_class(scheme)
    except (ImportError, ValueError) as error:
        # fsspec knows abfss:// only if adlfs is installed.
        if library is not None:
            raise _not_installed(uri, library, library) from error
        if isinstance(error, ValueError):
            return False
        raise RemotePathError(f"cannot read {uri}: {one_line(error)}. {_OTHER_WAYS}") from error
    return True


def _not_installed(uri: str, missing: str, library: str | None) -> RemotePathError:
    line = install_line("remote", *([library] if library else ()))
    return RemotePathError(
        f"cannot read {uri}: {missing} is not installed. Run {line}. {_OTHER_WAYS}"
    )


def _last_part(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
