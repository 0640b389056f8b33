# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A target that follows tiny streams of events, and net changes; the engine has its own tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

import deltasource
from deltasource import OptionsError, Progress, Version

Append = Callable[..., DataFrame]
COLUMNS = "id INT, name STRING, seq INT, op STRING"

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.fixture
def events(spark: SparkSession, tmp_path: Path) -> Append:
    """Return a function that appends events to a table, and returns the stream of all events."""

    def append(*rows: Sequence[object]) -> DataFrame:
        frame = spark.createDataFrame(list(map(tuple, rows)), COLUMNS).coalesce(1)
        frame.write.format("delta").mode("append").save(f"{tmp_path}/events")
        return deltasource.read_stream(spark, tmp_path / "events")

    return append


def applied(changes: DataFrame, target: Path, **arguments: Any) -> Progress | None:
    """Apply the changes that are there; return the progress of the last batch."""
    given: dict[str, Any] = {"keys": ["id"], "checkpoint": f"{target}-checkpoint", **arguments}
    query = deltasource.apply_changes(changes, target, trigger="available_now", **given)
    query.awaitTermination()
    progress = query.lastProgress
    return None if progress is None else Progress.of(progress)


def rows(spark: SparkSession, path: Path, *columns: str) -> list[tuple[object, ...]]:
    frame = spark.read.format("delta").load(str(path)).select(*columns).orderBy(*columns)
    return [tuple(row) for row in frame.collect()]


def test_the_last_values_of_each_key(spark: SparkSession, events: Append, tmp_path: Path) -> None:
    """A late event does not replace a newer one, nor does it bring a deleted row back."""
    target = tmp_path / "target"
    by_seq: dict[str, Any] = {
        "sequence_by": "seq",
        "apply_as_deletes": sql.col("op") == "D",
        "except_column_list": ["op"],
    }
    stream = events((1, "Ann", 1, "U"), (2, "Bob", 3, "U"), (1, "Anna", 3, "U"), (2, None, 5, "D"))
    first = applied(stream, target, **by_seq)
    assert first is not None
    assert (first.sink.rows_inserted, first.sink.events_stored) == (1, 1)
    late = applied(events((1, "A", 2, "U"), (2, "B", 4, "U"), (3, "C", 1, "U")), target, **by_seq)
    assert late is not None
    assert (late.sink.rows_inserted, late.sink.events_ignored) == (1, 2)
    assert rows(spark, target, "id", "name", "seq") == [(1, "Anna", 3), (3, "C", 1)]
    assert spark.read.format("delta").load(str(target)).columns == ["id", "name", "seq"]


def test_the_history_of_each_key(spark: SparkSession, events: Append, tmp_path: Path) -> None:
    """A late event cuts a period of the history in two; older versions show it as it was."""
    target = tmp_path / "target"
    history: dict[str, Any] = {
        "sequence_by": "seq",
        "apply_as_deletes": "op = 'D'",
        "column_list": ["id", "name"],
        "stored_as_scd_type": 2,
    }
    columns = ("id", "name", "__START_AT", "__END_AT")
    applied(events((1, "Ann", 5, "U"), (1, "Ann", 15, "U"), (1, None, 20, "D")), target, **history)
    assert rows(spark, target, *columns) == [(1, "Ann", 5, 20)]
    before = spark.sql(f"DESCRIBE HISTORY delta.`{target}`").agg(sql.max("version")).head()
    applied(events((1, "Bob", 12, "U")), target, **history)
    assert rows(spark, target, *columns) == [
        (1, "Ann", 5, 12),
        (1, "Ann", 15, 20),
        (1, "Bob", 12, 15),
    ]
    assert before is not None
    old = spark.read.format("delta").option("versionAsOf", before[0]).load(str(target))
    assert [row["__END_AT"] for row in old.collect()] == [20]
    assert by_delta_rs(target) == [("Ann", 12), ("Ann", 20), ("Bob", 15)]


