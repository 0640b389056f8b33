# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A target that follows the snapshots of a table that is overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import AppliedSnapshot, OptionsError, OtherTableError, TableError
from deltasource._apply import apply_snapshots

Dump = Callable[..., None]
Apply = Callable[..., AppliedSnapshot]
COLUMNS = "id INT, name STRING, note STRING"

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.fixture
def dump(spark: SparkSession, tmp_path: Path) -> Dump:
    """Return a function that overwrites the source."""

    def overwrite(*rows: Sequence[object], columns: str = COLUMNS) -> None:
        frame = spark.createDataFrame(list(map(tuple, rows)), columns).coalesce(1)
        writer = frame.write.format("delta").mode("overwrite").option("overwriteSchema", "true")
        writer.save(f"{tmp_path}/source")

    return overwrite


@pytest.fixture
def apply(spark: SparkSession, tmp_path: Path) -> Apply:
    """Return a function that applies the latest snapshot of the source."""

    def call(**others: Any) -> AppliedSnapshot:
        given: dict[str, Any] = {
            "target": tmp_path / "target",
            "source": tmp_path / "source",
            "keys": ["id"],
            "checkpoint": tmp_path / "checkpoint",
            **others,
        }
        return deltasource.apply_snapshots(spark, **given)

    return call


def rows(spark: SparkSession, path: Path, *columns: str) -> list[tuple[object, ...]]:
    frame = spark.read.format("delta").load(str(path)).select(*columns).orderBy(*columns)
    return [tuple(row) for row in frame.collect()]


def changed(applied: AppliedSnapshot) -> tuple[int, int, int]:
    return applied.rows_inserted, applied.rows_updated, applied.rows_deleted


def test_a_snapshot_inserts_updates_and_deletes(
    spark: SparkSession, dump: Dump, apply: Apply, tmp_path: Path
) -> None:
    """Only rows that differ are written, and a version is applied once."""
    dump((1, "Ann", None), (2, "Bob", None), (3, "Cid", "x"))
    first = apply()
    assert (first.version, first.previous_version, changed(first)) == (0, None, (3, 0, 0))
    dump((1, "Ann", None), (2, "Bo", None), (4, "Dee", None))
    second = apply()
    assert (second.version, second.previous_version, changed(second)) == (1, 0, (1, 1, 1))
    found = rows(spark, tmp_path / "target", "id", "name", "__SEQUENCE")
    assert found == [(1, "Ann", 0), (2, "Bo", 1), (4, "Dee", 1)]
    assert changed(apply()) == (0, 0, 0)
    dump((1, "Ann", None), (2, "Bob", None), (3, "Cid", "x"))
    assert changed(apply()) == (1, 1, 1)
    assert [one[0] for one in rows(spark, tmp_path / "target", "id")] == [1, 2, 3]


def test_snapshots_as_history(
    spark: SparkSession, dump: Dump, apply: Apply, tmp_path: Path
) -> None:
    """Type 2 keeps the periods, in versions of the source; untracked columns are overwritten."""
    history: dict[str, Any] = {
        "stored_as_scd_type": 2,
        "track_history_except_column_list": ["note"],
    }
    dump((1, "Ann", "a"), (2, "Bob", "b"))
    apply(**history)
    dump((1, "Anna", "a"), (2, "Bob", "b2"))
    apply(**history)
    dump((1, "Anna", "a"))
    apply(**history)
    found = rows(spark, tmp_path / "target", "id", "name", "note", "__START_AT", "__END_AT")
    assert found == [(1, "Ann", "a", 0, 1), (1, "Anna", "a", 1, None), (2, "Bob", "b2", 0, 2)]


