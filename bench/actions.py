# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Actions of a Delta log, with statistics of a realistic size: eight columns."""

from __future__ import annotations

import base64
import json
import string
import struct
import uuid
from collections.abc import Sequence
from typing import Any, Final

BYTES: Final = 120_000_000
"""The size of each file, as the log records it."""

FIRST_MILLIS: Final = 1_767_225_600_000
"""The time of the first commit, as the log records it: 2026-01-01, in UTC."""

COLUMNS: Final = {
    "order_id": "long",
    "customer_id": "long",
    "placed_at": "timestamp",
    "country": "string",
    "amount": "double",
    "items": "integer",
    "channel": "string",
    "note": "string",
}
_SAMPLES: Final[dict[str, Sequence[object]]] = {
    "long": (100_000_001, 100_999_999),
    "integer": (1, 48),
    "double": (0.99, 1999.95),
    "string": ("AR 3f9c1c1e", "ZW f1b2a9d7"),
    "timestamp": ("2026-01-01T00:00:00.123Z", "2026-01-01T23:59:59.876Z"),
}
_ORDER: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_Z85: Final = str.maketrans(
    _ORDER + "!#$%&()*+-;<=>?@^_`{|}~",
    string.digits + string.ascii_lowercase + string.ascii_uppercase + ".-:+=^!/*?&<>()[]{}@%$#",
)
"""Translates the digits of Python's base 85 to those of Z85."""
_TABLE: Final = "5a1f6d2e-0000-4000-8000-000000000001"
_SCHEMA: Final = json.dumps(
    {
        "type": "struct",
        "fields": [
            {"name": name, "type": kind, "nullable": True, "metadata": {}}
            for name, kind in COLUMNS.items()
        ],
    }
)


def protocol(*, vectors: bool = False) -> dict[str, Any]:
    if not vectors:
        return {"minReaderVersion": 1, "minWriterVersion": 2}
    return {
        "minReaderVersion": 3,
        "minWriterVersion": 7,
        "readerFeatures": ["deletionVectors"],
        "writerFeatures": ["deletionVectors", "changeDataFeed", "appendOnly", "invariants"],
    }


def metadata(*, vectors: bool = False) -> dict[str, Any]:
    features = ("delta.enableDeletionVectors", "delta.enableChangeDataFeed")
    return {
        "id": _TABLE,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": _SCHEMA,
        "partitionColumns": [],
        "configuration": dict.fromkeys(features, "true") if vectors else {},
        "createdTime": FIRST_MILLIS,
    }


def add(number: int) -> dict[str, Any]:
    """Return an `add` action; path and time depend on the number."""
    name = uuid.UUID(int=number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128)
    return {
        "path": f"part-{number % 200:05}-{name}-c000.snappy.parquet",
        "partitionValues": {},
        "size": BYTES + number % 1000,
        "modificationTime": FIRST_MILLIS + number,
        "dataChange": True,
        "stats": _stats(number),
    }


def _stats(number: int) -> str:
    ends = [{name: _SAMPLES[kind][end] for name, kind in COLUMNS.items()} for end in (0, 1)]
    return json.dumps(
        {
            "numRecords": 1_000_000 + number,
            "minValues": ends[0],
            "maxValues": ends[1],
            "nullCount": dict.fromkeys(COLUMNS, 0),
        },
        separators=(",", ":"),
    )


def vector(rows: int) -> dict[str, Any]:
    """Return an inline deletion vector that deletes the first rows of a file.

    In the format of Delta's protocol: the number of bitmaps and the key of the only one, then a
    Roaring bitmap in portable format with one array container, encoded in Z85.
    """
    container = struct.pack(f"<HHI{rows}H", 0, rows - 1, 16, *range(rows))
    written = struct.pack("<IQIII", 1681511377, 1, 0, 12346, 1) + container
    padded = written + bytes(-len(written) % 4)
    return {
        "storageType": "i",
        "pathOrInlineDv": base64.b85encode(padded).decode("ascii").translate(_Z85),
        "sizeInBytes": len(written),
        "cardinality": rows,
    }


def commit_info(version: int, operation: str) -> dict[str, Any]:
    return {
        "timestamp": FIRST_MILLIS + 1000 * version,
        "operation": operation,
        "operationParameters": {"mode": "Append", "partitionBy": "[]"},
        "isolationLevel": "Serializable",
        "isBlindAppend": operation == "WRITE",
        "engineInfo": "bench",
    }