def by_delta_rs(target: Path) -> list[tuple[object, object]]:
    from deltalake import DeltaTable

    table = DeltaTable(target).to_pyarrow_table(columns=["name", "__END_AT"])
    return sorted(tuple(row.values()) for row in table.to_pylist())


HISTORY = ("id", "name", "__START_AT", "__END_AT")


@pytest.mark.parametrize(
    ("columns", "first", "expected"),
    [
        # Without a sequence, a row is older than all events; a late one still replaces it.
        ("id INT, name STRING", None, [(1, "Ann", None, 5), (1, "Anna", 5, None)]),
        ("name STRING, id INT, seq INT", 4, [(1, "Ann", 4, 5), (1, "Anna", 5, None)]),
    ],
)
def test_a_new_target_has_first_rows(
    spark: SparkSession,
    events: Append,
    tmp_path: Path,
    columns: str,
    first: int | None,
    expected: list[tuple[object, ...]],
) -> None:
    """They are written once, and begin the history of their keys."""
    target = tmp_path / "target"
    old = {"id": 1, "name": "Ann", "seq": first}
    frame = spark.createDataFrame([old], columns)
    history: dict[str, Any] = {
        "sequence_by": "seq",
        "column_list": ["id", "name"],
        "stored_as_scd_type": 2,
        "bootstrap": frame,
    }
    for seq, name in ((5, "Anna"), (5, "Anna")):
        applied(events((1, name, seq, "U")), target, **history)
        assert rows(spark, target, *HISTORY) == expected


def test_first_rows_need_a_new_target(spark: SparkSession, events: Append, tmp_path: Path) -> None:
    """The rows of a target that exists are kept, and the error says what they count as."""
    target, frame = tmp_path / "target", spark.createDataFrame([(1, "Ann")], "id INT, name STRING")
    frame.write.format("delta").save(str(target))
    given: dict[str, Any] = {"sequence_by": "seq", "column_list": ["id", "name"]}
    with pytest.raises(OptionsError, match="Its rows count as older than all events"):
        applied(events((1, "Bob", 1, "U")), target, bootstrap=frame, **given)
    with pytest.raises(OptionsError, match="must have one row for each key"):
        applied(events(), tmp_path / "other", bootstrap=frame.union(frame), **given)
    assert not (tmp_path / "other").exists()


