# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A short soak; `make soak` runs one for hours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from object_stores.phases import MANAGER
from parity.harness.worker import CONFS
from soak import report, statement
from soak.__main__ import run
from soak.disturbance import Disturbance
from soak.operation import Append, Delete
from soak.stream import named
from soak.table import PARTITIONS, ROWS
from soak.writer import Writer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

QUICK = {**CONFS, "spark.sql.streaming.checkpointFileManagerClass": MANAGER}
ROUNDS = (Disturbance.KILL_DRIVER, Disturbance.INTERRUPT_QUERY, Disturbance.FAULTS)


def test_streams_deliver_what_the_ledger_says_whatever_is_killed(tmp_path: Path) -> None:
    """One stream is local, and one on S3; the driver is killed, and a query interrupted."""
    streams = [named("foreach-batch"), named("schema-tracking")]
    result = run(tmp_path, ROUNDS, streams=streams, seed=1, confs=QUICK, log=lambda _: None)
    assert result.wrong == ()
    assert result.rounds == {one.value: 1 for one in ROUNDS}
    assert all(rows > 2 * ROWS for rows in result.rows.values())
    assert result.samples[-1].life == 1
    report.write(result, tmp_path)


def test_a_writer_finds_what_it_has_committed(spark: SparkSession, tmp_path: Path) -> None:
    """By the number of the operation, which is in the table's history."""
    # The number stays in the session.
    writer = Writer(spark.newSession())
    uri = str(tmp_path / "table")
    writer.run(sql=statement.create(PARTITIONS, uri), number=0)
    append = Append(first=0, count=2 * ROWS, files=2)
    writer.run(sql=statement.sql(append, uri, partitioned=True), number=1)
    delete = Delete(low=0, high=ROWS - 1)
    writer.run(sql=statement.sql(delete, uri, partitioned=True), number=2)
    assert [writer.committed(uri=uri, number=number) for number in (1, 2, 3)] == [True, True, False]
    left = spark.read.format("delta").load(uri)
    assert sorted(row["id"] for row in left.collect()) == list(range(ROWS, 2 * ROWS))
