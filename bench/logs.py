# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes Delta logs as text. Planning reads only the log, so most have no data files."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.actions import BYTES, FIRST_MILLIS, add, commit_info, metadata, protocol, vector

CHECKPOINT_INTERVAL: Final = 10
"""Delta's default: a checkpoint every ten commits."""

LAST_CHECKPOINT: Final = "_last_checkpoint"
"""The file that says which checkpoint is the last."""


@dataclass(frozen=True)
class Log:
    """The log folder of a table.

    vectors  enables deletion vectors and the change feed
    data     size and statistics of each file, if the files exist
    """

    folder: Path
    vectors: bool = False
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(
        cls, table: Path, *, vectors: bool = False, data: Mapping[str, Any] | None = None
    ) -> Log:
        folder = table / "_delta_log"
        folder.mkdir(parents=True)
        return cls(folder, vectors, data or {})

    def commit(self, version: int, files: Iterable[int] = ()) -> None:
        """Write a commit that adds the files with these numbers; version 0 creates the table."""
        first: list[dict[str, Any]] = []
        if version == 0:
            made = metadata(vectors=self.vectors)
            first = [{"protocol": protocol(vectors=self.vectors)}, {"metaData": made}]
        self._write(
            version, "WRITE", itertools.chain(first, ({"add": self._add(one)} for one in files))
        )

    def _add(self, number: int) -> dict[str, Any]:
        return {**add(number), **self.data}

    def delete(self, version: int, number: int, rows: int) -> None:
        """Write a commit that deletes one more row of a file; `rows` are deleted after it."""
        file = add(number)
        before = {"deletionVector": vector(rows - 1)} if rows > 1 else {}
        gone = {
            "path": file["path"],
            "deletionTimestamp": FIRST_MILLIS + 1000 * version,
            "dataChange": True,
            "extendedFileMetadata": True,
            "partitionValues": {},
            "size": file["size"],
            **before,
        }
        actions = [{"remove": gone}, {"add": {**file, "deletionVector": vector(rows)}}]
        self._write(version, "DELETE", actions)

    def _write(self, version: int, operation: str, actions: Iterable[dict[str, Any]]) -> None:
        info = {"commitInfo": commit_info(version, operation)}
        with (self.folder / f"{version:020}.json").open("w", encoding="utf-8") as commit:
            for action in itertools.chain([info], actions):
                commit.write(json.dumps(action, separators=(",", ":")) + "\n")

    def checksum(self, version: int, files: int) -> None:
        """Write the checksum file of a version, as Delta's writers do."""
        content = {
            "tableSizeBytes": files * self.data.get("size", BYTES),
            "numFiles": files,
            "numMetadata": 1,
            "numProtocol": 1,
            "setTransactions": [],
            "domainMetadata": [],
            "metadata": metadata(vectors=self.vectors),
            "protocol": protocol(vectors=self.vectors),
        }
        text = json.dumps(content, separators=(",", ":"))
        (self.folder / f"{version:020}.crc").write_text(text, encoding="utf-8")

    def checkpoint(self, version: int, files: Iterable[int]) -> None:
        """Write a checkpoint with these files, as one Parquet file."""
        import pyarrow as pa
        from pyarrow import parquet

        text = pa.string()
        texts = pa.map_(text, text)
        whole = pa.int64()
        schema = pa.schema(
            {
                "protocol": pa.struct(
                    {"minReaderVersion": pa.int32(), "minWriterVersion": pa.int32()}
                ),
                "metaData": pa.struct(
                    {
                        "id": text,
                        "format": pa.struct({"provider": text, "options": texts}),
                        "schemaString": text,
                        "partitionColumns": pa.list_(text),
                        "configuration": texts,
                        "createdTime": whole,
                    }
                ),
                "add": pa.struct(
                    {
                        "path": text,
                        "partitionValues": texts,
                        "size": whole,
                        "modificationTime": whole,
                        "dataChange": pa.bool_(),
                        "stats": text,
                    }
                ),
            }
        )
        rows = [{"protocol": protocol()}, {"metaData": _paired(metadata())}]
        rows += [{"add": _paired({**self._add(number), "dataChange": False})} for number in files]
        name = f"{version:020}.checkpoint.parquet"
        parquet.write_table(pa.Table.from_pylist(rows, schema=schema), self.folder / name)
        hint = json.dumps({"version": version, "size": len(rows)})
        (self.folder / LAST_CHECKPOINT).write_text(hint, encoding="utf-8")


def _paired(action: dict[str, Any]) -> dict[str, Any]:
    """Replace the empty maps by lists of pairs, which is how Arrow takes a map."""
    if "format" in action:
        form = {**action["format"], "options": []}
        return {**action, "format": form, "configuration": []}
    return {**action, "partitionValues": []}


def batched(files: int, size: int) -> Iterator[range]:
    """Split the numbers of files into commits."""
    return (range(first, min(first + size, files)) for first in range(0, files, size))