def test_an_interrupted_call_is_finished_by_the_next_one(
    spark: SparkSession,
    dump: Dump,
    apply: Apply,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Changes that were stored and not applied are applied before the next snapshot is compared."""
    dump((1, "Ann", None), (2, "Bob", None))
    apply()
    dump((1, "Anna", None), (3, "Cid", None))

    applying, calls = apply_snapshots._apply, count()

    def killed_at_the_second(*given: Any) -> list[Mapping[str, str]]:
        if next(calls) > 0:
            raise KeyboardInterrupt
        return applying(*given)

    with monkeypatch.context() as patch:
        patch.setattr(apply_snapshots, "_apply", killed_at_the_second)
        with pytest.raises(KeyboardInterrupt):
            apply()
    assert [one[0] for one in rows(spark, tmp_path / "target", "id")] == [1, 2]
    dump((1, "Ann", None), (3, "Cid", None))
    applied = apply()
    assert (applied.version, applied.previous_version) == (2, 1)
    assert changed(applied) == (1, 2, 1)
    assert rows(spark, tmp_path / "target", "id", "name") == [(1, "Ann"), (3, "Cid")]


def test_a_target_with_rows_is_compared_with(
    spark: SparkSession, dump: Dump, apply: Apply, tmp_path: Path
) -> None:
    """Rows of another origin are kept if they are equal, and updated or deleted otherwise."""
    existing = spark.createDataFrame([(1, "Ann"), (2, "Bob"), (3, "Cid")], "id INT, name STRING")
    existing.write.format("delta").save(f"{tmp_path}/target")
    dump((1, "Ann", None), (2, "Bo", None), (4, "Dee", "new"))
    assert changed(apply(merge_schema=True)) == (1, 1, 1)
    found = rows(spark, tmp_path / "target", "id", "name", "note")
    assert found == [(1, "Ann", None), (2, "Bo", None), (4, "Dee", "new")]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([(1, "Ann", None), (1, "Bob", None)], r'version 1: two rows have one key .*{"id":1}'),
        ([(None, "Ann", None)], "version 1: a row has a null in its key: {}"),
    ],
)
def test_a_snapshot_with_bad_keys_is_refused_and_the_next_one_is_applied(
    bad: list[tuple[object, ...]], message: str, dump: Dump, apply: Apply
) -> None:
    """Nothing is stored of a snapshot whose keys do not identify its rows."""
    dump((1, "Ann", None))
    apply()
    dump(*bad)
    with pytest.raises(OptionsError, match=message):
        apply()
    dump((1, "Anna", None))
    applied = apply()
    assert (applied.previous_version, changed(applied)) == (0, (0, 1, 0))


def test_a_source_is_not_its_own_target(dump: Dump, apply: Apply, tmp_path: Path) -> None:
    """Nothing is written; names that are not the user's are not suggested."""
    dump((1, "Ann", None))
    with pytest.raises(OptionsError) as error:
        apply(source=tmp_path / "target" / ".." / "source", keys=["zz"], target=tmp_path / "source")
    assert [one.reason for one in error.value.problems] == [
        "must be one of id, name, note",
        "must not be the source: its changes would be applied to itself",
    ]


def test_a_recreated_source_is_refused(dump: Dump, apply: Apply, tmp_path: Path) -> None:
    """The versions of a source that was dropped and created again start again."""
    dump((1, "Ann", None))
    apply()
    (tmp_path / "source").rename(tmp_path / "old")
    dump((1, "Anna", None))
    with pytest.raises(OtherTableError, match="dropped and created again"):
        apply()


def test_all_mistakes_are_reported_together(dump: Dump, apply: Apply) -> None:
    """Keys, names that are reserved and settings of a history are checked before anything runs."""
    dump((1, "Ann", "x"), columns="id INT, name STRING, _change_type STRING")
    with pytest.raises(OptionsError) as error:
        apply(keys=["ID_"], track_history_column_list=["name"], merge_schema="yes")
    options = {one.option for one in error.value.problems}
    assert options == {"source", "keys", "track_history_column_list", "merge_schema"}


def test_a_missing_source_is_named(apply: Apply) -> None:
    """The error has the path of the source."""
    with pytest.raises(TableError, match="source"):
        apply()


def test_relative_paths_and_names_with_quotes(spark: SparkSession, tmp_path: Path) -> None:
    """The source and the checkpoint are found as Spark's own reader finds them."""
    folder = os.path.relpath(tmp_path / "it's")
    spark.range(2).write.format("delta").save(f"{folder}/source")
    for version in (0, 0):
        applied = deltasource.apply_snapshots(
            spark,
            f"{folder}/target",
            source=f"{folder}/source",
            keys=["id"],
            checkpoint=f"{folder}/checkpoint",
        )
        assert applied.version == version
