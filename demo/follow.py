# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The stream: follows one table into another, and can be stopped and started again."""

from __future__ import annotations

import json
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
    """One batch of the stream, from Spark's own progress report."""

    rows: int
    planning_ms: int
    in_snapshot: bool
    """Whether the initial snapshot goes on behind it."""

    @classmethod
    def of(cls, progress: Mapping[str, Any]) -> Batch:
        """Take what the source did: how far can it go, and which files are that."""
        took = progress["durationMs"]
        planning = took.get("latestOffset", 0) + took.get("getBatch", 0)
        end = json.loads(progress["sources"][0]["endOffset"])
        return cls(progress["numInputRows"], planning, end["isStartingVersion"])


@dataclass(frozen=True)
class Follower:
    """A stream from a table into its copy, at most so many files a batch."""

    spark: SparkSession
    source: Path
    target: Path
    checkpoint: Path
    max_files: int

    def start(self) -> StreamingQuery:
        """Start, or go on from the checkpoint."""
        options = deltasource.ReadOptions(max_files=self.max_files)
        rows = deltasource.read_stream(self.spark, self.source, options=options)
        writer = rows.writeStream.format("delta").option("checkpointLocation", str(self.checkpoint))
        return writer.start(str(self.target))


def batches(query: StreamingQuery) -> Sequence[Batch]:
    """Answer the batches of a run that read rows."""
    read = (Batch.of(progress) for progress in query.recentProgress)
    return [batch for batch in read if batch.rows > 0]


def end(query: StreamingQuery) -> Sequence[Batch]:
    """Stop a stream, or tell why it ended by itself; answer the batches of its run.

    They are counted when it has stopped: one may finish while it is told to.
    """
    query.stop()
    query.awaitTermination()
    return batches(query)
