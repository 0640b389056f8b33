# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checkpoints and tables for tests, written as text in the forms that Spark and Delta write."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TABLE = "c607877f-bcb4-4aa7-a761-e25023599c59"
OTHER = "17820f2f-e5f3-4473-a740-e672666617a3"
METADATA = '{"batchWatermarkMs":0,"batchTimestampMs":1795280556330,"conf":{"a.b":"1"}}'


def offset(version: int, index: int = -1, *, snapshot: bool = False, table: str = TABLE) -> str:
    """Return an offset as a source writes it."""
    form = 3 if index in (-20, -19) else 1
    return (
        f'{{"sourceVersion":{form},"reservoirId":"{table}","reservoirVersion":{version},'
        f'"index":{index},"isStartingVersion":{str(snapshot).lower()}}}'
    )


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file as Spark does, next to a checksum and the leftovers of a failed attempt."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f".{name}.crc").write_bytes(b"crc\0\0\0\2\0")
    (folder / f".{name}.b1e3c8a4-0000-4000-8000-000000000000.tmp").write_text("v1\n{")
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def checkpoint(
    folder: Path, *batches: str | Iterable[str], done: Iterable[int] = (), form: str = "v1"
) -> Path:
    """Write a checkpoint: the offsets of each batch, and which batches are committed."""
    put(folder, "metadata", '{"id":"d78e1661-eb59-48d5-964d-054c11807563"}')
    for number, sources in enumerate(batches):
        lines = [sources] if isinstance(sources, str) else sources
        put(folder / "offsets", str(number), "\n".join([form, METADATA, *lines]))
    for number in done:
        put(folder / "commits", str(number), 'v1\n{"nextBatchWatermarkMs":0}')
    return folder


def tracked(version: int, **types: str) -> str:
    """Return a schema log entry: the columns and their types as of a version."""
    fields = [
        {"name": name, "type": of, "nullable": True, "metadata": {}} for name, of in types.items()
    ]
    values = {
        "tableId": TABLE,
        "deltaCommitVersion": version,
        "dataSchemaJson": json.dumps({"type": "struct", "fields": fields}),
        "partitionSchemaJson": '{"type":"struct","fields":[]}',
    }
    return f"v1\n{json.dumps(values)}"


def add(
    size: int, *, path: str = "p", data: bool = True, vector: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return an action that adds a file."""
    stats = json.dumps({"numRecords": 1, "minValues": {"id": 1}})
    values = {"path": path, "size": size, "dataChange": data, "stats": stats}
    return {"add": values if vector is None else values | {"deletionVector": vector}}


def remove(
    path: str,
    seconds: float | None,
    *,
    data: bool = False,
    vector: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an action that removes a file at a time in seconds since 1970.

    OPTIMIZE does so without changing data.
    """
    time = {} if seconds is None else {"deletionTimestamp": int(seconds * 1000)}
    values = {"path": path, "dataChange": data, **time}
    return {"remove": values if vector is None else values | {"deletionVector": vector}}


def cdc(size: int, *, path: str) -> dict[str, Any]:
    """Return an action that adds a change file."""
    return {"cdc": {"path": path, "size": size, "dataChange": False, "partitionValues": {}}}


def vacuum_start(
    specified: object = None, *, default: object = 604_800_000, operation: str = "VACUUM START"
) -> dict[str, Any]:
    """Return what VACUUM writes before it deletes files, with its retention in milliseconds."""
    values = {"retentionCheckEnabled": False, "defaultRetentionMillis": default}
    chosen = {} if specified is None else {"specifiedRetentionMillis": specified}
    return {"commitInfo": {"operation": operation, "operationParameters": values | chosen}}


def commit(table: Path, version: int, *actions: Mapping[str, Any], seconds: float = 1000) -> Path:
    """Write a commit of a table, and set the time of its file."""
    log = table / "_delta_log"
    log.mkdir(parents=True, exist_ok=True)
    file = log / f"{version:020}.json"
    lines = [json.dumps(action, separators=(",", ":")) for action in actions]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.utime(file, (seconds, seconds))
    return file


def table(folder: Path, *sizes: Iterable[int], table_id: str = TABLE) -> Path:
    """Write a table from the file sizes each commit adds, with a commit every 100 seconds."""
    metadata = {"id": table_id, "configuration": {"delta.enableChangeDataFeed": "true"}}
    for version, added in enumerate(sizes):
        first = [{"metaData": metadata}] if version == 0 else []
        info = {"commitInfo": {"timestamp": 5}}
        commit(folder, version, info, *first, *map(add, added), seconds=1000 + 100 * version)
    return folder
