# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Counts what planning one batch costs, over few and many versions with deletion vectors.

Counts do not depend on the machine: a test checks ours, and `make parity` shows both sides.
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
"""Number of files; each version deletes from the next one in turn."""

START = {"startingVersion": "1", "maxFilesPerTrigger": "1000000"}
KINDS = {"plain": {"ignoreChanges": "true"}, "change feed": {"readChangeFeed": "true"}}
CONFS = {
    "spark.hadoop.fs.file.impl": "io.github.deltasource.bench.CountingFileSystem",
    "spark.deltasource.log.listInterval": "10s",
}


@dataclass(frozen=True)
class Cost:
    """The cost of `latestOffset` and `getBatch` for one batch, which is not executed."""

    scans: int
    """File relations in the plan of the batch."""
    jobs: int
    """Spark jobs until `getBatch` returned."""
    listings: int
    """Listings of the log's folder."""
    opened: int
    """Opens of files in the log's folder."""


def cost(spark: SparkSession, folder: Path, kind: str, versions: int) -> Cost:
    """The cost of a stream's second batch, which has `versions` versions."""
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
    """An inline deletion vector of the first rows of a file."""
    jvm: Any = spark._jvm
    delta = jvm.org.apache.spark.sql.delta
    bitmap = delta.deletionvectors.RoaringBitmapArray()
    for row in range(rows):
        bitmap.add(row)
    form = delta.deletionvectors.RoaringBitmapArrayFormat.Portable()
    written = bitmap.serializeAsByteArray(form)
    vector = delta.actions.DeletionVectorDescriptor.inlineInLog(written, rows)
    return {
        "storageType": vector.storageType(),
        "pathOrInlineDv": vector.pathOrInlineDv(),
        "sizeInBytes": vector.sizeInBytes(),
        "cardinality": vector.cardinality(),
    }


def counted(spark: SparkSession) -> dict[str, int]:
    """The counts so far, by the names of `Cost`."""
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
