# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What `configure` sets on a builder, without starting Spark."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from deltasource import (
    BuilderError,
    ConnectError,
    JarError,
    OptionsError,
    SubmitArgumentsError,
    configure,
    doctor,
)
from deltasource._session import bundle, conf, jvm
from deltasource._session.configure import builder_options
from support.build import BUNDLE

NAME = BUNDLE.name


@pytest.fixture(autouse=True)
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a jar in a fake package, with no settings and no Spark running."""
    folder = tmp_path / "a b" / "jars"
    folder.mkdir(parents=True)
    (folder / NAME).touch()
    monkeypatch.setattr(bundle, "_FOLDER", folder)
    monkeypatch.setattr(jvm, "running", lambda: None)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS", raising=False)
    monkeypatch.delenv("SPARK_REMOTE", raising=False)
    return folder / NAME


def builder(**settings: str) -> SparkSession.Builder:
    """Return a builder with settings; underscores in their names stand for dots."""
    made = SparkSession.builder
    for key, value in settings.items():
        made.config(key.replace("_", "."), value)
    return made


def configured(made: SparkSession.Builder) -> dict[str, str]:
    return builder_options(configure(made))


def test_an_empty_builder_gets_everything(jar: Path) -> None:
    """The jar is added to both class paths and to spark.jars, with extension and catalog."""
    assert configured(builder()) == {
        "spark.jars": jar.as_uri(),
        "spark.driver.extraClassPath": str(jar),
        "spark.executor.extraClassPath": f"{jar}:{jar.name}",
        "spark.sql.extensions": f"{conf.GUARD},{conf.DELTA_EXTENSION}",
        "spark.sql.catalog.spark_catalog": conf.DELTA_CATALOG,
        **dict.fromkeys(conf.S3_LOG_STORES, conf.OUR_S3_LOG_STORE),
    }


def test_the_page_lists_what_is_set(root: Path) -> None:
    """docs/reference/configuration.md has a row for each setting, and for no other."""
    page = (root / "docs/reference/configuration.md").read_text(encoding="utf-8")
    table = page.split("## What `configure` sets\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[0] for line in table.splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(.+?)`", row)} == set(
        configured(builder())
    )


def test_settings_of_the_user_stay(jar: Path) -> None:
    """Jars, packages, class paths and extensions of the user stay, after ours."""
    options = configured(
        builder(
            spark_jars="/u.jar",
            spark_jars_packages="g:n:1",
            spark_driver_extraClassPath="/d",
            spark_executor_extraClassPath="/e",
            spark_sql_extensions="a.B",
            spark_app_name="mine",
        )
    )
    assert options == {
        "spark.jars": f"{jar.as_uri()},/u.jar",
        "spark.jars.packages": "g:n:1",
        "spark.driver.extraClassPath": f"{jar}:/d",
        "spark.executor.extraClassPath": f"{jar}:{jar.name}:/e",
        "spark.sql.extensions": f"{conf.GUARD},a.B,{conf.DELTA_EXTENSION}",
        "spark.sql.catalog.spark_catalog": conf.DELTA_CATALOG,
        **dict.fromkeys(conf.S3_LOG_STORES, conf.OUR_S3_LOG_STORE),
        "spark.app.name": "mine",
    }


def test_settings_of_the_platform_stay(jar: Path, tmp_path: Path) -> None:
    """A builder replaces settings in spark-defaults.conf, so these are copied."""
    (tmp_path / "spark-defaults.conf").write_text("spark.driver.extraClassPath /usr/lib/p.jar\n")
    assert configured(builder())["spark.driver.extraClassPath"] == f"{jar}:/usr/lib/p.jar"


def test_configuring_twice_changes_nothing() -> None:
    """A notebook cell that runs again gives the same builder."""
    made = builder(spark_jars="/u.jar")
    once = configured(made)
    assert configured(made) == once


def test_another_catalog_stays() -> None:
    """A catalog that the user set is not replaced."""
    key = "spark.sql.catalog.spark_catalog"
    made = SparkSession.builder.config(key, "other.Catalog")
    assert configured(made)[key] == "other.Catalog"


def test_another_log_store_stays() -> None:
    """A log store for one scheme leaves the other one to ours."""
    s3a, s3 = conf.S3_LOG_STORES
    options = configured(SparkSession.builder.config(s3a, "other.Store"))
    assert (options[s3a], options[s3]) == ("other.Store", conf.OUR_S3_LOG_STORE)


@pytest.mark.parametrize("key", [*conf.LOG_STORES, "delta.logStore.s3a.impl"])
def test_next_to_a_log_store_that_delta_would_compare_there_is_none_of_ours(key: str) -> None:
    """Delta refuses one for all schemes next to one for S3, and two spellings that differ."""
    options = configured(SparkSession.builder.config(key, "other.Store"))
    assert "spark.delta.logStore.s3a.impl" not in options


def test_a_log_store_in_a_properties_file_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The builder would override the file that PYSPARK_SUBMIT_ARGS names."""
    (tmp_path / "app.conf").write_text("spark.delta.logStore.class other.Store\n")
    arguments = f"--properties-file '{tmp_path / 'app.conf'}' pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", arguments)
    assert not configured(builder()).keys() & set(conf.S3_LOG_STORES)


