# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Paths on the file systems of a Spark session, with the interface of local paths."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from deltasource._errors import ConnectError, RemotePathError
from deltasource._session import jvm
from deltasource._session.hadoop_files import FileStatus, HadoopFiles
from deltasource._session.requirements import require_session
from deltasource._types import SessionLike


def resolve(spark: SessionLike, path: str) -> HadoopPath:
    """Return a path as in `spark.read`: without a scheme, on the default file system.

    Raises ConnectError for a session of Spark Connect, RemotePathError if the session does not know
    the file system.
    """
    session = jvm.classic_session(spark)
    if session is None:
        require_session(spark)
        raise ConnectError(
            f"cannot read {path} through a Spark Connect session: use a classic session, or copy "
            "it to a local folder and leave `spark` out"
        )
    try:
        files = HadoopFiles(session)
        return HadoopPath(files, files.qualified(path))
    except OSError as error:
        raise RemotePathError(
            f"this session cannot read {path}: {error.strerror}. Use a path that `spark.read` can "
            "read"
        ) from error


@dataclass(frozen=True)
class HadoopPath:
    """The part of `pathlib.Path` that reading a checkpoint needs, on Hadoop's file systems."""

    _files: HadoopFiles
    _uri: str

    def __str__(self) -> str:
        return self._uri

    @property
    def name(self) -> str:
        return self._uri.rpartition("/")[2]

    def __truediv__(self, child: str, /) -> HadoopPath:
        return HadoopPath(self._files, f"{self._uri.rstrip('/')}/{child}")

    def exists(self) -> bool:
        return self._files.status(self._uri) is not None

    def is_dir(self) -> bool:
        status = self._files.status(self._uri)
        return status is not None and status.is_dir

    def iterdir(self) -> Iterator[HadoopPath]:
        return (self / name for name in self._files.list_names(self._uri))

    def stat(self) -> FileStatus:
        status = self._files.status(self._uri)
        if status is None:
            raise FileNotFoundError(self._uri)
        return status

    def open(self, *, encoding: str) -> TextIO:
        # Spark's and Delta's files are small enough to fetch whole.
        return io.TextIOWrapper(io.BytesIO(self._files.read_bytes(self._uri)), encoding)

    def read_end(self, length: int) -> bytes:
        """Read the last bytes of a file, at most `length`."""
        return self._files.read_end(self._uri, length)

    def read_text(self, encoding: str) -> str:
        return self._files.read_bytes(self._uri).decode(encoding)
