# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What Python and the jar must agree on."""

from __future__ import annotations

from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

from deltasource import ReadOptions, Version, _conf, _jar, _jvm, _keys

CONSTANTS = {
    "EXCLUDE_REGEX_OPTION": _keys.EXCLUDE_REGEX,
    "FAIL_ON_DATA_LOSS_OPTION": _keys.FAIL_ON_DATA_LOSS,
    "IGNORE_CHANGES_OPTION": _keys.IGNORE_CHANGES,
    "IGNORE_DELETES_OPTION": _keys.IGNORE_DELETES,
    "MAX_BYTES_PER_TRIGGER_OPTION": _keys.MAX_BYTES,
    "MAX_FILES_PER_TRIGGER_OPTION": _keys.MAX_FILES,
    "SKIP_CHANGE_COMMITS_OPTION": _keys.SKIP_CHANGE_COMMITS,
    "STARTING_TIMESTAMP_OPTION": _keys.STARTING_TIMESTAMP,
    "STARTING_VERSION_OPTION": _keys.STARTING_VERSION,
}


@pytest.fixture(scope="module")
def delta_options(spark: SparkSession) -> dict[str, str]:
    """Answer the constants of the jar's DeltaOptions, by their names."""
    jvm = cast(Any, spark._jvm)
    companion = (
        jvm.java.lang.Thread.currentThread()
        .getContextClassLoader()
        .loadClass("org.apache.spark.sql.delta.DeltaOptions")
    )
    methods = [m for m in companion.getMethods() if m.getName().isupper()]
    strings = [m for m in methods if m.getReturnType().getSimpleName() == "String"]
    return {m.getName(): str(m.invoke(None, None)) for m in strings}


def test_served_options_are_named_as_in_the_jar(delta_options: dict[str, str]) -> None:
    """Each option we write is the constant of that name in the jar, and none is left out."""
    assert {name: delta_options[name] for name in CONSTANTS} == CONSTANTS
    assert sorted(CONSTANTS.values()) == sorted(_keys.SERVED)


def test_options_not_served_yet_exist_in_the_jar(delta_options: dict[str, str]) -> None:
    """What we call "not served yet" is an option of the jar, and not one we serve."""
    assert set(_keys.NOT_YET) <= set(delta_options.values())
    assert not set(_keys.NOT_YET) & set(_keys.SERVED)


@pytest.mark.parametrize("names", [_keys.SERVED, _keys.NOT_YET])
def test_names_are_sorted_and_differ_in_any_case(names: tuple[str, ...]) -> None:
    """The lists are sorted, and no two names differ in case alone."""
    assert list(names) == sorted(names)
    assert len({name.lower() for name in names}) == len(names)


def test_the_jar_accepts_what_we_write(spark: SparkSession) -> None:
    """The jar's own DeltaOptions reads every option as it was meant."""
    options = ReadOptions(
        start=Version(3),
        max_files=5,
        max_bytes="2k",
        on_change="skip_commits",
        exclude_regex="x",
        fail_on_data_loss=False,
    )
    read = read_by_the_jar(spark, options)
    assert read.maxFilesPerTrigger().get() == 5
    assert read.maxBytesPerTrigger().get() == 2048
    assert read.startingVersion().get().toString() == "StartingVersion(3)"
    assert read.excludeRegex().get().toString() == "x"
    assert (read.skipChangeCommits(), read.failOnDataLoss()) == (True, False)


def test_the_largest_values_are_accepted(spark: SparkSession) -> None:
    """The bounds that Python allows are bounds that the jar allows."""
    largest = ReadOptions(start=Version(2**63 - 1), max_files=2**31 - 1, max_bytes=2**63 - 1)
    read = read_by_the_jar(spark, largest)
    assert read.maxFilesPerTrigger().get() == 2**31 - 1
    assert read.maxBytesPerTrigger().get() == 2**63 - 1


def test_class_names_are_those_of_the_jar(spark: SparkSession) -> None:
    """Every class that Python names is in our jar."""
    session = _jvm.session(spark)
    assert session is not None
    names = (
        _conf.DELTA_CATALOG,
        _conf.DELTA_EXTENSION,
        _conf.GUARD,
        _jvm.DELTA_DATA_SOURCE,
        _jvm.DELTA_SOURCE,
    )
    assert {session.origin(name) for name in names} == {str(_jar.jar_path())}


def test_the_lines_are_those_of_the_jar(spark: SparkSession) -> None:
    """The Spark and Scala lines that Python names are those the jar was built for."""
    manifest = _jar.manifest(_jar.jar_path())
    session = _jvm.session(spark)
    assert manifest is not None
    assert session is not None
    assert manifest.spark_line == _jar.SPARK_LINE
    assert manifest.version == _jar.package_version()
    assert session.scala_version().startswith(f"{_jar.SCALA_LINE}.")


def read_by_the_jar(spark: SparkSession, options: ReadOptions) -> Any:
    jvm = cast(Any, spark._jvm)
    given = jvm.PythonUtils.toScalaMap(options.to_spark())
    conf = cast(Any, spark)._jsparkSession.sessionState().conf()
    return jvm.org.apache.spark.sql.delta.DeltaOptions(given, conf)