@pytest.fixture(scope="module")
def customers(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a table with a change feed: inserts, an update, a delete, a key that moves."""
    path = tmp_path_factory.mktemp("feed") / "customers"
    key = "delta.enableChangeDataFeed"
    columns = "id INT, name STRING"
    spark.sql(f"CREATE TABLE delta.`{path}` ({columns}) USING delta TBLPROPERTIES ({key} = true)")
    spark.sql(f"INSERT INTO delta.`{path}` VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cid')")
    spark.sql(f"UPDATE delta.`{path}` SET name = 'Anna' WHERE id = 1")
    spark.sql(f"DELETE FROM delta.`{path}` WHERE id = 2")
    spark.sql(f"UPDATE delta.`{path}` SET id = 4 WHERE id = 3")
    spark.sql(f"UPDATE delta.`{path}` SET name = 'Ann' WHERE id = 1")
    return path


def test_a_change_feed_needs_only_keys(
    spark: SparkSession, customers: Path, tmp_path: Path
) -> None:
    """Deletes and the order are known; a key that changes is deleted under its old value."""
    applied(deltasource.stream_changes(spark, customers, start=0), tmp_path / "target")
    assert rows(spark, tmp_path / "target", "id", "name") == [(1, "Ann"), (4, "Cid")]


def test_an_aggregation_is_applied(spark: SparkSession, events: Append, tmp_path: Path) -> None:
    """In update mode, the target has the latest result of each group."""
    target = tmp_path / "target"
    for batch in ((1, "Ann", 1, "U"), (2, "Ann", 2, "U")), ((3, "Ann", 3, "U"), (4, "Bob", 1, "U")):
        counts = events(*batch).groupBy("name").count()
        applied(counts, target, keys=["name"], mode="update")
    assert rows(spark, target, "name", "count") == [("Ann", 3), ("Bob", 1)]


@pytest.mark.parametrize(
    ("given", "condition"),
    [
        ([(None, "Ann", 1, "U")], "DELTASOURCE_NULL_KEY"),
        ([(1, "Ann", None, "U")], "DELTASOURCE_NULL_SEQUENCE"),
        ([(1, "Ann", 5, "U"), (1, "Bob", 5, "U")], "DELTASOURCE_AMBIGUOUS_SEQUENCE"),
    ],
)
def test_events_without_a_place_are_refused(
    given: Sequence[Sequence[object]], condition: str, events: Append, tmp_path: Path
) -> None:
    """An event needs a key, a sequence, and content that no other of its sequence contradicts."""
    with pytest.raises(StreamingQueryException, match=condition):
        applied(events(*given), tmp_path / "target", sequence_by="seq")


def test_options_of_the_writer_are_checked(events: Append, tmp_path: Path) -> None:
    """Without Python's check, the sink reports all mistakes of the options."""
    writer = events((1, "Ann", 1, "U")).writeStream.format("delta").trigger(availableNow=True)
    writer = writer.option("applyChanges.keys", "idd").option("applyChanges.sequenceBy", "sq")
    query = writer.option("checkpointLocation", f"{tmp_path}/c").start(f"{tmp_path}/target")
    with pytest.raises(
        StreamingQueryException, match=r"DELTASOURCE_INVALID_APPLY_CHANGES.*idd.*sq"
    ):
        query.awaitTermination()


def test_other_settings_are_refused(events: Append, tmp_path: Path) -> None:
    """A target has one meaning: keys, sequence and type are stored with it."""
    stream = events((1, "Ann", 1, "U"))
    applied(stream, tmp_path / "target", sequence_by="seq")
    with pytest.raises(OptionsError, match="keys must be id INT, as before"):
        applied(
            stream,
            tmp_path / "target",
            sequence_by="seq",
            keys=["name"],
            checkpoint=f"{tmp_path}/c",
        )


def test_net_changes(spark: SparkSession, customers: Path) -> None:
    """Each key has one change; one that returned to its values has none."""

    def net(start: int, end: int | None = None) -> list[tuple[object, ...]]:
        last = None if end is None else Version(end)
        changes = deltasource.net_changes(
            spark, customers, keys=["ID"], start=Version(start), end=last
        )
        assert changes.columns == ["id", "name", "_change_type"]
        return sorted(tuple(row) for row in changes.collect())

    assert net(1) == [(1, "Ann", "insert"), (4, "Cid", "insert")]
    assert net(2) == [(2, "Bob", "delete"), (3, "Cid", "delete"), (4, "Cid", "insert")]
    assert net(2, 3) == [(1, "Anna", "update"), (2, "Bob", "delete")]
    with pytest.raises(OptionsError, match="did you mean 'name'"):
        deltasource.net_changes(spark, customers, keys=["nam"], start=Version(1))


def test_net_changes_need_keys_that_identify_a_row(spark: SparkSession, tmp_path: Path) -> None:
    """Two rows of one key in one version fail with the key, instead of any of them."""
    enabled = "TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    spark.sql(f"CREATE TABLE delta.`{tmp_path}` (id INT, a INT) USING delta {enabled}")
    spark.sql(f"INSERT INTO delta.`{tmp_path}` VALUES (7, 1), (7, 2)")
    changes = deltasource.net_changes(spark, tmp_path, keys=["id"], start=Version(1))
    with pytest.raises(Exception, match=r'two rows have one key.*"id":7') as error:
        changes.collect()
    assert f"[{OptionsError.condition}] net_changes: keys must identify" in str(error.value)
    assert f"each row of {tmp_path} in each version, got ['id']: give more" in str(error.value)
