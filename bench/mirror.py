# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Copies versions of a table into another as a writer adds them, and measures their arrivals."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench.arrivals import arrivals
from bench.data import ROWS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INTERVAL: Final = 0.5
"""Seconds between two commits of the writer."""


def mirror(
    spark: SparkSession, task: Mapping[str, Any], *, interval: float = INTERVAL
) -> dict[str, Any]:
    """Return the arrivals, and the milliseconds of each part of each batch."""
    read = spark.readStream.format("delta").options(**task["options"]).load()
    writer = read.writeStream.format("delta").option("checkpointLocation", task["checkpoint"])
    query = writer.start(task["target"])
    try:
        # After this, the stream knows the latest version, where it starts.
        query.processAllAvailable()
        landed = add_versions(task, interval)
        query.processAllAvailable()
        batches = [one for one in query.recentProgress if one.numInputRows > 0]
    finally:
        query.stop()
    rows = sum(batch.numInputRows for batch in batches)
    if rows != ROWS * len(landed):
        raise RuntimeError(f"{rows:,} rows of {len(landed):,} commits, not {ROWS:,} of each")
    ends = {batch.batchId: str(batch.sources[0].endOffset) for batch in batches}
    found = arrivals(landed, ends, Path(task["target"]) / "_delta_log")
    return {
        "arrivals": [asdict(one) for one in found],
        "durationMs": {
            part: [batch.durationMs[part] for batch in batches] for part in batches[0].durationMs
        },
    }


def add_versions(task: Mapping[str, Any], interval: float) -> dict[int, int]:
    """Let a writer add all waiting versions; return when each landed."""
    asked = {
        "waiting": str(Path(task["waiting"]).parent),
        "table": task["options"]["path"],
        "interval": interval,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "bench.writer", json.dumps(asked)],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        check=True,
    )
    return {int(version): time for version, time in json.loads(ended.stdout).items()}
