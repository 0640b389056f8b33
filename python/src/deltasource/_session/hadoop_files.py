# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The file systems that a running Spark can use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deltasource._session import jvm


@dataclass(frozen=True)
class FileStatus:
    """The status of a file or a folder; `st_mtime` is in seconds since 1970."""

    is_dir: bool
    st_mtime: float


class HadoopFiles:
    """The file systems of a session, with a copy of its settings; errors are raised as OSError."""

    def __init__(self, session: jvm.Session) -> None:
        self._view, self._conf = session.hadoop()

    def qualified(self, path: str) -> str:
        """Return a path with its scheme; OSError if Hadoop does not know the scheme."""
        with jvm.os_errors(path):
            hadoop_path, fs = self._resolve(path)
            return str(fs.makeQualified(hadoop_path).toString())

    def status(self, uri: str) -> FileStatus | None:
        """Return the status of a file or a folder; None if it does not exist."""
        try:
            with jvm.os_errors(uri):
                hadoop_path, fs = self._resolve(uri)
                status = fs.getFileStatus(hadoop_path)
                return FileStatus(status.isDirectory(), status.getModificationTime() / 1000)
        except FileNotFoundError:
            return None

    def list_names(self, uri: str) -> Sequence[str]:
        """List the names in a folder, with one call: a log may have many thousands."""
        hadoop = self._view.org.apache.hadoop.fs
        with jvm.os_errors(uri):
            hadoop_path, fs = self._resolve(uri)
            # Without a filter, S3A returns an array of its own class, which Python cannot pass on.
            statuses = fs.listStatus(hadoop_path, hadoop.GlobFilter("*"))
            found = hadoop.FileUtil.stat2Paths(statuses)
            paths = str(self._view.scala.Predef.genericWrapArray(found).mkString("\n"))
        return [path.rpartition("/")[2] for path in paths.split("\n") if path]

    def read_bytes(self, uri: str) -> bytes:
        """Read a whole file."""
        with jvm.os_errors(uri):
            hadoop_path, fs = self._resolve(uri)
            stream = fs.open(hadoop_path)
            try:
                return bytes(self._view.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def read_end(self, uri: str, length: int) -> bytes:
        """Read the last bytes of a file, at most `length`."""
        with jvm.os_errors(uri):
            hadoop_path, fs = self._resolve(uri)
            status = fs.getFileStatus(hadoop_path)
            # With its status, S3A does not ask for it again.
            stream = fs.openFile(hadoop_path).withFileStatus(status).build().get()
            try:
                stream.seek(max(0, int(status.getLen()) - length))
                return bytes(self._view.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def _resolve(self, path: str) -> tuple[Any, Any]:
        hadoop_path = self._view.org.apache.hadoop.fs.Path(path)
        return hadoop_path, hadoop_path.getFileSystem(self._conf)
