# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table with a feature that Delta Lake does not know is refused at the call, by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import (
    CommitError,
    MissingCommitError,
    UnsupportedReadFeatureError,
    UnsupportedWriteFeatureError,
)


def table(spark: SparkSession, path: Path, **features: list[str]) -> Path:
    """Write a table whose protocol lists features."""
    reader = 3 if "readerFeatures" in features else 1
    protocol = {"minReaderVersion": reader, "minWriterVersion": 7, **features}
    return rewritten(spark, path, protocol)


def rewritten(spark: SparkSession, path: Path, protocol: Mapping[str, object]) -> Path:
    """Write a table, and replace its protocol."""
    spark.range(2).coalesce(1).write.format("delta").save(str(path))
    commit = path / "_delta_log" / f"{0:020}.json"
    for checksum in [*commit.parent.glob("*.crc"), *commit.parent.glob(".*.crc")]:
        checksum.unlink(missing_ok=True)
    lines = map(json.loads, commit.read_text().splitlines())
    actions = [{"protocol": protocol} if "protocol" in action else action for action in lines]
    commit.write_text("".join(json.dumps(action) + "\n" for action in actions))
    return path


def test_an_unknown_feature_is_named_when_a_table_is_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    """Delta's own error is an exception of Java with its stack."""
    path = table(spark, tmp_path / "t", readerFeatures=["future"], writerFeatures=["future"])
    for read in (
        partial(deltasource.read_stream, spark, path),
        partial(deltasource.stream_changes, spark, path),
        partial(deltasource.read_changes, spark, path, start=0),
    ):
        with pytest.raises(UnsupportedReadFeatureError, match=rf"table {path} .*features: future"):
            read()


@pytest.mark.parametrize(
    ("features", "error"),
    [
        ({"readerFeatures": ["x"], "writerFeatures": ["x"]}, UnsupportedReadFeatureError),
        ({"writerFeatures": ["x"]}, UnsupportedWriteFeatureError),
    ],
)
def test_an_unknown_feature_of_a_target_is_refused_before_the_query_starts(
    features: dict[str, list[str]],
    error: type[Exception],
    spark: SparkSession,
    tmp_path: Path,
) -> None:
    """Otherwise the first batch fails. A table that cannot be written can be read."""
    spark.range(2).write.format("delta").save(f"{tmp_path}/source")
    target = table(spark, tmp_path / "t", **features)
    rows = deltasource.read_stream(spark, tmp_path / "source")
    with pytest.raises(error, match=rf"table {target} .*features: x\. Use a deltasource with"):
        deltasource.write_stream(rows, target, checkpoint=tmp_path / "c")
    with pytest.raises(error, match=rf"table {target} .*features: x\. Use a deltasource with"):
        deltasource.apply_changes(
            rows, target, keys="id", sequence_by="id", checkpoint=tmp_path / "c"
        )
    assert not (tmp_path / "c").exists()
    if error is UnsupportedWriteFeatureError:
        assert deltasource.read_stream(spark, target).columns == ["id"]


@pytest.mark.parametrize(
    ("protocol", "error"),
    [
        (
            {"minReaderVersion": 4, "minWriterVersion": 8, "readerFeatures": []}
            | {"writerFeatures": []},
            UnsupportedReadFeatureError,
        ),
        ({"minReaderVersion": 9, "minWriterVersion": 12}, CommitError),
    ],
)
def test_other_versions_are_named(
    protocol: dict[str, object], error: type[Exception], spark: SparkSession, tmp_path: Path
) -> None:
    """The first is an exception of Java, the second one of Spark without the table."""
    path = rewritten(spark, tmp_path / "t", protocol)
    spark.range(2).write.format("delta").save(f"{tmp_path}/source")
    with pytest.raises(error, match=f"the table {path} cannot be"):
        deltasource.read_stream(spark, path)
    rows = deltasource.read_stream(spark, tmp_path / "source")
    with pytest.raises(error, match=f"the table {path} cannot be"):
        deltasource.write_stream(rows, path, checkpoint=tmp_path / "c")


def test_a_target_whose_log_lacks_a_commit_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    """Otherwise the first batch fails, with an error without the table."""
    path = tmp_path / "t"
    for _ in range(4):
        spark.range(2).coalesce(1).write.format("delta").mode("append").save(str(path))
    rows = deltasource.read_stream(spark, path)
    for _ in range(4):
        spark.range(2).coalesce(1).write.format("delta").mode("append").save(f"{tmp_path}/gap")
    for file in (tmp_path / "gap" / "_delta_log").glob(f"*{2:020}.*"):
        file.unlink()
    jvm: Any = spark._jvm
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    with pytest.raises(MissingCommitError, match=rf"{tmp_path}/gap .*versions 1 and 3"):
        deltasource.write_stream(rows, tmp_path / "gap", checkpoint=tmp_path / "c")
