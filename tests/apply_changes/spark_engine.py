# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A stream from JSON files, one for each batch, into a Delta table that follows the changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timezone
from decimal import Decimal
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apply_changes.columns import OPERATION, SCRIPT, VALUES
from apply_changes.fold import END, START, Kind, Row
from apply_changes.history import Change, Layout, Script, Settings
from apply_changes.run import AmbiguousSequenceError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

CONDITION = "DELTASOURCE_AMBIGUOUS_SEQUENCE"
VECTORS = "spark.databricks.delta.properties.defaults.enableDeletionVectors"
PREFIX = "applyChanges."
FIRST = 1_700_000_000
"""The time of the first file of a source, in seconds."""


def options_for(settings: Settings) -> dict[str, str]:
    """The sink's options: the parameters of `apply_changes`, and lists separated by commas."""
    options = {
        "keys": ",".join(column.name for column in settings.key_columns),
        "sequenceBy": ",".join(column.name for column in settings.sequence.value),
        "applyAsDeletes": f"{OPERATION.name} = '{Kind.DELETE.value}'",
        "storedAsScdType": str(settings.scd_type),
        **column_options(settings),
    }
    if settings.truncates:
        options["applyAsTruncates"] = f"{OPERATION.name} = '{Kind.TRUNCATE.value}'"
    if settings.ignore_nulls:
        ignored = settings.ignore_nulls
        options["ignoreNullUpdates"] = ",".join(ignored) if isinstance(ignored, tuple) else "true"
    return {PREFIX + name: value for name, value in options.items()}


def column_options(settings: Settings) -> dict[str, str]:
    """Which columns are kept, and which of these are tracked."""
    keys = [column.name for column in settings.key_columns]
    known = {column.name for column in source_columns(settings)}
    if settings.by_list:
        options = {"columnList": ",".join([*keys, *settings.columns])}
        tracked = {"trackHistoryColumnList": ",".join(settings.tracked)}
    else:
        # The number of a script is a column of every source, and kept if it is a key.
        extra = () if settings.multiplexed else (SCRIPT.name,)
        left_out = [OPERATION.name, *extra, *(name for name in settings.dropped if name in known)]
        options = {"exceptColumnList": ",".join(left_out)}
        untracked = [name for name in settings.columns if name not in settings.tracked]
        tracked = {"trackHistoryExceptColumnList": ",".join(untracked)}
    return options | (tracked if settings.tracked != settings.columns else {})


def source_columns(settings: Settings) -> tuple[Any, ...]:
    return (SCRIPT, *settings.keys.value, *settings.sequence.value, *VALUES, OPERATION)


def apply_changes(changes: DataFrame, settings: Settings, target: Path) -> DataStreamWriter:
    """The writer of a stream into a table. Its partitions count when the table is created."""
    writer = changes.writeStream.format("delta").options(**options_for(settings))
    if settings.layout is Layout.BY_KEY:
        writer = writer.partitionBy(settings.keys.value[0].name)
    elif settings.layout is Layout.BY_VALUE:
        writer = writer.partitionBy("name")
    return writer.option("path", str(target))


class SparkEngine:
    """Writes a file for each batch; the stream runs, one file a batch, when rows are asked for."""

    checks_every_batch = False

    def __init__(
        self,
        spark: SparkSession,
        write: Callable[[DataFrame, Settings, Path], DataStreamWriter] = apply_changes,
    ) -> None:
        self._spark = spark
        self._write = write

    def start(self, script: Script, folder: Path) -> None:
        self._settings = script.settings
        self._source, self._target = folder / "source", folder / "target"
        self._checkpoint = folder / "checkpoint"
        self._source.mkdir()
        self._batches = 0
        self._waiting = False

    def write_batch(self, changes: Sequence[Change]) -> None:
        lines = [json.dumps(source_row(change, self._settings)) for change in changes]
        file = self._source / f"{self._batches}.json"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        # The source takes files in the order of their times.
        time = FIRST + self._batches
        os.utime(file, (time, time))
        self._batches += 1
        self._waiting = True

    def restart(self, *, crashed: bool) -> None:
        self._drain()
        if self._settings.layout is Layout.CLUSTERED:
            self._optimize()
        if crashed:
            # The table has the batch, and Spark does not know.
            commits = self._checkpoint / "commits"
            last = max(int(file.name) for file in commits.glob("[0-9]*"))
            for file in (commits / str(last), commits / f".{last}.crc"):
                file.unlink(missing_ok=True)
            self._waiting = True

    def rows(self) -> list[Row]:
        self._drain()
        if not self._exists:
            return []
        rules = self._settings.rules
        interval = [START, END] if rules.scd_type == 2 else []
        table = self._spark.read.format("delta").load(str(self._target))
        names = [*rules.keys, *rules.columns, *interval]
        found = [row.asDict() for row in table.select(*names).collect()]
        return [{name: target_value(name, value) for name, value in row.items()} for row in found]

    @property
    def _exists(self) -> bool:
        return (self._target / "_delta_log").exists()

    def _optimize(self) -> None:
        """Moves rows to other files. A stream by path cannot create a clustered table."""
        if self._exists:
            keys = ", ".join(column.name for column in self._settings.key_columns)
            self._spark.sql(f"ALTER TABLE delta.`{self._target}` CLUSTER BY ({keys})")
            self._spark.sql(f"OPTIMIZE delta.`{self._target}`")

    def _drain(self) -> None:
        """Runs the stream until all files are in the table."""
        if not self._waiting:
            return
        from pyspark.errors import StreamingQueryException

        types = ", ".join(f"{one.name} {one.type}" for one in source_columns(self._settings))
        reader = self._spark.readStream.schema(types).option("maxFilesPerTrigger", 1)
        changes = reader.json(str(self._source))
        self._spark.conf.set(VECTORS, str(self._settings.deletion_vectors).lower())
        try:
            writer = self._write(changes, self._settings, self._target)
            writer = writer.option("checkpointLocation", str(self._checkpoint))
            writer.trigger(availableNow=True).start().awaitTermination()
        except StreamingQueryException as error:
            if CONDITION in str(error):
                raise AmbiguousSequenceError(str(error)) from error
            raise
        finally:
            self._spark.conf.unset(VECTORS)
        self._waiting = False


def source_row(change: Change, settings: Settings) -> dict[str, Any]:
    row = change.row(settings) | {OPERATION.name: change.kind.value}
    return {name: json_value(value) for name, value in row.items()}


def json_value(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal) or (isinstance(value, float) and isnan(value)):
        return str(value).replace("nan", "NaN")
    return value


def target_value(name: str, value: Any) -> Any:
    """A value as the fold has it: structs as dicts, times in UTC, and sequences as tuples."""
    if name in (START, END):
        if value is None:
            return None
        return tuple(map(plain, value)) if isinstance(value, tuple) else (plain(value),)
    return plain(value)


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        fields: dict[str, Any] = value.asDict()  # type: ignore[attr-defined]
        return {name: plain(item) for name, item in fields.items()}
    # A naive time is local.
    return value.astimezone(timezone.utc) if isinstance(value, datetime) else value


@contextmanager
def session() -> Generator[SparkSession, None, None]:
    """A session of two threads, with our jar."""
    from pyspark.sql import SparkSession

    import deltasource

    builder = (
        SparkSession.builder.master("local[2]")
        .appName("apply changes")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "2")
        .config("spark.sql.sources.parallelPartitionDiscovery.parallelism", "2")
    )
    spark = deltasource.configure(builder).getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()
