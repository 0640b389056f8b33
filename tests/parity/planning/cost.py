# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What planning one batch costs, over few and many versions with deletion vectors, in counts.

Counts do not depend on the machine: a test holds ours to them, and `make parity` shows both sides.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from parity.planning.log import Log
from parity.planning.source import Source, relations
from parity.planning.table import Add, Commit, Remove, Table

FILES = 20
"""Of which each version deletes from one, in turns."""

START = {"startingVersion": "1", "maxFilesPerTrigger": "1000000"}
KINDS = {"plain": {"ignoreChanges": "true"}, "change feed": {"readChangeFeed": "true"}}
CONFS = {
    "spark.hadoop.fs.file.impl": "io.github.deltasource.bench.CountingFileSystem",
    "spark.deltasource.log.listInterval": "10s",
}


@dataclass(frozen=True)
class Cost:
    """Of one batch: both questions of the engine, nothing executed."""

    scans: int
    """Relations of files in the plan of the batch."""
    jobs: int
    """Spark jobs until the batch was handed over."""
    listings: int
    """Of the log's folder."""
    opened: int
    """Files of the log's folder, each as often as it was opened."""


def cost(spark: SparkSession, folder: Path, kind: str, versions: int) -> Cost:
    """Of the second batch of a stream, which holds so many versions."""
    log = Log(table(versions), folder / "table", vectors=lambda rows: inline(spark, rows))
    log.land(1)
    options = {**START, **KINDS[kind], "path": str(folder / "table")}
    source = Source(spark, options, folder / "checkpoint")
    try:
        first = source.latest(None)
        source.batch(None, first.json(), first)
        source.commit(first.json())
        log.land(versions)
        before = counted(spark)
        end = source.latest(first.json())
        frame = source.batch(first.json(), end.json(), end)
        return Cost(
            scans=len(relations(frame)),
            **{name: count - before[name] for name, count in counted(spark).items()},
        )
    finally:
        source.stop()


def table(versions: int) -> Table:
    added = tuple(Add(path(file), rows=tuple(range(100))) for file in range(FILES))
    deletes = itertools.islice(more_deleted(), versions)
    return Table((Commit(added), *deletes), vectors=True, feed=True)


def more_deleted() -> Iterator[Commit]:
    for number in itertools.count():
        before, file = divmod(number, FILES)
        after = Add(path(file), rows=(), deleted=before + 1)
        yield Commit((Remove(path(file), deleted=before), after), operation="DELETE")


def path(file: int) -> str:
    return f"{file}.parquet"


def inline(spark: SparkSession, rows: int) -> dict[str, Any]:
    """A vector over the first rows of a file, within its descriptor."""
    jvm: Any = spark._jvm
    delta = jvm.org.apache.spark.sql.delta
    bitmap = delta.deletionvectors.RoaringBitmapArray()
    for row in range(rows):
        bitmap.add(row)
    form = delta.deletionvectors.RoaringBitmapArrayFormat.Portable()
    written = bitmap.serializeAsByteArray(form)
    told = delta.actions.DeletionVectorDescriptor.inlineInLog(written, rows)
    return {
        "storageType": told.storageType(),
        "pathOrInlineDv": told.pathOrInlineDv(),
        "sizeInBytes": told.sizeInBytes(),
        "cardinality": told.cardinality(),
    }


def counted(spark: SparkSession) -> dict[str, int]:
    """So far, by the names of `Cost`."""
    python: Any = spark.sparkContext
    context = python._jsc.sc()
    context.listenerBus().waitUntilEmpty()
    jvm: Any = spark._jvm
    files = jvm.io.github.deltasource.bench.CountingFileSystem
    return {
        "jobs": len(list(context.statusTracker().getJobIdsForGroup(None))),
        "listings": files.counted("list"),
        "opened": files.counted("open"),
    }
