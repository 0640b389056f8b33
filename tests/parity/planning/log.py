# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the commits of a table as text, as a writer would, with checksum files beside them.

The checksum files save both sides the job that looks for protocol and metadata.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from parity.planning.table import Action, Add, Change, Commit, Properties, Remove, Table, Txn

ID = "11111111-2222-4333-8444-555555555555"
Vectors: TypeAlias = Callable[[int], dict[str, Any]]
"""The descriptor of a deletion vector over so many rows."""

EPOCH = 1704067200
"""2024-01-01; the commit of version n has the time of n o'clock."""
HOUR = 3600
SCHEMA = {
    "type": "struct",
    "fields": [{"name": "id", "type": "long", "nullable": True, "metadata": {}}],
}


class Log:
    """`land` makes the next commit appear; the files before it stay as they are."""

    def __init__(self, table: Table, folder: Path, vectors: Vectors | None = None) -> None:
        self._table = table
        self._vectors = vectors or stored
        self._folder = folder / "_delta_log"
        self._folder.mkdir(parents=True)
        self._version = -1
        self._live: dict[tuple[str, int], int] = {}
        self._metadata = metadata(table, ())
        self._put(Commit(operation="CREATE TABLE"), [protocol(table), self._metadata])

    def land(self, count: int) -> None:
        for _ in range(count):
            if self._version < len(self._table.commits):
                self._land(self._table.commits[self._version])

    def _land(self, commit: Commit) -> None:
        for action in commit.actions:
            match action:
                case Add():
                    self._live[action.path, action.deleted] = action.size
                case Remove():
                    self._live.pop((action.path, action.deleted), None)
                case Properties(note):
                    self._metadata = metadata(self._table, (("note", note),))
                case _:
                    pass
        self._put(commit, [self._line(action) for action in commit.actions])

    def _line(self, action: Action) -> dict[str, Any]:
        return self._metadata if isinstance(action, Properties) else line(action, self._vectors)

    def _put(self, commit: Commit, actions: list[dict[str, Any]]) -> None:
        self._version += 1
        time = EPOCH + HOUR * self._version + commit.late
        self._crc()
        file = self._folder / f"{self._version:020d}.json"
        fresh = file.with_suffix(".fresh")
        lines = [info(commit, time), *actions]
        fresh.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines))
        os.utime(fresh, (time, time))
        fresh.replace(file)

    def _crc(self) -> None:
        told = {
            "tableSizeBytes": sum(self._live.values()),
            "numFiles": len(self._live),
            "numMetadata": 1,
            "numProtocol": 1,
            "metadata": self._metadata["metaData"],
            "protocol": protocol(self._table)["protocol"],
        }
        (self._folder / f"{self._version:020d}.crc").write_text(json.dumps(told))


def info(commit: Commit, time: int) -> dict[str, Any]:
    return {
        "commitInfo": {
            "timestamp": time * 1000,
            "operation": commit.operation,
            "operationParameters": {},
            "operationMetrics": dict(commit.metrics),
        }
    }


def protocol(table: Table) -> dict[str, Any]:
    read = ["deletionVectors"] if table.vectors else []
    write = [*read, "appendOnly", "changeDataFeed", "invariants"]
    told: dict[str, Any] = {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": write}
    if read:
        told |= {"minReaderVersion": 3, "readerFeatures": read}
    return {"protocol": told}


def metadata(table: Table, more: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    properties = dict(more)
    if table.feed:
        properties["delta.enableChangeDataFeed"] = "true"
    if table.vectors:
        properties["delta.enableDeletionVectors"] = "true"
    return {
        "metaData": {
            "id": ID,
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps(SCHEMA),
            "partitionColumns": [],
            "configuration": properties,
            "createdTime": EPOCH * 1000,
        }
    }


def line(action: Action, vectors: Vectors) -> dict[str, Any]:
    match action:
        case Add():
            told = {
                "path": action.path,
                "partitionValues": {},
                "size": action.size,
                "modificationTime": action.time,
                "dataChange": action.new,
                "stats": json.dumps({"numRecords": len(action.rows) + action.deleted}),
            }
            return {"add": told | vector(vectors, action.deleted)}
        case Remove():
            told = {
                "path": action.path,
                "deletionTimestamp": EPOCH * 1000,
                "dataChange": action.new,
                "extendedFileMetadata": True,
                "partitionValues": {},
                "size": 100,
            }
            return {"remove": told | vector(vectors, action.deleted)}
        case Change():
            return {
                "cdc": {
                    "path": action.path,
                    "partitionValues": {},
                    "size": action.size,
                    "dataChange": False,
                }
            }
        case Txn(app):
            return {"txn": {"appId": app, "version": 1, "lastUpdated": EPOCH * 1000}}
        case Properties():
            raise ValueError("needs the table's metadata")


def vector(vectors: Vectors, deleted: int) -> dict[str, Any]:
    return {"deletionVector": vectors(deleted)} if deleted else {}


def stored(deleted: int) -> dict[str, Any]:
    """A vector in a file that nobody wrote: for plans that do not open it."""
    return {
        "storageType": "u",
        "pathOrInlineDv": "ab^-aqEH.-t@S}K{vb[*k^",
        "offset": deleted,
        "sizeInBytes": 40,
        "cardinality": deleted,
    }
