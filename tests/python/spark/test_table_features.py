# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table with a feature that Delta Lake does not know is refused at the call, by name."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import UnsupportedReadFeatureError, UnsupportedWriteFeatureError


def table(spark: SparkSession, path: Path, **features: list[str]) -> Path:
    """Write a table whose protocol lists features."""
    spark.range(2).coalesce(1).write.format("delta").save(str(path))
    commit = path / "_delta_log" / f"{0:020}.json"
    for checksum in [*commit.parent.glob("*.crc"), *commit.parent.glob(".*.crc")]:
        checksum.unlink(missing_ok=True)
    reader = 3 if "readerFeatures" in features else 1
    protocol = {"minReaderVersion": reader, "minWriterVersion": 7, **features}
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
