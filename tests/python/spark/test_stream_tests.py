# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""`deltasource.testing` on a real session: histories, drained streams, injected failures."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.streaming.query import StreamingQuery

import deltasource
from deltasource import OptionsError, SessionRunningError
from deltasource.testing import (
    NoCommitError,
    StepError,
    TableHistory,
    assert_exactly_once,
    drain,
    fail_at,
    local_session,
    replay_last_batch,
    run_with_failures,
)

FEED = {"delta.enableChangeDataFeed": "true"}


def test_each_operation_of_a_history_is_a_commit(spark: SparkSession, tmp_path: Path) -> None:
    """The versions are returned, also for a table that exists, and the rows are what SQL gives."""
    table = tmp_path / "a `table`"
    history = (
        TableHistory()
        .create("id LONG, part STRING, note STRING", partition_by="part", properties=FEED)
        .append([(1, "a", "it's"), (2, "a", None), {"id": 3, "part": "b", "note": "\\"}])
        .update("note = 'two'", where="id = 2")
        .merge([(3, "b", "three"), (5, "b", "five")], on=["id", "part"])
    )
    assert history.apply(spark, table) == (0, 1, 2, 3)
    more = (
        TableHistory()
        .column_mapping()
        .rename_column("note", "remark")
        .add_column("amount INT")
        .deletion_vectors()
        .delete("id = 1")
        .append([(6, "c", "six", 6)])
    )
    assert more.apply(spark, table) == (4, 5, 6, 7, 8, 9)
    rows = spark.read.format("delta").load(str(table)).orderBy("id").collect()
    assert [row.asDict() for row in rows] == [
        {"id": 2, "part": "a", "remark": "two", "amount": None},
        {"id": 3, "part": "b", "remark": "three", "amount": None},
        {"id": 5, "part": "b", "remark": "five", "amount": None},
        {"id": 6, "part": "c", "remark": "six", "amount": 6},
    ]
    with pytest.raises(NoCommitError, match=r"operation 1 of 1 made no commit.*version 9: DELETE"):
        TableHistory().delete("id = 99").apply(spark, table)
    failed = r"operation 2 of 2 has failed .* idd = 6\. .* `idd` cannot be"
    with pytest.raises(StepError, match=failed):
        TableHistory().delete("id = 6").delete("idd = 6").apply(spark, table)
    with pytest.raises(OptionsError, match=r"rows must have only columns.* amount, got 'remrak'"):
        TableHistory().append([{"id": 7, "remrak": "seven"}]).apply(spark, table)


def test_a_drained_stream_goes_on_from_its_checkpoint(spark: SparkSession, tmp_path: Path) -> None:
    """Each call returns what is new, a change feed and columns with any name included."""
    table, checkpoint = tmp_path / "t", tmp_path / "c"
    TableHistory().create("id LONG", properties=FEED).append([(2,), (1,)]).apply(spark, table)
    feed = deltasource.stream_changes(spark, table).withColumn("a `b` c", f.col("id") + 1)
    kept = feed.drop("_commit_timestamp")
    first = drain(kept, checkpoint=checkpoint, order_by="a `b` c")
    assert [tuple(row) for row in first] == [(1, "insert", 1, 2), (2, "insert", 1, 3)]
    assert first[0].asDict()["a `b` c"] == 2
    assert drain(kept, checkpoint=checkpoint) == []
    TableHistory().delete("id = 1").apply(spark, table)
    assert [tuple(row) for row in drain(kept, checkpoint=checkpoint)] == [(1, "delete", 2, 2)]
    # Without a checkpoint each call starts again, with the snapshot of now.
    assert [row.id for row in drain(feed)] == [2]
    counts = deltasource.read_stream(spark, table).groupBy("id").count()
    assert [tuple(row) for row in drain(counts, mode="complete")] == [(2, 1)]
    left = [row.tableName for row in spark.sql("SHOW TABLES").collect()]
    assert [name for name in left if "deltasource" in name] == []


def test_a_failing_stream_raises_its_error(spark: SparkSession, tmp_path: Path) -> None:
    """The error is the query's own; bad arguments are reported before anything runs."""
    table = tmp_path / "t"
    TableHistory().create("id LONG").append([(1,)]).apply(spark, table)
    frame = deltasource.read_stream(spark, table)
    failing = frame.select(f.raise_error(f.lit("mine")).alias("x"))
    for checkpoint in (None, tmp_path / "c"):
        with pytest.raises(StreamingQueryException, match="USER_RAISED_EXCEPTION"):
            drain(failing, checkpoint=checkpoint)
    with pytest.raises(OptionsError) as error:
        drain(frame, order_by="missing", checkpoint="")
    assert [one.option for one in error.value.problems] == ["checkpoint", "order_by"]


