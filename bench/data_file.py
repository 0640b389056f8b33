# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A Parquet file with data, of about 1 MB, that a table may contain under many names."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final

from bench.actions import COLUMNS, FIRST_MILLIS
from bench.data import ROWS

DAY_MICROS: Final = 86_400_000_000


def write(path: Path) -> dict[str, Any]:
    """Write the file; return its size and statistics, as in an `add` action."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {
        "long": pa.int64(),
        "timestamp": pa.timestamp("us", tz="UTC"),
        "string": pa.string(),
        "double": pa.float64(),
        "integer": pa.int32(),
    }
    values = _columns()
    arrays = {name: pa.array(values[name], types[kind]) for name, kind in COLUMNS.items()}
    parquet.write_table(pa.table(arrays), path)
    stats = {
        "numRecords": ROWS,
        "minValues": {name: _stat(name, min(values[name])) for name in COLUMNS},
        "maxValues": {name: _stat(name, max(values[name])) for name in COLUMNS},
        "nullCount": dict.fromkeys(COLUMNS, 0),
    }
    return {"size": path.stat().st_size, "stats": json.dumps(stats, separators=(",", ":"))}


def _columns() -> dict[str, Sequence[Any]]:
    """Return random values, of which little compresses; the same for each run."""
    source = random.Random(0)
    rows = range(ROWS)
    return {
        "order_id": [100_000_001 + row for row in rows],
        "customer_id": [source.randrange(1_000_000) for _ in rows],
        "placed_at": [FIRST_MILLIS * 1000 + source.randrange(DAY_MICROS) for _ in rows],
        "country": source.choices(("AR", "DE", "IN", "JP", "MX", "ZW"), k=ROWS),
        "amount": [source.randrange(200_000) / 100 for _ in rows],
        "items": [source.randrange(1, 49) for _ in rows],
        "channel": source.choices(("web", "app", "shop"), k=ROWS),
        "note": [f"{source.getrandbits(8):02X} {source.getrandbits(64):016x}" for _ in rows],
    }


def _stat(name: str, value: Any) -> Any:
    if COLUMNS[name] != "timestamp":
        return value
    # Delta cuts bounds to milliseconds.
    time = datetime.fromtimestamp(value // 1000 / 1000, timezone.utc)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
