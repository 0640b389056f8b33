# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which Spark is installed, and the jar for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import OptionsError, SparkVersionError
from deltasource._session import bundle, environment, jvm, spark_lines
from support.package_samples import VERSION, spark_home


@pytest.fixture(autouse=True)
def no_spark_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `configure` find no Spark running in this process."""
    monkeypatch.setattr(jvm, "running", lambda: None)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)


@pytest.mark.parametrize("version", ["4.3.0", "4.20.1", "3.5.8", "5.0.0.dev1"])
def test_another_line_of_spark_is_refused(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Spark without a jar is refused, with those that have one and how to install it."""
    monkeypatch.setattr("pyspark.__version__", version)
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, version)))
    with pytest.raises(SparkVersionError) as error:
        deltasource.configure(SparkSession.builder)
    assert f"Spark {version} is not supported" in str(error.value)
    assert "for Spark 4.0, 4.1 and 4.2" in str(error.value)
    assert "pip install 'pyspark==4.2.*'" in str(error.value)
    assert ("fails with NoSuchMethodError" in str(error.value)) == version.startswith("4.3.")


def test_a_pyspark_of_another_line_than_spark_home_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PySpark starts the Spark in SPARK_HOME, which must be of the same line."""
    home = spark_home(tmp_path, "4.1.4")
    monkeypatch.setenv("SPARK_HOME", str(home))
    monkeypatch.setattr("pyspark.__version__", "4.2.0")
    with pytest.raises(SparkVersionError) as error:
        deltasource.configure(SparkSession.builder)
    assert f"PySpark is 4.2.0, but SPARK_HOME ({home}) is Spark 4.1.4" in str(error.value)
    assert "pip install 'pyspark==4.1.*'" in str(error.value)


@pytest.mark.parametrize("version", ["4.0.5", "4.1.4", "4.2.1"])
def test_the_jar_is_that_of_the_installed_line(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line has its own jar, whatever the patch release."""
    expected = tmp_path / f"deltasource-spark_{version[:3]}_2.13-{VERSION}.jar"
    expected.touch()
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path)
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, version)))
    monkeypatch.setattr("pyspark.__version__", version)
    assert deltasource.jar_path() == expected


@pytest.mark.parametrize("version", [4.2, 4, b"4.2", True])
def test_a_version_that_is_no_text_is_refused(version: Any) -> None:
    """As a number, 4.10 would be 4.1."""
    with pytest.raises(OptionsError, match="spark must be a version of Spark as text"):
        deltasource.jar_path(version)


@pytest.mark.parametrize(
    ("home", "pyspark", "status"),
    [
        ("4.1.4", None, "ok"),
        ("4.2.0", "4.2.0", "ok"),
        ("4.2.1", "4.2.0", "warn"),
        ("4.1.4", "4.2.0", "fail"),
        ("4.3.0", "4.3.0", "fail"),
        ("3.5.8", "4.2.0", "fail"),
    ],
)
def test_spark_home_decides_and_pyspark_must_match(
    home: str, pyspark: str | None, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PySpark starts the Spark in SPARK_HOME; spark-submit needs no installed PySpark."""
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, home)))
    monkeypatch.setattr(spark_lines, "pyspark_version", lambda: pyspark)
    row = environment.check_spark()
    assert (row.status, home in row.found) == (status, True)
    if status == "warn":
        assert "pip install 'pyspark==4.2.1'" in row.fix


def test_without_any_spark_the_fix_installs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither PySpark nor SPARK_HOME: the newest line is installed."""
    monkeypatch.setattr(spark_lines, "spark_version", lambda: None)
    row = environment.check_spark()
    assert (row.status, row.fix) == ("fail", "pip install 'pyspark==4.2.*'")
    assert environment.check_package_jar().status == "fail"


def test_a_wrong_spark_home_is_not_fixed_by_another_pyspark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of the doctor and the errors agree: SPARK_HOME is what must change."""
    monkeypatch.setattr("pyspark.__version__", "4.2.0")
    monkeypatch.setenv("SPARK_HOME", "/nope")
    row = environment.check_package_jar()
    assert (row.status, row.fix) == ("fail", spark_lines.HOME_FIX)
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, "3.5.8")))
    fix = (
        "set SPARK_HOME to the folder of a Spark 4.0, 4.1 or 4.2, or unset it and "
        "pip install 'pyspark==4.2.*'"
    )
    for row in (environment.check_spark(), environment.check_package_jar()):
        assert (row.status, row.fix) == ("fail", fix)
    with pytest.raises(SparkVersionError, match="set SPARK_HOME to the folder of a Spark 4"):
        deltasource.configure(SparkSession.builder)
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, "4.1.4")))
    row = environment.check_package_jar()
    assert (
        row.fix
        == environment.check_spark().fix
        == "unset SPARK_HOME, or pip install 'pyspark==4.1.4'"
    )


def test_a_spark_home_without_spark_is_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If there is no PySpark either, installing it would not help."""
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setattr(spark_lines, "pyspark_version", lambda: None)
    row = environment.check_package_jar()
    assert (row.status, row.fix) == ("fail", spark_lines.HOME_FIX)
    assert f"SPARK_HOME is {tmp_path}, which has no spark-submit and no jars (see" in row.found


def test_an_empty_spark_home_is_not_the_working_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    """PySpark would look for Spark there, whatever PySpark itself contains."""
    monkeypatch.setenv("SPARK_HOME", "")
    row = environment.check_package_jar()
    assert (row.status, row.fix) == ("fail", spark_lines.HOME_FIX)
    assert "SPARK_HOME is set, but empty" in row.found
    with pytest.raises(SparkVersionError, match="SPARK_HOME is set, but empty: unset SPARK_HOME"):
        spark_lines.require_installed()


def test_a_pyspark_without_a_jar_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SPARK_HOME, the Spark is that of PySpark."""
    monkeypatch.delenv("SPARK_HOME", raising=False)
    monkeypatch.setattr(spark_lines, "spark_version", lambda: "4.3.0")
    monkeypatch.setattr(spark_lines, "pyspark_version", lambda: "4.3.0")
    assert environment.check_package_jar().fix == "pip install 'pyspark==4.2.*'"


def test_a_connect_client_has_only_its_own_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client without jars is of the version of its Python package."""
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setattr(spark_lines, "pyspark_version", lambda: "4.0.5")
    assert spark_lines.require_installed() == "4.0.5"


def test_a_spark_home_that_cannot_start_spark_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PySpark runs its bin/spark-submit, whatever is installed elsewhere."""
    monkeypatch.setenv("SPARK_HOME", "/nope")
    row = environment.check_spark()
    assert (row.status, row.found) == ("fail", "SPARK_HOME is /nope, which is not a folder")
    assert row.fix.startswith("unset SPARK_HOME")
    with pytest.raises(
        SparkVersionError, match="SPARK_HOME is /nope, which is not a folder: unset"
    ):
        deltasource.configure(SparkSession.builder)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert environment.check_spark().found.endswith("which has no spark-submit and no jars")
    monkeypatch.setenv("SPARK_HOME", str(spark_home(tmp_path, "4.2.0")))
    assert spark_lines.home_problem() is None
    monkeypatch.delenv("SPARK_HOME")
    assert spark_lines.home_problem() is None