def test_a_stream_is_restarted_after_each_failure(spark: SparkSession, tmp_path: Path) -> None:
    """Failing after the function repeats its batch: only an idempotent function writes it once."""
    table, target = tmp_path / "t", str(tmp_path / "copy")
    TableHistory().create("id LONG").append([(1,)]).append([(2,)]).append([(3,)]).apply(
        spark, table
    )

    def append(rows: DataFrame, _: int) -> None:
        rows.write.format("delta").mode("append").save(target)

    def once(rows: DataFrame, batch: int) -> None:
        options = {"txnAppId": "copy", "txnVersion": str(batch)}
        rows.write.format("delta").mode("append").options(**options).save(f"{target} once")

    def query(write: object, checkpoint: str) -> StreamingQuery:
        rows = deltasource.read_stream(spark, table, max_files=1)
        writer = rows.writeStream.foreachBatch(write).trigger(availableNow=True)  # type: ignore[arg-type] # any
        return writer.option("checkpointLocation", str(tmp_path / checkpoint)).start()

    twice = fail_at(1, append)
    assert run_with_failures(lambda: query(twice, "c1"), twice).restarts == 1
    exact = fail_at([2, 0], once)
    done = run_with_failures(lambda: query(exact, "c2"), exact)
    assert (done.restarts, done.failed, exact.pending) == (2, (0, 2), ())
    expected = spark.read.format("delta").load(str(table))
    assert_exactly_once(spark.read.format("delta").load(f"{target} once"), expected, keys="id")
    written = spark.read.format("delta").load(target)
    with pytest.raises(AssertionError, match=r"^written more than once: id=2, rows=2$"):
        assert_exactly_once(written, expected, keys="id")
    late = fail_at(7, append)
    with pytest.raises(OptionsError, match=r"ended before these.*got \(7,\)"):
        run_with_failures(lambda: query(late, "c3"), late)
    unused = fail_at(0, append)
    with pytest.raises(OptionsError, match=r"has ended without a call\. Pass `write` itself"):
        run_with_failures(lambda: query(exact, "c5"), unused)
    with pytest.raises(OptionsError, match="another fail_at made the query fail"):
        run_with_failures(lambda: query(fail_at(0, append), "c4"), late)


def test_differences_are_reported_by_their_keys(spark: SparkSession) -> None:
    """Missing and unexpected keys are listed, also those that are null, and not too many."""
    actual = spark.createDataFrame([(1, "a"), (None, "b")], "id INT, name STRING")
    expected = spark.createDataFrame([(n, "a") for n in range(12)], "id INT, name STRING")
    with pytest.raises(AssertionError) as error:
        assert_exactly_once(actual, expected, keys=["id"])
    shown = " | ".join(f"id={n}" for n in (0, *range(2, 11)))
    assert str(error.value) == f"missing: {shown} | ...; not expected: id=None"
    assert_exactly_once(actual, keys=["id", "name"])
    with pytest.raises(OptionsError, match="must be given if there are no expected rows"):
        assert_exactly_once(actual)


def test_the_last_batch_is_repeated(spark: SparkSession, tmp_path: Path) -> None:
    """The sink of Delta skips the batch that it has written already."""
    table, copy, checkpoint = tmp_path / "t", tmp_path / "copy", tmp_path / "c"
    TableHistory().create("id LONG").append([(1,)]).append([(2,)]).apply(spark, table)

    def run() -> deltasource.Progress:
        rows = deltasource.read_stream(spark, table, max_files=1)
        query = deltasource.write_stream(rows, copy, checkpoint=checkpoint, trigger="available_now")
        query.awaitTermination()
        assert query.lastProgress is not None
        return deltasource.Progress.of(query.lastProgress)

    run()
    assert replay_last_batch(checkpoint) == replay_last_batch(checkpoint) == 1
    sink = run().sink
    assert sink is not None
    assert sink.skipped is True
    copied = spark.read.format("delta").load(str(copy))
    assert_exactly_once(copied, spark.read.format("delta").load(str(table)), keys="id")


def test_a_running_session_is_used_as_it_is(spark: SparkSession) -> None:
    """It is neither changed nor stopped; confs that it does not have are refused."""
    zone = spark.conf.get("spark.sql.session.timeZone")
    with local_session(confs={"spark.sql.shuffle.partitions": "2"}) as same:
        assert same is spark
        assert spark.conf.get("spark.sql.session.timeZone") == zone
    assert spark.range(1).count() == 1
    with (
        pytest.raises(
            SessionRunningError, match=r"other values of spark\.sql\.ansi\.enabled, none: "
        ),
        local_session(
            confs={"spark.sql.ansi.enabled": "no", "none": "1", "spark.ui.enabled": "false"}
        ),
    ):
        pass
