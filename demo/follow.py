# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The stream from one table into another, which can be stopped and restarted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import deltasource

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming.query import StreamingQuery


@dataclass(frozen=True)
class Batch:
    """One batch of the stream, from Spark's progress."""

    rows: int
    planning_ms: int
    in_snapshot: bool
    """Whether the batch ends inside the initial snapshot."""

    @classmethod
    def of(cls, progress: Mapping[str, Any]) -> Batch:
        """Read a progress; planning is `latestOffset` and `getBatch`."""
        took = progress["durationMs"]
        planning = took.get("latestOffset", 0) + took.get("getBatch", 0)
        source = deltasource.Progress.of(progress).sources["0"]
        return cls(progress["numInputRows"], planning, source.snapshot_percent is not None)


@dataclass(frozen=True)
class Follower:
    """A stream from a table into its copy, with at most `max_files` files per batch."""

    spark: SparkSession
    source: Path
    target: Path
    checkpoint: Path
    max_files: int

    def start(self) -> StreamingQuery:
        """Start, or continue from the checkpoint."""
        options = deltasource.ReadOptions(max_files=self.max_files)
        rows = deltasource.read_stream(self.spark, self.source, options=options)
        writer = rows.writeStream.format("delta").option("checkpointLocation", str(self.checkpoint))
        return writer.start(str(self.target))


def batches(query: StreamingQuery) -> Sequence[Batch]:
    """Return the batches of a run that read rows."""
    read = (Batch.of(progress) for progress in query.recentProgress)
    return [batch for batch in read if batch.rows > 0]


def end(query: StreamingQuery) -> Sequence[Batch]:
    """Stop a stream, and return the batches of its run; raise its error if it has failed.

    The batches are read after it has stopped, because one may finish while it stops.
    """
    query.stop()
    query.awaitTermination()
    return batches(query)
