# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The engine that runs a stream: what it asks for, and that it reads back what was written."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from apply_changes.columns import KeyType, SequenceType
from apply_changes.combinations import COMBINATIONS
from apply_changes.fold import END, START, AmbiguousSequence, Event, Kind, fold
from apply_changes.history import After, Layout, Settings
from apply_changes.multiplex import multiplexed
from apply_changes.random_scripts import random_script
from apply_changes.run import run
from apply_changes.spark_engine import SparkEngine, options_for, target_value

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter


def test_options_are_the_parameters() -> None:
    """Type 1 by default: keys, sequence, deletes, and the columns that are left out."""
    assert options_for(Settings()) == {
        "applyChanges.keys": "id",
        "applyChanges.sequenceBy": "seq",
        "applyChanges.applyAsDeletes": "op = 'D'",
        "applyChanges.storedAsScdType": "1",
        "applyChanges.exceptColumnList": "op,script,seq,note",
    }


def test_options_name_lists_of_columns() -> None:
    """Lists have the keys; the number of a script is one if many scripts share a table."""
    settings = Settings(
        scd_type=2,
        keys=KeyType.TWO,
        sequence=SequenceType.PAIR,
        by_list=True,
        untracked=("name",),
        multiplexed=True,
    )
    assert options_for(settings) == {
        "applyChanges.keys": "script,area,id",
        "applyChanges.sequenceBy": "seq,part",
        "applyChanges.applyAsDeletes": "op = 'D'",
        "applyChanges.storedAsScdType": "2",
        "applyChanges.columnList": "script,area,id,name,amount,place",
        "applyChanges.trackHistoryColumnList": "amount,place",
    }


def test_options_of_type_1() -> None:
    """Truncates and ignored nulls are options of type 1."""
    options = options_for(Settings(truncates=True, ignore_nulls=("amount", "place")))
    assert options["applyChanges.applyAsTruncates"] == "op = 'T'"
    assert options["applyChanges.ignoreNullUpdates"] == "amount,place"
    assert options_for(Settings(ignore_nulls=True))["applyChanges.ignoreNullUpdates"] == "true"


@pytest.mark.parametrize("settings", COMBINATIONS)
def test_a_partition_column_is_kept(settings: Settings) -> None:
    """A table can only be partitioned by a column that it has, and by no empty string."""
    assert settings.layout is not Layout.BY_VALUE or "name" in settings.columns
    assert settings.layout is not Layout.BY_KEY or settings.keys is not KeyType.STRING


class KeepsEvents:
    """Stands in for the sink: keeps all events, and replaces the table by their fold."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.batches: list[int] = []

    def __call__(self, changes: DataFrame, settings: Settings, target: Path) -> DataStreamWriter:
        def write(batch: DataFrame, number: int) -> None:
            self.batches.append(number)
            self.events += [event(row, settings) for row in batch.collect()]
            rows = fold(self.events, settings.rules)
            assert not isinstance(rows, AmbiguousSequence)
            types = {field.name: field.dataType.simpleString() for field in batch.schema}
            names = [*settings.rules.keys, *settings.columns]
            schema = ", ".join(f"{name} {types[name]}" for name in names)
            if settings.scd_type == 2:
                parts = ", ".join(f"{one.name}: {one.type}" for one in settings.sequence.value)
                schema += f", {START} struct<{parts}>, {END} struct<{parts}>"
            frame = batch.sparkSession.createDataFrame(
                [tuple(row.values()) for row in rows], schema
            )
            frame.write.format("delta").mode("overwrite").save(str(target))

        return changes.writeStream.foreachBatch(write)


def event(row: Row, settings: Settings) -> Event:
    """A change as the stream has it."""
    values = {name: target_value(name, value) for name, value in row.asDict().items()}
    return Event(
        tuple(values[one.name] for one in settings.key_columns),
        tuple(values[one.name] for one in settings.sequence.value),
        Kind(values["op"]),
        values,
    )


@pytest.mark.parametrize(
    "settings",
    [
        Settings(keys=KeyType.DATE, sequence=SequenceType.TIMESTAMP, dropped=("note",)),
        Settings(keys=KeyType.DECIMAL, sequence=SequenceType.DECIMAL, layout=Layout.CLUSTERED),
        Settings(scd_type=2, keys=KeyType.TWO, sequence=SequenceType.PAIR),
    ],
)
def test_a_stream_has_the_values_of_the_scripts(
    settings: Settings, spark: SparkSession, tmp_path: Path
) -> None:
    """All types come back, many scripts at a time, in their batches, again after a crash."""
    scripts = [replace(random_script(seed), settings=settings) for seed in range(40)]
    several = multiplexed([script for script in scripts if not script.tie])
    batches = replace(several.batches[0], after=After.CRASH), several.batches[1]
    sink = KeepsEvents()
    divergence = run(replace(several, batches=batches), SparkEngine(spark, sink), tmp_path)
    assert divergence is None, str(divergence)
    assert sink.batches == [0, 0, 1]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        (START, 5, (5,)),
        (END, None, None),
        ("amount", Decimal("1.50"), Decimal("1.5")),
        (
            "seq",
            datetime(2024, 1, 1, tzinfo=timezone.utc).astimezone().replace(tzinfo=None),
            datetime(2024, 1, 1, tzinfo=timezone.utc),
        ),
    ],
)
def test_values_of_the_table(name: str, value: Any, expected: Any) -> None:
    """A sequence of one column is a tuple of one, and a time is in UTC."""
    assert target_value(name, value) == expected
