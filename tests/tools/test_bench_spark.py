# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Delta can read the benchmark's tables, and its queries notice lost rows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from bench import changes, data, queries, tables
from bench.actions import COLUMNS, add, vector
from bench.logs import Log
from bench.mirror import mirror
from pyspark.sql import SparkSession

pytestmark = pytest.mark.usefixtures("interpreted")


def size(spark: SparkSession, table: Path) -> tuple[int, int]:
    """Return the number and bytes of a table's files, according to Delta."""
    detail = spark.sql(f"DESCRIBE DETAIL delta.`{table}`").collect()[0]
    return detail["numFiles"], detail["sizeInBytes"]


def test_delta_reads_what_is_written(spark: SparkSession, tmp_path: Path) -> None:
    """Delta reads the commits, the checksum file and the checkpoint, and uses the checkpoint."""
    log = Log.of(tmp_path / "t")
    log.commit(0, range(100, 200))
    log.checkpoint(0, range(3))
    log.commit(1, [7])
    log.checksum(1, 4)
    assert size(spark, tmp_path / "t") == (4, sum(add(number)["size"] for number in (0, 1, 2, 7)))


def test_deletion_vectors_follow_the_protocol(spark: SparkSession, tmp_path: Path) -> None:
    """Delta keeps the file and reads just the first rows as deleted."""
    log = Log.of(tmp_path / "t", vectors=True)
    log.commit(0, range(3))
    log.delete(1, 1, rows=1)
    assert size(spark, tmp_path / "t")[0] == 3
    action = vector(5)
    jvm: Any = spark._jvm
    delta = jvm.org.apache.spark.sql.delta
    none = jvm.scala.Option.empty()
    text, length = action["pathOrInlineDv"], action["sizeInBytes"]
    descriptor = delta.actions.DeletionVectorDescriptor.apply("i", text, none, length, 5, none)
    bitmap = delta.deletionvectors.RoaringBitmapArray.readFrom(descriptor.inlineData())
    assert list(bitmap.toArray()) == [0, 1, 2, 3, 4]


def test_data_matches_the_logs(spark: SparkSession, tmp_path: Path) -> None:
    """A table has ten commits, exactly the given files and rows, and the columns of the logs."""
    table = tmp_path / "t"
    data.write(spark, str(table), files=20, rows=3)
    read = spark.read.format("delta").load(str(table))
    columns = [(field.name, field.dataType.typeName()) for field in read.schema.fields]
    assert columns == list(COLUMNS.items())
    assert size(spark, table)[0] == 20
    assert len(list((table / "_delta_log").glob("*.json"))) == 10
    numbers = [row["order_id"] for row in read.select("order_id").collect()]
    assert sorted(numbers) == [100_000_001 + number for number in range(60)]


@pytest.mark.parametrize("sink", ["noop", "delta"])
def test_a_query_that_lost_rows_is_noticed(
    spark: SparkSession, tmp_path: Path, sink: queries.Sink
) -> None:
    """The rows read or copied are counted, and the copy is deleted afterwards."""
    table, copy = tmp_path / "t", tmp_path / "copy"
    spark.range(30).write.format("delta").save(str(table))
    asked = {
        "options": {"path": str(table)},
        "checkpoint": str(tmp_path / "checkpoint"),
        "target": str(copy),
        "now": True,
    }
    nanos, query = queries.run(spark, sink, asked)
    assert nanos > 0
    with pytest.raises(RuntimeError, match=r"^30 rows of .*/t, not 31$"):
        queries.check(spark, query, sink, asked, 31)
    assert not copy.exists()


def test_small_batches_are_measured_one_by_one(spark: SparkSession, tmp_path: Path) -> None:
    """The sink's time is reported for each batch, and their rows are in the table."""
    table = tmp_path / "t"
    data.write(spark, str(table), files=10, rows=3)
    asked = {"checkpoint": str(tmp_path / "checkpoint"), "target": str(table), "batches": 3}
    millis = queries.add(spark, asked)
    assert len(millis) == 3
    assert min(millis) > 0
    written = spark.read.format("delta").load(str(table)).count() - 30
    assert written >= 3 * queries.FEW
    assert written % queries.FEW == 0


def test_commits_are_mirrored_as_they_arrive(spark: SparkSession, tmp_path: Path) -> None:
    """Each commit of the writer arrives in the copy, and the time of each batch is reported."""
    table, waiting, target = tmp_path / "t", tmp_path / "waiting", tmp_path / "target"
    tables.growing(table, waiting, 4)
    shutil.copytree(table, target)
    asked = {
        "options": {"path": str(table), "startingVersion": "latest"},
        "checkpoint": str(tmp_path / "checkpoint"),
        "target": str(target),
        "waiting": str(waiting / "_delta_log"),
    }
    found = mirror(spark, asked, interval=0.1)
    assert len(found["arrivals"]) == 4
    assert all(one["seconds"] > 0 for one in found["arrivals"])
    assert size(spark, table)[0] == tables.GROWING_FILES + 4
    assert {len(parts) for parts in found["durationMs"].values()} <= {1, 2, 3, 4}
    # Only the rows that arrived: the files from before are in the log only.
    assert spark.read.parquet(str(target)).count() == 4 * data.ROWS


def test_both_ways_to_apply_changes_end_with_the_same_rows(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MERGE by hand and `apply_changes` leave the same table, and ours reads fewer files."""
    monkeypatch.setattr(changes, "BATCHES", 4)
    asked = {"size": 1_000, "events": 20, "where": "recent"}
    asked |= {"table": str(tmp_path / "t"), "waiting": str(tmp_path / "waiting")}
    changes.write(spark, asked)
    found: list[dict[str, Any]] = []
    for side in ("stock", "ours"):
        target = shutil.copytree(tmp_path / "t", tmp_path / side)
        others = {"side": side, "target": str(target), "checkpoint": str(tmp_path / f"{side}-c")}
        found.append(changes.run(spark, {**asked, **others}))
    assert found[0]["rows"] == found[1]["rows"] != ""
    assert [len(one["added"]) for one in found] == [changes.BATCHES] * 2
    assert [files[0] for files in found[1]["files"]] == list(range(1, changes.BATCHES + 1))
