# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Tables with data, written by Spark, with the columns of `bench.actions`.

Values are hashes of the row number, so all runs read the same and little of it compresses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench.actions import COLUMNS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS: Final = 22_000
"""Rows in a file, which make it about 1 MB."""

COMMITS: Final = 10
"""Commits of a table, each with the same number of files."""

EXPRESSIONS: Final = {
    "order_id": "100000001 + id",
    "customer_id": "pmod(xxhash64(id, 1), 1000000)",
    "placed_at": "timestamp_micros(1767225600000000 + pmod(xxhash64(id, 2), 86400000000))",
    "country": "elt(CAST(1 + pmod(xxhash64(id, 3), 6) AS INT), 'AR','DE','IN','JP','MX','ZW')",
    "amount": "pmod(xxhash64(id, 4), 200000) / 100",
    "items": "1 + pmod(xxhash64(id, 5), 48)",
    "channel": "elt(CAST(1 + pmod(xxhash64(id, 6), 3) AS INT), 'web', 'app', 'shop')",
    "note": "concat(substr(hex(xxhash64(id, 7)), 1, 2), ' ', lower(hex(xxhash64(id, 8))))",
}
"""The expression for each column; `id` is the row number."""


def columns() -> list[str]:
    """Return the columns as SQL expressions, with the types of `bench.actions`."""
    return [f"CAST({EXPRESSIONS[name]} AS {kind}) AS {name}" for name, kind in COLUMNS.items()]


def write(spark: SparkSession, table: str, files: int, rows: int = ROWS) -> None:
    """Write a table with this number of files, and of rows in each file."""
    each, rest = divmod(files, COMMITS)
    if rest:
        raise ValueError(f"files must be a multiple of {COMMITS}, got {files}")
    for first in range(0, files, each):
        numbers = spark.range(first * rows, (first + each) * rows, numPartitions=each)
        numbers.selectExpr(*columns()).write.format("delta").mode("append").save(table)
    if (found := len(spark.read.format("delta").load(table).inputFiles())) != files:
        raise RuntimeError(f"{table} has {found} files, not {files}")
