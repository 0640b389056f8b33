# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Targets given by name: where they are, and whether they are Delta tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from pyspark.sql import DataFrame, SparkSession

import deltasource
from deltasource import OptionsError, RemotePathError, TableError
from deltasource._write.table_location import locate

READ = "must not be a table that the stream reads"


@pytest.fixture
def crm(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    """A table with a change feed that the catalog knows as `crm`; returns its folder."""
    folder = tmp_path / "it's a table"
    spark.sql(
        f'CREATE TABLE crm (id LONG, Location STRING) USING delta LOCATION "{folder}" '
        "PARTITIONED BY (Location) TBLPROPERTIES (delta.enableChangeDataFeed = true)"
    )
    spark.sql("INSERT INTO crm VALUES (1, 'here')")
    yield folder
    spark.sql("DROP TABLE crm")


@pytest.fixture
def others(spark: SparkSession) -> Iterator[dict[str, str]]:
    """Names that do not lead to Delta tables, and what they are."""
    spark.range(3).write.format("parquet").saveAsTable("lines")
    spark.sql("CREATE VIEW seen AS SELECT * FROM lines")
    spark.range(3).createOrReplaceTempView("shown")
    yield {
        "lines": "a table of the format parquet",
        "seen": "a view",
        "shown": "a temporary view",
    }
    spark.catalog.dropTempView("shown")
    spark.sql("DROP VIEW seen")
    spark.sql("DROP TABLE lines")


def test_the_folder_of_a_new_table_must_be_empty(
    spark: SparkSession, crm: Path, tmp_path: Path
) -> None:
    """Delta refuses it; here the error says that the name is the reason."""
    warehouse = spark.conf.get("spark.sql.warehouse.dir")
    assert warehouse is not None
    folder = Path(warehouse.removeprefix("file:")) / "left_behind"
    spark.range(1).write.parquet(str(folder))
    rows = deltasource.read_stream(spark, crm)
    with pytest.raises(OptionsError, match="no such table, but its folder has files"):
        deltasource.write_stream(rows, "left_behind", checkpoint=tmp_path / "c")


def writes(
    frame: DataFrame, feed: DataFrame, target: str | Path, checkpoint: Path
) -> tuple[Callable[[], object], ...]:
    """Return a call of each function that starts a query."""
    return (
        partial(deltasource.write_stream, frame, target, checkpoint=checkpoint),
        partial(deltasource.apply_changes, feed, target, keys=["id"], checkpoint=checkpoint),
    )


@pytest.mark.parametrize(
    "name", ["crm", "CRM", "default.crm", "spark_catalog.default.crm", "`default`.`crm`"]
)
def test_a_table_that_is_read_is_no_target_by_name(
    spark: SparkSession, crm: Path, tmp_path: Path, name: str
) -> None:
    """However the stream names it; the table stays as it is."""
    for source in ("crm", crm):
        frame, feed = (
            deltasource.read_stream(spark, source),
            deltasource.stream_changes(spark, source),
        )
        for write in writes(frame, feed, name, tmp_path / "c"):
            with pytest.raises(OptionsError, match=READ) as error:
                write()
            assert error.value.problems[0].given == repr(name)
    assert spark.table("crm").columns == ["id", "Location"]
    assert not (tmp_path / "c").exists()


def test_a_checkpoint_is_not_in_a_target_with_a_name(
    spark: SparkSession, crm: Path, tmp_path: Path
) -> None:
    """VACUUM of the table would delete it."""
    spark.sql(f'CREATE TABLE feed LIKE crm LOCATION "{tmp_path}/feed"')
    spark.sql("ALTER TABLE feed SET TBLPROPERTIES (delta.enableChangeDataFeed = true)")
    frame, feed = deltasource.read_stream(spark, "feed"), deltasource.stream_changes(spark, "feed")
    for write in writes(frame, feed, "crm", crm / "c"):
        with pytest.raises(OptionsError, match="checkpoint must not be in the table"):
            write()
    spark.sql("DROP TABLE feed")


@pytest.mark.parametrize("turned", [False, True])
def test_a_snapshot_is_not_applied_to_its_source_by_name(
    spark: SparkSession, crm: Path, tmp_path: Path, turned: bool
) -> None:
    """The folder of the name is compared with the path."""
    source, target = ("default.crm", crm) if turned else (crm, "default.crm")
    with pytest.raises(OptionsError, match="target must not be the source"):
        deltasource.apply_snapshots(
            spark, target, source=source, keys=["id"], checkpoint=tmp_path / "c"
        )
    assert not (tmp_path / "c").exists()


def test_a_target_that_is_no_delta_table_is_refused(
    spark: SparkSession, crm: Path, tmp_path: Path, others: dict[str, str]
) -> None:
    """Spark's own errors have no condition, and come after a target's first rows."""
    frame, feed = deltasource.read_stream(spark, crm), deltasource.stream_changes(spark, crm)
    snapshots = partial(deltasource.apply_snapshots, spark, keys=["id"], checkpoint=tmp_path / "c")
    for name, kind in others.items():
        calls: tuple[Callable[[], object], ...] = (
            *writes(frame, feed, name, tmp_path / "c"),
            partial(snapshots, name, source=crm),
            partial(snapshots, tmp_path / "new", source=name),
        )
        for call in calls:
            with pytest.raises(OptionsError, match=f"must be a Delta table, and is {kind}: "):
                call()
    assert not (tmp_path / "c").exists()


def test_a_view_is_not_read_as_a_stream(spark: SparkSession, others: dict[str, str]) -> None:
    """Spark reads views of batches only in batches."""
    for name in ("seen", "shown"):
        for read in (deltasource.read_stream, deltasource.stream_changes):
            with pytest.raises(
                TableError, match=f"{name} is {others[name]}.* not read as a stream"
            ):
                read(spark, name)


@pytest.mark.usefixtures("crm")
@pytest.mark.parametrize("name", ["nothing", "nowhere.crm", "a-b", "crm id", "crm AS c"])
def test_a_name_without_a_table_has_no_folder(spark: SparkSession, name: str) -> None:
    """Whether Spark can parse it is said when the query starts."""
    located = locate(spark, name)
    assert (located.given, located.folder, located.other) == (name, None, None)


def test_a_name_is_located_without_a_job(spark: SparkSession, crm: Path) -> None:
    """A column may have the name of a detail."""
    tracker = spark.sparkContext.statusTracker()
    spark.sparkContext.setJobGroup("located", "")
    located = locate(spark, "crm")
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", cast(str, None))
    assert list(tracker.getJobIdsForGroup("located")) == []
    assert (located.folder, located.other) == (f"file:{crm}", None)


def test_a_target_needs_a_file_system(spark: SparkSession, crm: Path, tmp_path: Path) -> None:
    """Like a source and a checkpoint; otherwise only the running query fails."""
    frame, feed = deltasource.read_stream(spark, crm), deltasource.stream_changes(spark, crm)
    for write in writes(frame, feed, "nowhere://b/x", tmp_path / "c"):
        with pytest.raises(RemotePathError, match="Spark cannot open paths with nowhere://"):
            write()
    assert not (tmp_path / "c").exists()


@pytest.mark.usefixtures("crm")
def test_a_new_name_and_a_known_one_are_written(spark: SparkSession, tmp_path: Path) -> None:
    """The guards leave other targets alone."""
    frame = deltasource.read_stream(spark, "crm")
    for number in (1, 2):
        query = deltasource.write_stream(
            frame, "copy", checkpoint=tmp_path / f"c{number}", trigger="available_now"
        )
        query.awaitTermination()
    assert spark.table("copy").count() == 2
    spark.sql("DROP TABLE copy")


def test_a_schema_that_does_not_exist_is_named(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's own error speaks of dropping it."""
    rows = spark.readStream.format("rate").load()
    with pytest.raises(TableError, match=r"no schema shopp for the table shopp\.x: .*CREATE"):
        deltasource.write_stream(rows, "shopp.x", checkpoint=tmp_path / "c")