def test_spark_defaults_are_read_too_if_the_arguments_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--load-spark-defaults` adds them to the named file, whose settings come first."""
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.delta.logStore.s3a.impl a.Store\nspark.delta.logStore.s3.impl a.Store\n"
    )
    (tmp_path / "app.conf").write_text("spark.delta.logStore.s3.impl b.Store\n")
    for arguments, s3a in (("", conf.OUR_S3_LOG_STORE), ("--load-spark-defaults", "a.Store")):
        file = f"--properties-file={tmp_path / 'app.conf'}"
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{arguments} {file} pyspark-shell")
        options = configured(builder())
        assert [options[key] for key in conf.S3_LOG_STORES] == [s3a, "b.Store"]


def test_the_log_store_for_dynamodb_is_no_second_delta() -> None:
    """Our jar does not contain it."""
    made = builder(spark_jars_packages="io.delta:delta-storage-s3-dynamodb:4.4.0")
    assert "spark.jars" in configured(made)


def test_a_misspelled_conf_of_ours_is_refused() -> None:
    """Spark would accept it, and nothing would change; all are listed, and invalid values."""
    made = SparkSession.builder
    for name in ("log.prefetchCommit", "sink.failOnOtherRuns", "log.reuse"):
        made.config(f"spark.deltasource.{name}", "1")
    with pytest.raises(OptionsError) as error:
        configure(made)
    first, invalid, last = map(str, error.value.problems)
    assert invalid == "spark.deltasource.log.reuse must be true or false, got 1"
    assert [first, last] == [
        f"spark.deltasource.{name} is not a conf; did you mean spark.deltasource.{near}?"
        for name, near in (
            ("log.prefetchCommit", "log.prefetchCommits"),
            ("sink.failOnOtherRuns", "sink.failOnOtherRun"),
        )
    ]


@pytest.mark.parametrize("line", ["--jars /u.jar", "--driver-class-path /u.jar"])
def test_submit_arguments_without_ours_are_refused(
    line: str, jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYSPARK_SUBMIT_ARGS would silently drop our jar, so the error says what to put there."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"{line} pyspark-shell")
    with pytest.raises(SubmitArgumentsError, match=r"set it to ") as error:
        configure(builder())
    assert f"set it to {jar}" in str(error.value)
    assert "/u.jar, or use the builder" in str(error.value)
    (row,) = [one for one in doctor().rows if one.check == "submit args"]
    assert (row.status, row.fix[:9]) == ("fail", "set it to")


def test_submit_arguments_with_ours_in_front_are_accepted(
    jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recommended arguments are accepted, and other jars stay."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--jars '{jar},/u.jar' pyspark-shell")
    assert configured(builder())["spark.jars"] == f"{jar.as_uri()},/u.jar"


def test_a_connect_builder_is_refused(jar: Path) -> None:
    """A server needs the jar when it starts; the error does not repeat a token in the address."""
    with pytest.raises(ConnectError) as error:
        configure(SparkSession.builder.remote("sc://host:1/;token=hunter2"))
    assert f"--jars '{jar}' --driver-class-path '{jar}'" in str(error.value)
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("thing", [None, {}, "spark", SparkSession])
def test_only_a_builder_is_accepted(thing: Any) -> None:
    """Anything but a session builder is refused."""
    with pytest.raises(BuilderError, match=r"must be SparkSession\.builder"):
        configure(thing)


@pytest.mark.parametrize("folder", ["a,b", "a:b"])
def test_a_path_with_a_separator_is_refused(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark splits lists at commas and colons, so a path with one is refused."""
    (tmp_path / folder).mkdir()
    (tmp_path / folder / NAME).touch()
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path / folder)
    with pytest.raises(JarError, match="must not contain a comma"):
        configure(builder())


@pytest.mark.parametrize("others", [[], ["deltasource-spark_4.2_2.13-9.jar", "other.jar"]])
def test_a_missing_jar_is_an_error(others: list[str], jar: Path) -> None:
    """Without the jar of this version and line, the error lists the jars found."""
    jar.unlink()
    for name in others:
        (jar.parent / name).touch()
    with pytest.raises(JarError) as error:
        configure(builder())
    assert NAME in str(error.value)
    assert f"but {', '.join(others) or 'no jar'}:" in str(error.value)
