# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A query is refused at the call, before anything is written, for what would fail or be lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession

import deltasource
from deltasource import BeyondTableError, CommitError, OptionsError, OtherTableError
from support.copied_table import append, copied
from support.session_confs import session_confs


def test_sources_in_another_order_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Delta's own error comes with the first batch, and advises to delete the checkpoint."""
    for name in ("a", "b"):
        append(spark, tmp_path / name)

    def written(*names: str) -> None:
        first, second = (deltasource.read_stream(spark, tmp_path / name) for name in names)
        query = deltasource.write_stream(
            first.union(second),
            tmp_path / "copy",
            checkpoint=tmp_path / "c",
            trigger="available_now",
        )
        query.awaitTermination()

    written("a", "b")
    with pytest.raises(
        OtherTableError, match=rf"source 0 of the stream is \S*{tmp_path}/b .*order"
    ):
        written("b", "a")
    written("a", "b")
    assert spark.read.format("delta").load(f"{tmp_path}/copy").count() == 2


def test_nothing_is_written_after_a_damaged_commit(spark: SparkSession, tmp_path: Path) -> None:
    """Delta reads only the checksum file of the table, and its next commit hides the damage."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    newest = tmp_path / "copy" / "_delta_log" / f"{0:020}.json"
    whole = newest.read_text()
    newest.write_text(whole[: len(whole) // 2])
    append(spark, tmp_path / "t")
    for why in ("does not match its checksum", "its last line is truncated"):
        with pytest.raises(CommitError, match=f"version 0: .*{why}.* Restore .*{newest}"):
            copied(spark, tmp_path)
        (newest.parent / f".{newest.name}.crc").unlink(missing_ok=True)
    assert not (newest.parent / f"{1:020}.json").exists()
    newest.write_text(whole)
    copied(spark, tmp_path)


def test_the_checkpoint_of_a_query_is_none_of_snapshots(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Nothing is written into the checkpoint of another query."""
    append(spark, tmp_path / "t")
    copied(spark, tmp_path)
    before = sorted(one.name for one in (tmp_path / "c").iterdir())
    with pytest.raises(OptionsError, match=r"checkpoint must be new, or the .* is that of a query"):
        deltasource.apply_snapshots(
            spark, tmp_path / "s", source=tmp_path / "t", keys="id", checkpoint=tmp_path / "c"
        )
    assert sorted(one.name for one in (tmp_path / "c").iterdir()) == before


def test_a_checkpoint_beyond_its_table_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """The source's own error comes with the first batch. A table that has grown is listed again."""
    for _ in range(3):
        append(spark, tmp_path / "t")
        copied(spark, tmp_path)
    last = [tmp_path / "t" / "_delta_log" / f"{2:020}.{kind}" for kind in ("json", "crc")]
    kept = [file.read_text() for file in last]
    for file in last:
        file.unlink()
    rows = deltasource.read_stream(spark, tmp_path / "t")
    with pytest.raises(BeyondTableError, match=r"has read version 2 of .*/t, but .* version is 1"):
        copied(spark, tmp_path)
    for file, text in zip(last, kept, strict=True):
        file.write_text(text)
        (file.parent / f".{file.name}.crc").unlink(missing_ok=True)
    query = deltasource.write_stream(
        rows, tmp_path / "copy", checkpoint=tmp_path / "c", trigger="available_now"
    )
    query.awaitTermination()


def test_a_gap_in_an_open_table_says_what_to_do(spark: SparkSession, tmp_path: Path) -> None:
    """The source lists the log again; Delta's message names neither the table nor a way out."""
    for _ in range(4):
        append(spark, tmp_path / "t")
    rows = deltasource.read_stream(spark, tmp_path / "t")
    (tmp_path / "t" / "_delta_log" / f"{1:020}.json").unlink()
    with session_confs(spark, {"spark.deltasource.log.listInterval": "0"}):
        query = deltasource.write_stream(
            rows, tmp_path / "copy", checkpoint=tmp_path / "c", trigger="available_now"
        )
        with pytest.raises(StreamingQueryException) as error:
            query.awaitTermination()
    said = str(error.value)
    assert "[DELTA_VERSIONS_NOT_CONTIGUOUS] Versions (0, 2, 3) are not contiguous" in said
    assert f"The table is file:{tmp_path}/t. A commit between these versions is missing." in said
