# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Tables that streams read: commits are written to a local folder, and uploaded one by one.

The uploads are not recorded, so that all requests are the streams' own.
"""

from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import SparkSession

from object_stores.store import ObjectStore

ROWS = 10
"""Rows in a commit, with consecutive ids."""

Files = dict[str, bytes]
"""The files of a commit by their paths in the table."""


class Commits:
    """The commits of a table, each with one data file."""

    def __init__(self, spark: SparkSession, folder: Path, count: int) -> None:
        self._files: list[Files] = []
        known: dict[Path, int] = {}
        for number in range(count):
            rows = spark.range(number * ROWS, (number + 1) * ROWS, numPartitions=1)
            rows.write.format("delta").mode("append").save(str(folder))
            # Hadoop's local checksums are hidden files.
            files = [path for path in folder.rglob("[!.]*") if path.is_file()]
            new = [path for path in files if known.get(path) != path.stat().st_mtime_ns]
            known.update({path: path.stat().st_mtime_ns for path in new})
            names = {str(path.relative_to(folder)): path for path in new}
            self._files.append({name: path.read_bytes() for name, path in names.items()})

    def table(self, store: ObjectStore, key: str) -> "SourceTable":
        """A table that has none of the commits yet."""
        return SourceTable(store, key, self._files)


class SourceTable:
    """A table in an object store that grows by commits which are there already."""

    def __init__(self, store: ObjectStore, key: str, files: Sequence[Files]) -> None:
        self._store = store
        self._key = key
        self._files = files
        self._commits = 0

    @property
    def rows(self) -> int:
        """How many rows are in the table."""
        return self._commits * ROWS

    def append(self, commits: int = 1) -> None:
        """Upload the next commits."""
        for _ in range(commits):
            files = self._files[self._commits]
            # Data files first, then the commit.
            for name in sorted(files, key=lambda name: name.startswith("_delta_log")):
                self._store.put(f"{self._key}/{name}", files[name])
            self._commits += 1
