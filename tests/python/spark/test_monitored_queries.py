# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The events of real queries: one fails in its first batch, one later, one ends by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

import deltasource
from deltasource import (
    Event,
    Progress,
    QueryEnded,
    QueryFailed,
    QueryIdle,
    QueryStarted,
    json_lines,
    log_progress,
    monitor,
    prometheus,
    read_events,
)


def of_query(events: list[Event], name: str) -> list[Event]:
    """Return the events of a query, without those of waiting, which depend on time."""
    of_it = [one for one in events if one.name == name and not isinstance(one, QueryIdle)]
    return [one for one in of_it if not isinstance(one, Progress) or one.executed]


def test_sinks_are_told_how_queries_end(spark: SparkSession, tmp_path: Path) -> None:
    """A failure has its condition, its message and its batch; an AvailableNow run just ends."""
    table = tmp_path / "t"
    spark.range(1).write.format("delta").save(str(table))
    spark.range(1, 2).write.format("delta").mode("append").save(str(table))

    def run(name: str, each: Callable[[DataFrame, int], None]) -> bool:
        frame = deltasource.read_stream(spark, table, max_files=1)
        writer = frame.writeStream.foreachBatch(each).queryName(name).trigger(availableNow=True)
        query = writer.option("checkpointLocation", str(tmp_path / name)).start()
        try:
            query.awaitTermination()
        except StreamingQueryException:
            return False
        return True

    def fail_at(batch: int) -> Callable[[DataFrame, int], None]:
        def each(_: DataFrame, number: int) -> None:
            if number == batch:
                raise ValueError(f"no amount in batch {number}\nand more")

        return each

    got: list[Event] = []
    files = json_lines(tmp_path / "events.jsonl"), prometheus(tmp_path / "a.prom")
    with monitor(spark, got.append, *files, log_progress()) as seen:
        assert not run("first", fail_at(0))
        assert not run("second", fail_at(1))
        assert run("third", fail_at(-1))
    condition = "FOREACH_BATCH_USER_FUNCTION_ERROR"

    started, failed = of_query(got, "first")
    assert isinstance(started, QueryStarted)
    assert isinstance(failed, QueryFailed)
    assert (failed.run_id, failed.name) == (started.run_id, "first")
    assert (failed.condition, failed.batch_id) == (condition, None)
    assert failed.message == "ValueError: no amount in batch 0"
    assert "and more" in failed.exception
    assert started.timestamp <= failed.timestamp

    assert list(map(type, of_query(got, "second"))) == [QueryStarted, Progress, QueryFailed]
    assert str(of_query(got, "second")[-1]) == (
        f"'second' failed in batch 1: [{condition}] ValueError: no amount in batch 1"
    )
    third = of_query(got, "third")
    assert list(map(type, third)) == [QueryStarted, Progress, Progress, QueryEnded]
    assert [one.batch_id for one in seen["third"] if one.executed] == [0, 1]

    assert list(read_events(tmp_path / "events.jsonl")) == got
    gauges = (tmp_path / "a.prom").read_text()
    for name, state in (("first", "failed"), ("second", "failed"), ("third", "ended")):
        assert f'deltasource_query_state{{query="{name}",state="{state}"}} 1\n' in gauges
    assert "deltasource_batch_rows" not in gauges
