# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The backlog of a stream whose files VACUUM deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import Checkpoint
from deltasource.__main__ import main

UNCHECKED = "spark.databricks.delta.retentionDurationCheck.enabled"
CONDITION = "hours_to_data_loss<24"
WEEK = 7 * 24


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """Return a session in which VACUUM may delete everything."""
    spark.conf.set(UNCHECKED, "false")
    yield spark
    spark.conf.unset(UNCHECKED)


def drain(spark: SparkSession, table: Path, folder: Path, *, changes: bool = False) -> None:
    """Run a stream until all of the table is read."""
    read = deltasource.stream_changes if changes else deltasource.read_stream
    frame = read(spark, table)
    copy, checkpoint = folder / "copy", folder / "checkpoint"
    query = deltasource.write_stream(frame, copy, checkpoint=checkpoint, trigger="available_now")
    query.awaitTermination()


def test_files_that_vacuum_deleted_are_reported(
    session: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After OPTIMIZE a week is left; after VACUUM nothing, and the file is named."""
    table = tmp_path / "a b%c"
    name = f"delta.`{table}`"
    session.sql(f"CREATE TABLE {name} (id LONG, part STRING) USING delta PARTITIONED BY (part)")
    session.sql(f"INSERT INTO {name} VALUES (0, 'a b%c')")
    drain(session, table, tmp_path)
    for number in (1, 2):
        session.sql(f"INSERT INTO {name} VALUES ({number}, 'a b%c')")
    files = {str(file) for file in table.rglob("part-*.parquet")}
    stream = Checkpoint(tmp_path / "checkpoint")
    line = ["backlog", stream.path, str(table), "--fail-if", CONDITION]
    assert main(line) == 0

    session.sql(f"OPTIMIZE {name}")
    lag = stream.backlog(table)
    assert (lag.versions, lag.files, lag.lost_file) == (3, 2, None)
    assert WEEK - 1 < (lag.hours_to_data_loss or 0) < WEEK
    assert main(line) == 0

    session.sql(f"VACUUM {name}")
    assert stream.backlog(table).lost_file is None
    session.sql(f"VACUUM {name} RETAIN 0 HOURS")
    capsys.readouterr()
    assert main(line) == 1
    lag = stream.backlog(table)
    assert lag.hours_to_data_loss == 0.0
    assert lag.lost_file in files
    assert str(lag.lost_file) in capsys.readouterr().err


def test_the_next_vacuum_is_expected_to_be_like_the_latest(
    session: SparkSession, tmp_path: Path
) -> None:
    """The retention is the one that VACUUM logs when it starts."""
    table, name = tmp_path / "t", f"delta.`{tmp_path}/t`"
    session.range(1).write.format("delta").save(str(table))
    drain(session, table, tmp_path)
    for _ in range(2):
        session.range(1).write.format("delta").mode("append").save(str(table))
    session.sql(f"VACUUM {name} RETAIN 0 HOURS")
    session.sql(f"OPTIMIZE {name}")
    stream = Checkpoint(tmp_path / "checkpoint")
    lag = stream.backlog(table)
    assert (lag.hours_to_data_loss, lag.lost_file) == (0.0, None)
    session.sql(f"VACUUM {name}")
    lag = stream.backlog(table)
    assert WEEK - 1 < (lag.hours_to_data_loss or 0) < WEEK


def test_vacuum_deletes_change_files_that_only_a_change_feed_needs(
    session: SparkSession, tmp_path: Path
) -> None:
    """They have a week from their commit; a stream of rows has the retention of the log."""
    table, name = tmp_path / "t", f"delta.`{tmp_path}/t`"
    session.sql(
        f"CREATE TABLE {name} (id LONG) USING delta TBLPROPERTIES "
        "(delta.enableChangeDataFeed = true, delta.enableDeletionVectors = false)"
    )
    session.sql(f"INSERT INTO {name} SELECT * FROM range(0, 4, 1, 1)")
    drain(session, table, tmp_path, changes=True)
    session.sql(f"UPDATE {name} SET id = 9 WHERE id = 1")
    (change,) = (table / "_change_data").rglob("*.parquet")
    stream = Checkpoint(tmp_path / "checkpoint")
    lag, rows = stream.backlog(table, change_feed=True), stream.backlog(table)
    assert (lag.files, lag.bytes, lag.lost_file) == (1, change.stat().st_size, None)
    assert (lag.data_loss_limit, rows.data_loss_limit) == ("data_files", "log")
    assert WEEK - 1 < (lag.hours_to_data_loss or 0) < WEEK < (rows.hours_to_data_loss or 0)

    session.sql(f"VACUUM {name} RETAIN 0 HOURS")
    assert stream.backlog(table, change_feed=True).lost_file == str(change)
    assert stream.backlog(table).lost_file is None
