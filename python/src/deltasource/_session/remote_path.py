# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Paths on the file systems that a session reaches, to be read as those of the local disk are."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from deltasource._session import jvm
from deltasource.errors import ConnectError, RemotePathError
from deltasource.types import SessionLike


def of(spark: SessionLike, path: str) -> RemotePath:
    """Answer a path as the Spark of a session takes it: without a scheme it is the default one's.

    Raises ConnectError for a session of Spark Connect, RemotePathError where it knows no such file
    system.
    """
    session = jvm.session(spark)
    if session is None:
        raise ConnectError(
            f"{path} is on a file system of the Spark Connect server, out of this package's reach: "
            "read it in a classic session, or copy it to a local folder and leave `spark` out"
        )
    try:
        files = session.files()
        return RemotePath(files, files.qualified(path))
    except OSError as error:
        raise RemotePathError(
            f"{path} cannot be reached by this session: {error.strerror}. Give a path that "
            "`spark.read` can read"
        ) from error


@dataclass(frozen=True)
class RemotePath:
    """Of `pathlib.Path` what reading a checkpoint needs, through Hadoop's file systems."""

    _files: jvm.HadoopFiles
    _uri: str

    def __str__(self) -> str:
        return self._uri

    @property
    def name(self) -> str:
        return self._uri.rpartition("/")[2]

    def __truediv__(self, child: str, /) -> RemotePath:
        return RemotePath(self._files, f"{self._uri.rstrip('/')}/{child}")

    def exists(self) -> bool:
        return self._files.status(self._uri) is not None

    def is_dir(self) -> bool:
        status = self._files.status(self._uri)
        return status is not None and status.is_dir

    def iterdir(self) -> Iterator[RemotePath]:
        return (self / name for name in self._files.names(self._uri))

    def stat(self) -> jvm.FileStatus:
        status = self._files.status(self._uri)
        if status is None:
            raise FileNotFoundError(self._uri)
        return status

    def open(self, *, encoding: str) -> TextIO:
        # Spark's and Delta's files are small enough to be fetched whole.
        return io.TextIOWrapper(io.BytesIO(self._files.content(self._uri)), encoding)

    def read_text(self, encoding: str) -> str:
        return self._files.content(self._uri).decode(encoding)
