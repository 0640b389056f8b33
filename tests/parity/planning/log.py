# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the commits of a table as text, with checksum files, as a writer would.

The checksum files save both sides the job that looks up protocol and metadata.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from parity.planning.metadata_actions import EPOCH, metadata, protocol
from parity.planning.table import (
    Action,
    Add,
    Change,
    Columns,
    Commit,
    Feature,
    Properties,
    Remove,
    Table,
    Txn,
)

Vectors: TypeAlias = Callable[[int], dict[str, Any]]
"""The descriptor of a deletion vector, by the number of deleted rows."""

HOUR = 3600


class Log:
    """A table's log; `land` writes the next commits."""

    def __init__(self, table: Table, folder: Path, vectors: Vectors | None = None) -> None:
        self._table = table
        self._vectors = vectors or stored
        self._folder = folder / "_delta_log"
        self._folder.mkdir(parents=True)
        self._version = -1
        self._live: dict[tuple[str, int], int] = {}
        self._columns = table.columns
        self._properties: dict[str, str] = {}
        self._features: tuple[Feature, ...] = ()
        self._put(Commit(operation="CREATE TABLE"), [self._protocol(), self._metadata()])

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
                case Properties(note, key):
                    self._properties[key] = note
                case Columns(columns):
                    self._columns = columns
                case Feature():
                    self._features += (action,)
                case _:
                    pass
        self._put(commit, [self._line(action) for action in commit.actions])

    def _line(self, action: Action) -> dict[str, Any]:
        if isinstance(action, Properties | Columns):
            return self._metadata()
        return self._protocol() if isinstance(action, Feature) else line(action, self._vectors)

    def _metadata(self) -> dict[str, Any]:
        return metadata(self._table, self._columns, self._properties)

    def _protocol(self) -> dict[str, Any]:
        return protocol(self._table, self._features)

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
        checksum = {
            "tableSizeBytes": sum(self._live.values()),
            "numFiles": len(self._live),
            "numMetadata": 1,
            "numProtocol": 1,
            "metadata": self._metadata()["metaData"],
            "protocol": self._protocol()["protocol"],
        }
        (self._folder / f"{self._version:020d}.crc").write_text(json.dumps(checksum))


def info(commit: Commit, time: int) -> dict[str, Any]:
    return {
        "commitInfo": {
            "timestamp": time * 1000,
            "operation": commit.operation,
            "operationParameters": {},
            "operationMetrics": dict(commit.metrics),
        }
    }


def line(action: Action, vectors: Vectors) -> dict[str, Any]:
    match action:
        case Add():
            fields = {
                "path": action.path,
                "partitionValues": {},
                "size": action.size,
                "modificationTime": action.time,
                "dataChange": action.new,
                "stats": json.dumps({"numRecords": len(action.rows) + action.deleted}),
            }
            return {"add": fields | vector(vectors, action.deleted)}
        case Remove():
            fields = {
                "path": action.path,
                "deletionTimestamp": EPOCH * 1000,
                "dataChange": action.new,
                "extendedFileMetadata": True,
                "partitionValues": {},
                "size": 100,
            }
            return {"remove": fields | vector(vectors, action.deleted)}
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
        case Properties() | Columns() | Feature():
            raise ValueError("needs the table's earlier state")


def vector(vectors: Vectors, deleted: int) -> dict[str, Any]:
    return {"deletionVector": vectors(deleted)} if deleted else {}


def stored(deleted: int) -> dict[str, Any]:
    """A deletion vector in a file that does not exist, for plans that do not open it."""
    return {
        "storageType": "u",
        "pathOrInlineDv": "ab^-aqEH.-t@S}K{vb[*k^",
        "offset": deleted,
        "sizeInBytes": 40,
        "cardinality": deleted,
    }
