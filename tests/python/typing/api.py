# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Uses of the public names that type checkers must accept, and uses they must refuse.

This file is never run, only read by mypy and pyright. An unneeded ignore is an error in mypy.
"""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.connect.session import SparkSession as ConnectSession
from pyspark.sql.streaming.query import StreamingQuery
from typing_extensions import assert_never, assert_type

import deltasource
from deltasource import (
    Acknowledged,
    Batch,
    ChangeType,
    Checkpoint,
    CheckpointLag,
    Event,
    EventSink,
    History,
    Lag,
    Latest,
    Offset,
    OnChange,
    Progress,
    QueryEnded,
    QueryFailed,
    QueryIdle,
    QueryStarted,
    ReadOptions,
    Report,
    RunResult,
    SchemaChange,
    SchemaTracking,
    SessionLike,
    Snapshot,
    StreamStart,
    Time,
    TrackedSchema,
    Trigger,
    Version,
    WriteOptions,
    schema_changes,
)


def a_builder_stays_a_builder() -> SparkSession:
    builder = deltasource.configure(SparkSession.builder.appName("mine"))
    assert_type(builder, SparkSession.Builder)
    return builder.master("local[1]").getOrCreate()


def sessions_of_both_kinds_fit(classic: SparkSession, connect: ConnectSession) -> None:
    both: tuple[SessionLike, SessionLike] = (classic, connect)
    assert_type(deltasource.read_stream(both[0], "t"), DataFrame)
    assert_type(deltasource.read_stream(connect, Path("t")), DataFrame)
    deltasource.read_stream(classic, "t", start=7, max_files=100, on_change="reemit")
    deltasource.read_stream(connect, "t", start="latest", max_bytes="1g", fail_on_data_loss=False)
    deltasource.stream_changes(classic, "t", start=datetime.now(timezone.utc), extra={"a": "b"})
    assert_type(deltasource.doctor(classic), Report)
    deltasource.attach(classic)
    deltasource.attach(connect)
    assert_type(deltasource.doctor(), Report)


def every_option_has_its_type(change: OnChange) -> Mapping[str, str]:
    starts = (Snapshot(), Latest(), Version(3), Time(datetime.now(timezone.utc)))
    options = [ReadOptions(start=start, on_change=change) for start in starts]
    options += [ReadOptions(max_bytes="1g"), ReadOptions(max_bytes=1024, max_files=2)]
    return options[0].to_spark()


def tracking_and_extra_options_fit(allowed: Acknowledged) -> ReadOptions:
    tracking = SchemaTracking(location="s", source_id="a", allow_drop=7, allow_rename="always")
    SchemaTracking(location="s", allow_type_change=allowed)
    return ReadOptions(schema_tracking=tracking, extra={"fs.s3a.endpoint": "here"})


def changes_are_frames(classic: SparkSession, connect: ConnectSession) -> DataFrame:
    assert_type(deltasource.stream_changes(connect, "t"), DataFrame)
    assert_type(deltasource.stream_changes(classic, "t", options=ReadOptions()), DataFrame)
    assert_type(deltasource.read_changes(connect, Path("t"), start=Version(1)), DataFrame)
    frame = deltasource.read_changes(
        classic, "t", start=Version(1), end=Time(datetime.now(timezone.utc))
    )
    return frame.where(frame["_change_type"] == ChangeType.INSERT)


def streams_are_written(frame: DataFrame, trigger: Trigger) -> StreamingQuery:
    options = WriteOptions(mode="complete", overwrite_schema=True, user_metadata="mine")
    deltasource.write_stream(frame, Path("t"), checkpoint=Path("c"), trigger=timedelta(seconds=5))
    deltasource.write_stream(frame, "t", checkpoint="c", trigger="available_now", name="copy")
    deltasource.write_stream(frame, "t", checkpoint="c", trigger="5 minutes", partition_by=["day"])
    deltasource.write_stream(frame, "t", checkpoint="c", mode="complete")
    return deltasource.write_stream(frame, "t", checkpoint="c", options=options, trigger=trigger)


def untyped_options_are_taken(given: Mapping[str, object]) -> ReadOptions:
    return ReadOptions.from_dict(given)


def the_jar_is_a_path() -> os.PathLike[str]:
    return deltasource.jar_path()


def offsets_are_read_from_anything(text: str, values: Mapping[str, object]) -> Offset:
    assert_type(Offset.parse(text), Offset | None)
    assert_type(Offset.parse(values), Offset)
    assert_type(Offset.parse(None), None)
    return max(Offset(3, 0), Offset.parse(values))


def checkpoints_answer_values(path: Path, now: datetime) -> None:
    checkpoint = Checkpoint(path)
    for batch in checkpoint.batches(last=3):
        assert_type(batch, Batch)
        assert_type(batch.sources["0"], Offset | str)
    assert_type(checkpoint.planned(), Batch | None)
    assert_type(checkpoint.last_committed(), Batch | None)
    assert_type(checkpoint.starts(), Mapping[str, StreamStart])
    assert_type(checkpoint.schema_log(), Sequence[TrackedSchema])
    older, newer = deltasource.schema_log(path)[:2]
    assert_type(newer.changes_since(older), tuple[SchemaChange, ...])
    assert_type(schema_changes(older.schema, newer.schema), tuple[SchemaChange, ...])
    lag = checkpoint.backlog(path, source="0", now=now, change_feed=True)
    assert_type(lag, CheckpointLag)
    assert_type(lag.versions, int)
    assert_type(lag.hours_to_data_loss, float | None)
    assert_type(lag.lost_file, str | None)


def queries_are_followed(classic: SparkSession, connect: ConnectSession, mine: EventSink) -> None:
    event_sinks = [
        deltasource.json_lines("p"),
        deltasource.prometheus(Path("p.prom")),
        deltasource.log_progress(),
    ]
    with deltasource.monitor(classic, mine, *event_sinks, print, keep=5) as seen:
        assert_type(seen, Mapping[str, History])
        assert_type(seen["orders"][-1], Progress)
        assert_type(seen["orders"][1:], Sequence[Progress])
        assert_type(seen["orders"][-1].lags, Mapping[str, Lag])
    with deltasource.monitor(connect):
        pass


def events_are_told_apart(path: Path) -> None:
    assert_type(deltasource.read_events(path), Iterator[Event])
    for event in deltasource.read_events("e"):
        match event:
            case Progress():
                assert_type(event.executed, bool)
            case QueryFailed():
                assert_type((event.condition, event.batch_id), tuple[str | None, int | None])
            case QueryStarted() | QueryIdle() | QueryEnded():
                assert_type((event.query, event.timestamp), tuple[str, datetime])
            case _:
                assert_never(event)


def progress_is_read_from_sparks_own(query: StreamingQuery, values: Mapping[str, object]) -> None:
    assert_type(Progress.of(values), Progress)
    assert_type(Progress.of(query.lastProgress).sources["0"].lag, Lag | None)


def streams_are_run(start: Callable[[], StreamingQuery]) -> RunResult:
    result = deltasource.run_until(start, restarts=1, location=Path("s"), allow={"added"})
    assert_type(result.changes, tuple[SchemaChange, ...])
    return deltasource.run_until(start, deadline=timedelta(1), stop=threading.Event(), report=print)


def wrong_types_of_a_monitor_are_refused(
    spark: SparkSession, query: StreamingQuery, start: Callable[[], StreamingQuery]
) -> None:
    deltasource.monitor(spark, 5)  # type: ignore[arg-type]
    deltasource.monitor(spark, keep="5")  # type: ignore[arg-type]
    Progress.of("{}")  # type: ignore[arg-type]
    deltasource.read_events(5)  # type: ignore[arg-type]
    QueryEnded("a", "b", None, datetime.now(timezone.utc))  # type: ignore[call-arg]
    deltasource.run_until(query)  # type: ignore[arg-type]
    deltasource.run_until(start, allow={"renaming"})  # type: ignore[arg-type]
    deltasource.run_until(start, deadline=5)  # type: ignore[arg-type]
    deltasource.run_until(start, stop=True)  # type: ignore[arg-type]


def wrong_types_of_a_writer_are_refused(frame: DataFrame) -> None:
    deltasource.write_stream(frame, "t")  # type: ignore[call-arg]
    deltasource.write_stream(frame, "t", "c")  # type: ignore[call-arg]
    deltasource.write_stream(frame, "t", checkpoint="c", trigger=5)  # type: ignore[arg-type]
    deltasource.write_stream(frame, "t", checkpoint="c", name=5)  # type: ignore[arg-type]
    deltasource.write_stream(frame, "t", checkpoint="c", mode="update")  # type: ignore[arg-type]
    deltasource.write_stream(frame, "t", checkpoint="c", partition_by=[5])  # type: ignore[list-item]
    deltasource.write_stream(frame, "t", checkpoint="c", merge="yes")  # type: ignore[call-arg]
    WriteOptions("append")  # type: ignore[call-arg]
    WriteOptions(mode="update")  # type: ignore[arg-type]


def wrong_types_are_refused(spark: SparkSession, options: ReadOptions) -> None:
    Checkpoint(5)  # type: ignore[arg-type]
    Checkpoint("c", "s3a")  # type: ignore[arg-type]
    Checkpoint("c").batches(3)  # type: ignore[call-arg]
    Checkpoint("c").backlog("t", "0")  # type: ignore[call-arg]
    Offset("1", 0)  # type: ignore[arg-type]
    Offset(1, 0, True)  # type: ignore[call-arg]
    Offset.parse(5)  # type: ignore[call-overload]
    Offset(1, 0).index = 3  # type: ignore[misc]
    Lag(1, 2, 3, 4.0)  # type: ignore[call-arg]
    deltasource.configure(spark)  # type: ignore[type-var]
    deltasource.read_stream(spark, 5)  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", options)  # type: ignore[call-arg]
    deltasource.read_stream(spark, "t", options={"maxFilesPerTrigger": "1"})  # type: ignore[arg-type]
    ReadOptions(Latest())  # type: ignore[call-arg]
    ReadOptions(start="earliest")  # type: ignore[arg-type]
    ReadOptions(on_change="ignore")  # type: ignore[arg-type]
    ReadOptions(max_files="10")  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", start="earliest")  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", start=1.5)  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", max_files="100")  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", on_change="ignore")  # type: ignore[arg-type]
    deltasource.read_stream(spark, "t", maxFilesPerTrigger=5)  # type: ignore[call-arg]
    deltasource.read_stream(spark, "t", extra={"fs.s3a.connection.maximum": 5})  # type: ignore[dict-item]
    deltasource.stream_changes(spark, "t", on_change="fail")  # type: ignore[call-arg]
    deltasource.stream_changes(spark, "t", options)  # type: ignore[call-arg]
    deltasource.read_changes(spark, "t")  # type: ignore[call-arg]
    deltasource.read_changes(spark, "t", Version(1))  # type: ignore[call-arg]
    deltasource.read_changes(spark, "t", start=Latest())  # type: ignore[arg-type]
    deltasource.read_changes(spark, "t", start=1, end="2")  # type: ignore[arg-type]
    SchemaTracking("s")  # type: ignore[call-arg]
    SchemaTracking(location="s", allow_drop="never")  # type: ignore[arg-type]
    SchemaTracking(location="s", allow_rename=Version(3))  # type: ignore[arg-type]
    ReadOptions(schema_tracking="s")  # type: ignore[arg-type]
    ReadOptions(extra={"a": 1})  # type: ignore[dict-item]
    options.extra["a"] = "b"  # type: ignore[index]
    ReadOptions(max_fils=10)  # type: ignore[call-arg]
    Version("1")  # type: ignore[arg-type]
    Time("2026-01-01")  # type: ignore[arg-type]
    options.max_files = 3  # type: ignore[misc]
