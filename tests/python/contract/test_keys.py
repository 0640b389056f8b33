# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Python and the jar agree on options, classes and versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import ReadOptions, SchemaTracking, Version, WriteOptions
from deltasource._options import keys
from deltasource._session import bundle, spark_lines
from deltasource._session import conf as _conf
from deltasource._session import jvm as _jvm

CONSTANTS = {
    "ALLOW_SOURCE_COLUMN_DROP": keys.ALLOW_DROP,
    "ALLOW_SOURCE_COLUMN_RENAME": keys.ALLOW_RENAME,
    "ALLOW_SOURCE_COLUMN_TYPE_CHANGE": keys.ALLOW_TYPE_CHANGE,
    "CDC_END_TIMESTAMP": keys.ENDING_TIMESTAMP,
    "CDC_END_VERSION": keys.ENDING_VERSION,
    "CDC_READ_OPTION": keys.READ_CHANGE_FEED,
    "CDC_READ_OPTION_LEGACY": keys.READ_CHANGE_DATA,
    "EXCLUDE_REGEX_OPTION": keys.EXCLUDE_REGEX,
    "FAIL_ON_DATA_LOSS_OPTION": keys.FAIL_ON_DATA_LOSS,
    "IGNORE_CHANGES_OPTION": keys.IGNORE_CHANGES,
    "IGNORE_DELETES_OPTION": keys.IGNORE_DELETES,
    "IGNORE_FILE_DELETION_OPTION": keys.IGNORE_FILE_DELETION,
    "MAX_BYTES_PER_TRIGGER_OPTION": keys.MAX_BYTES,
    "MAX_FILES_PER_TRIGGER_OPTION": keys.MAX_FILES,
    "MERGE_SCHEMA_OPTION": keys.MERGE_SCHEMA,
    "OVERWRITE_SCHEMA_OPTION": keys.OVERWRITE_SCHEMA,
    "SCHEMA_TRACKING_LOCATION": keys.SCHEMA_TRACKING_LOCATION,
    "SCHEMA_TRACKING_LOCATION_ALIAS": keys.SCHEMA_LOCATION,
    "SKIP_CHANGE_COMMITS_OPTION": keys.SKIP_CHANGE_COMMITS,
    "STARTING_TIMESTAMP_OPTION": keys.STARTING_TIMESTAMP,
    "STARTING_VERSION_OPTION": keys.STARTING_VERSION,
    "STREAMING_SOURCE_TRACKING_ID": keys.SOURCE_TRACKING_ID,
    "USER_METADATA_OPTION": keys.USER_METADATA,
}


@pytest.fixture(scope="module")
def delta_options(spark: SparkSession) -> dict[str, str]:
    """Return the constants of the jar's DeltaOptions by name."""
    jvm = cast(Any, spark._jvm)
    companion = (
        jvm.java.lang.Thread.currentThread()
        .getContextClassLoader()
        .loadClass("org.apache.spark.sql.delta.DeltaOptions")
    )
    methods = [m for m in companion.getMethods() if m.getName().isupper()]
    strings = [m for m in methods if m.getReturnType().getSimpleName() == "String"]
    return {m.getName(): str(m.invoke(None, None)) for m in strings}


def test_our_names_are_those_of_the_jar(delta_options: dict[str, str]) -> None:
    """Each option in Python is the constant of that name in the jar."""
    assert {name: delta_options[name] for name in CONSTANTS} == CONSTANTS


def test_no_name_is_left_out_or_listed_twice() -> None:
    """Each name is compared with the jar, and no two names differ only in case."""
    names = (*keys.KNOWN, *keys.WRITE_FIELDS)
    assert sorted(CONSTANTS.values()) == sorted(names)
    assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize(
    "names", [keys.READ_FIELDS, keys.OLD_NAMES, keys.FUNCTIONS, keys.WRITE_FIELDS]
)
def test_names_are_sorted(names: Mapping[str, str]) -> None:
    """The lists are sorted."""
    assert list(names) == sorted(names)


def test_every_option_can_be_set_from_python() -> None:
    """Each name has a field of our options, another name, or a function of ours."""
    settable = {field.name for field in fields(ReadOptions)}
    assert set(keys.READ_FIELDS.values()) == settable - {"extra"}
    assert set(keys.OLD_NAMES.values()) <= set(keys.READ_FIELDS)
    assert set(keys.FUNCTIONS.values()) <= set(deltasource.__all__)
    # A writer of Spark has methods for these.
    methods = {"mode", "partition_by", "extra"}
    assert set(keys.WRITE_FIELDS.values()) == {one.name for one in fields(WriteOptions)} - methods


def test_the_jar_accepts_what_we_write(spark: SparkSession) -> None:
    """The jar's DeltaOptions reads every option with the meaning it has in Python."""
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


def test_the_jar_accepts_schema_tracking(spark: SparkSession) -> None:
    """The jar's DeltaOptions reads the schema tracking location and the acknowledged changes."""
    tracking = SchemaTracking(
        location="c/s", source_id="a", allow_rename="always", allow_drop=7, allow_type_change=8
    )
    read = read_by_the_jar(spark, ReadOptions(schema_tracking=tracking))
    assert read.schemaTrackingLocation().get() == "c/s"
    assert read.sourceTrackingId().get() == "a"
    assert read.allowSourceColumnRename().get() == "always"
    assert read.allowSourceColumnDrop().get() == "7"
    assert read.allowSourceColumnTypeChange().get() == "8"


def test_the_largest_values_are_accepted(spark: SparkSession) -> None:
    """The jar accepts the largest and smallest values that Python accepts."""
    largest = ReadOptions(start=Version(2**63 - 1), max_files=2**31 - 1, max_bytes=2**63 - 1)
    read = read_by_the_jar(spark, largest)
    assert read.maxFilesPerTrigger().get() == 2**31 - 1
    assert read.maxBytesPerTrigger().get() == 2**63 - 1


def test_class_names_are_those_of_the_jar(spark: SparkSession) -> None:
    """Every class named in Python is in our jar."""
    session = _jvm.classic_session(spark)
    assert session is not None
    names = (
        _conf.DELTA_CATALOG,
        _conf.DELTA_EXTENSION,
        _conf.GUARD,
        _conf.OUR_S3_LOG_STORE,
        _jvm.DELTA_DATA_SOURCE,
        _jvm.DELTA_SOURCE,
    )
    assert {session.class_origin(name) for name in names} == {str(bundle.jar_path())}


def test_the_lines_are_those_of_the_jar(spark: SparkSession) -> None:
    """Python's Spark and Scala lines are those the jar was built for."""
    manifest = bundle.manifest(bundle.jar_path())
    session = _jvm.classic_session(spark)
    assert manifest is not None
    assert session is not None
    assert manifest.spark_line == spark_lines.line_of(spark.version)
    assert manifest.version == bundle.package_version()
    assert session.scala_version().startswith(f"{spark_lines.SCALA_LINE}.")


def read_by_the_jar(spark: SparkSession, options: ReadOptions) -> Any:
    jvm = cast(Any, spark._jvm)
    given = jvm.PythonUtils.toScalaMap(options.to_spark())
    conf = cast(Any, spark)._jsparkSession.sessionState().conf()
    return jvm.org.apache.spark.sql.delta.DeltaOptions(given, conf)
