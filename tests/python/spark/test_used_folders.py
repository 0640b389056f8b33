# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a query is refused because of the files that are in its folders before it starts."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as sql

import deltasource
from deltasource import CheckpointError, OptionsError, OtherTableError
from support.copied_table import append, copied


def remove(file: Path) -> None:
    """Delete a file."""
    file.unlink()


def truncate(file: Path) -> None:
    """Keep the first half of a file."""
    file.write_text(file.read_text()[: file.stat().st_size // 2])


def empty(file: Path) -> None:
    """Keep nothing of a file."""
    file.write_text("")


def test_the_checkpoint_of_another_source_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's own error comes with the first batch, and advises to delete the checkpoint."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    append(spark, tmp_path / "other")
    other = deltasource.read_stream(spark, tmp_path / "other")
    given = partial(deltasource.write_stream, checkpoint=tmp_path / "c", trigger="available_now")
    with pytest.raises(OtherTableError, match=rf"source 0 has read .* reads \S*{tmp_path}/other"):
        given(other, tmp_path / "copy")
    shutil.rmtree(tmp_path / "t")
    append(spark, tmp_path / "t")
    with pytest.raises(OtherTableError, match="deleted and created again, use a new checkpoint"):
        copied(spark, tmp_path)


def test_the_id_of_a_query_must_exist(spark: SparkSession, tmp_path: Path) -> None:
    """Spark would give the query a new one, or, from 4.2, advise to use a new checkpoint."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    remove(tmp_path / "c" / ".metadata.crc")
    for damaged in ("{}", '{"id":1}', '{"id":"1"}', "[]", "{"):
        (tmp_path / "c" / "metadata").write_text(damaged)
        with pytest.raises(CheckpointError, match=r"c/metadata is damaged.*or write \{.*queryId"):
            copied(spark, tmp_path)
    shutil.move(tmp_path / "c" / "offsets" / "0", tmp_path / "offset")
    remove(tmp_path / "c" / "commits" / "0")
    (tmp_path / "c" / "metadata").write_text("{}")
    with pytest.raises(CheckpointError, match=r"c/metadata is damaged"):
        copied(spark, tmp_path)  # Although it has planned no batch.
    shutil.move(tmp_path / "offset", tmp_path / "c" / "offsets" / "0")
    remove(tmp_path / "c" / "metadata")
    with pytest.raises(CheckpointError, match=r"c/metadata is missing.*or write \{.*queryId"):
        copied(spark, tmp_path)


@pytest.mark.parametrize("line", ["{}", '{"sourceVersion":1,"version":3}', "7"])
def test_an_offset_that_is_none_of_delta_is_named(
    line: str, spark: SparkSession, tmp_path: Path
) -> None:
    """Delta would take it for one of another table, and advise to delete the checkpoint."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    file = tmp_path / "c" / "offsets" / "0"
    (file.parent / ".0.crc").unlink()
    file.write_text("\n".join([*file.read_text().split("\n")[:2], line]))
    with pytest.raises(CheckpointError, match=r"offset of source 0 in the check.* is damaged"):
        copied(spark, tmp_path)


def test_the_sources_of_the_query_are_those_of_the_checkpoint(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Spark's own errors have no condition. A union of a stream with itself has two sources."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    given = partial(
        deltasource.write_stream,
        path_or_table=tmp_path / "copy",
        checkpoint=tmp_path / "c",
        trigger="available_now",
    )
    rows = deltasource.read_stream(spark, tmp_path / "t")
    for two in (rows.union(deltasource.read_stream(spark, tmp_path / "t")), rows.union(rows)):
        with pytest.raises(
            CheckpointError, match=r"the offsets of 1 source, and .* reads 2 sources"
        ):
            given(two)
        other = partial(given, two, path_or_table=tmp_path / "both", checkpoint=tmp_path / "c2")
        other().awaitTermination()
        other().awaitTermination()
        shutil.rmtree(tmp_path / "c2")
        shutil.rmtree(tmp_path / "both")
    spark.range(1).write.parquet(str(tmp_path / "parquet"))
    files = spark.readStream.format("parquet").schema("id LONG").load(str(tmp_path / "parquet"))
    with pytest.raises(CheckpointError, match="has read a Delta table, and the stream reads parq"):
        given(files)
    sources = spark.readStream.format("rate").load().selectExpr("value AS id")
    with pytest.raises(CheckpointError, match="has read a Delta table, and the stream reads other"):
        given(sources)


def test_a_new_target_has_no_other_files(spark: SparkSession, tmp_path: Path) -> None:
    """VACUUM would delete them. A query that was killed before its first commit may go on."""
    append(spark, tmp_path / "t")
    spark.range(1).write.parquet(str(tmp_path / "copy"))
    with pytest.raises(OptionsError, match=r"has other files, such as part-.*CONVERT TO DELTA"):
        copied(spark, tmp_path)
    assert not (tmp_path / "copy" / "_delta_log").exists()
    shutil.move(tmp_path / "copy", tmp_path / "parquet")
    (tmp_path / "copy" / "_hidden").mkdir(parents=True)
    copied(spark, tmp_path)
    shutil.rmtree(tmp_path / "copy" / "_delta_log")
    (tmp_path / "c" / "commits" / "0").unlink()
    (tmp_path / "c" / "commits" / ".0.crc").unlink()
    copied(spark, tmp_path)
    assert spark.read.format("delta").load(str(tmp_path / "copy")).count() == 1


def test_what_is_older_than_a_query_is_not_its_own(spark: SparkSession, tmp_path: Path) -> None:
    """A query whose first batch has failed did not write files that were there before it."""
    append(spark, tmp_path / "t")
    spark.range(1).write.parquet(str(tmp_path / "copy"))
    shutil.move(tmp_path / "copy", tmp_path / "parquet")
    copied(spark, tmp_path)
    shutil.rmtree(tmp_path / "copy")
    shutil.move(tmp_path / "parquet", tmp_path / "copy")
    (tmp_path / "c" / "commits" / "0").unlink()
    with pytest.raises(OptionsError, match=r"has other files, such as part-.*CONVERT TO DELTA"):
        copied(spark, tmp_path)


def test_the_working_folder_is_not_given_as_a_dot(spark: SparkSession, tmp_path: Path) -> None:
    """Spark fails with an error about an empty string."""
    append(spark, tmp_path / "t")
    rows = deltasource.read_stream(spark, tmp_path / "t")
    for given in (".", "./", Path()):
        with pytest.raises(OptionsError, match=r"checkpoint must not be the working folder as"):
            deltasource.write_stream(rows, tmp_path / "copy", checkpoint=given)
        with pytest.raises(OptionsError, match=r"path_or_table must not be the working folder as"):
            deltasource.read_stream(spark, given)


def test_a_new_checkpoint_has_no_other_files(spark: SparkSession, tmp_path: Path) -> None:
    """Spark would write among them. A schema log may be there, and hidden files."""
    append(spark, tmp_path / "t")
    spark.range(1).write.parquet(str(tmp_path / "c"))
    with pytest.raises(OptionsError, match=r"checkpoint .*other files, such as part-"):
        copied(spark, tmp_path)
    assert not (tmp_path / "c" / "metadata").exists()
    shutil.rmtree(tmp_path / "c")
    for kind, found in (("parquet", "p=0"), ("delta", "_delta_log")):
        rows = spark.range(1).withColumn("p", sql.lit(0)).write.partitionBy("p").format(kind)
        rows.save(str(tmp_path / "c"))
        (tmp_path / "c" / "_SUCCESS").unlink(missing_ok=True)
        with pytest.raises(OptionsError, match=f"checkpoint .*other files, such as {found}"):
            copied(spark, tmp_path)
        shutil.rmtree(tmp_path / "c")
    (tmp_path / "c" / "schemas").mkdir(parents=True)
    (tmp_path / "c" / "_hidden").write_text("")
    copied(spark, tmp_path)
    assert (tmp_path / "c" / "metadata").exists()


@pytest.mark.parametrize("file", ["offsets/1", "offsets/0", "commits/1", "metadata"])
def test_a_truncated_file_with_its_checksum_is_named(
    file: str, spark: SparkSession, tmp_path: Path
) -> None:
    """This is how a file on a local disk is truncated; Spark's own errors do not name the file."""
    for _ in range(2):
        append(spark, tmp_path / "t")
        copied(spark, tmp_path)
    damaged = tmp_path / "c" / file
    truncate(damaged)
    with pytest.raises(CheckpointError, match=rf"{file}\b.* does not match its checksum, \."):
        deltasource.write_stream(
            deltasource.read_stream(spark, tmp_path / "t"),
            tmp_path / "copy",
            checkpoint=str(tmp_path / "c"),
            trigger="available_now",
        )


def test_the_batch_before_a_planned_one_must_be_there(spark: SparkSession, tmp_path: Path) -> None:
    """Spark's own error has no condition."""
    for _ in range(3):
        append(spark, tmp_path / "t")
        copied(spark, tmp_path)
    for file in ("commits/2", "commits/1", "offsets/1"):
        remove(tmp_path / "c" / file)
    with pytest.raises(CheckpointError, match=r"offsets/1 is missing, but the query has planned t"):
        copied(spark, tmp_path)


@pytest.mark.parametrize("damage", [truncate, empty])
def test_a_damaged_commit_is_named_before_the_query_starts(
    damage: Callable[[Path], None], spark: SparkSession, tmp_path: Path
) -> None:
    """Spark's own errors do not name the file."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    damage(tmp_path / "c" / "commits" / "0")
    (tmp_path / "c" / "commits" / ".0.crc").unlink()
    with pytest.raises(CheckpointError, match=r"commits/0.*from a copy, or delete it"):
        copied(spark, tmp_path)


@pytest.mark.parametrize("damage", [remove, truncate, empty])
def test_a_damaged_offset_is_named_before_the_query_starts(
    damage: Callable[[Path], None], spark: SparkSession, tmp_path: Path
) -> None:
    """Spark's own errors do not name the file. A restart also reads that of the batch before."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    append(spark, tmp_path / "t")
    file = tmp_path / "c" / "offsets" / "0"
    kept = file.read_text()
    (tmp_path / "c" / "offsets" / ".0.crc").unlink()
    for _ in range(2):
        damage(file)
        with pytest.raises(CheckpointError, match=r"offsets/0.*new or emptied target") as one:
            copied(spark, tmp_path)
        assert one.value.__cause__ is None or "Py4J" not in str(one.value.__cause__)
        file.write_text(kept)
        copied(spark, tmp_path)
    assert spark.read.format("delta").load(str(tmp_path / "copy")).count() == 2
