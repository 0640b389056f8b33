# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A second Delta in the settings of a builder, which `configure` refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from deltasource import SecondDeltaError, configure
from deltasource._session import bundle, jvm
from deltasource._session.configure import builder_options
from support.build import BUNDLE


@pytest.fixture(autouse=True)
def no_spark_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the package have a jar, and let `configure` find no settings and no Spark running."""
    (tmp_path / BUNDLE.name).touch()
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path)
    monkeypatch.setattr(jvm, "running", lambda: None)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS", raising=False)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)


def builder(**settings: str) -> SparkSession.Builder:
    """Return a builder with settings; underscores in their names stand for dots."""
    made = SparkSession.builder
    for key, value in settings.items():
        made.config(key.replace("_", "."), value)
    return made


def configured(made: SparkSession.Builder) -> dict[str, str]:
    return builder_options(configure(made))


def test_a_second_delta_is_refused() -> None:
    """A package that would add the published Delta is refused before any download."""
    with pytest.raises(
        SecondDeltaError, match=r"contains io\.delta:delta-spark_4\.2_2\.13:4\.4\.0"
    ):
        configure(builder(spark_jars_packages="io.delta:delta-spark_4.2_2.13:4.4.0"))


@pytest.mark.parametrize(
    ("setting", "value", "second"),
    [
        ("spark_jars", "/a.jar,file:/d/delta-spark_4.2_2.13-4.4.0.jar", "file:/d/delta-spark_4.2"),
        ("spark_driver_extraClassPath", "/a.jar:/d/delta-storage-4.4.0.jar", "/d/delta-storage"),
        ("spark_executor_extraClassPath", "delta-core_2.12-2.4.0.jar", "delta-core_2.12"),
    ],
)
def test_the_jar_of_a_second_delta_is_refused(setting: str, value: str, second: str) -> None:
    """It is known by its name; on an executor it might come first."""
    key = setting.replace("_", ".")
    with pytest.raises(SecondDeltaError, match=re.escape(f"{key} contains {second}")):
        configure(builder(**{setting: value}))


def test_other_jars_of_the_group_are_no_second_delta() -> None:
    """Sharing, and the log store for DynamoDB, are not in our jar; a folder has any name."""
    for jar in ("/d/delta-sharing-spark_2.13-4.4.0.jar", "/delta-spark.jars/x.jar"):
        assert jar in configured(builder(spark_jars=jar))["spark.jars"]
    dynamo = "/d/delta-storage-s3-dynamodb-4.4.0.jar"
    assert dynamo in configured(builder(spark_jars=dynamo))["spark.jars"]
