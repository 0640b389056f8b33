# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Extra options, which are passed on to Spark; without Spark."""

from __future__ import annotations

from typing import Any

import pytest

from deltasource import OptionsError, ReadOptions, WriteOptions


@pytest.mark.parametrize(
    ("extra", "rule"),
    [
        ({"MAXfilesPerTrigger": "1"}, "must be left out: use max_files"),
        ({"ignoreFileDeletion": "true"}, "must be left out: use on_change"),
        ({"schemaLocation": "s"}, "must be left out: use schema_tracking"),
        ({"readChangeFeed": "true"}, "must be left out: use stream_changes"),
        ({"endingVersion": "1"}, "must be left out: use read_changes"),
        ({"a": 1}, "must map option names to strings: this is of type int"),
        ({1: "a"}, "must map option names to strings"),
        ({"": "a"}, "must map option names to strings"),
        ("a", "must map option names to strings"),
        (None, "must map option names to strings"),
    ],
)
def test_an_option_of_ours_is_no_extra_option(extra: Any, rule: str) -> None:
    """An option with a field or function of ours is refused, and the error names that."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(extra=extra)
    assert [problem.reason for problem in error.value.problems] == [rule]


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ("maxFilePerTrigger", "is not an option; for maxFilesPerTrigger, use max_files"),
        ("EXLUDEREGEX", "is not an option; for excludeRegex, use exclude_regex"),
        ("startVersion", "is not an option; for startingVersion, use start"),
    ],
)
def test_a_misspelled_option_is_refused(extra: str, reason: str) -> None:
    """Spark would ignore it without a word."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(extra={extra: "1"})
    assert [problem.reason for problem in error.value.problems] == [reason]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (ReadOptions, "max_files"),
        (ReadOptions, "start"),
        (WriteOptions, "merge_schema"),
        (WriteOptions, "partition_by"),
        (WriteOptions, "checkpoint"),
    ],
)
def test_an_argument_is_no_extra_option(options: Any, name: str) -> None:
    """Spark does not know the names of Python, and would ignore them without a word."""
    with pytest.raises(OptionsError) as error:
        options(extra={name: "5"})
    assert [str(problem) for problem in error.value.problems] == [
        f"extra['{name}'] is not an option of Spark: give it as the argument {name}=..."
    ]


def test_options_of_others_are_passed_on() -> None:
    """Names of Spark, of other sources and of file systems are not near enough, or never are."""
    others = ["maxOffsetsPerTrigger", "ignoreMissingFiles", "paths", "fs.maxFilePerTrigger"]
    assert ReadOptions(extra=dict.fromkeys(others, "1")).to_spark().keys() == set(others)
    others = ["maxRecordsPerFile", "dataChange", "compression", "paths", "fs.mergeShema"]
    assert WriteOptions(extra=dict.fromkeys(others, "1")).to_spark().keys() == set(others)


def test_options_of_batch_writes_are_refused_in_streams() -> None:
    """A streaming write ignores them, so `replaceWhere` would replace nothing."""
    names = ["replaceWhere", "PARTITIONOVERWRITEMODE", "txnAppId", "txnVersion"]
    with pytest.raises(OptionsError) as error:
        WriteOptions(extra={**dict.fromkeys(names, "a"), "mergeShema": "true"})
    *ignored, misspelled = [problem.reason for problem in error.value.problems]
    why = "streaming writes ignore it; write batches with foreachBatch to use it"
    assert ignored == [f"must be left out: {why}"] * 4
    assert misspelled == "is not an option; for mergeSchema, use merge_schema"


def test_mistakes_in_extra_options_come_with_the_others_and_without_their_values() -> None:
    """All mistakes are reported at once, without values, which may be secrets."""
    extra = {"startingVersion": "hunter2", "fs.key": "hunter2", "FS.KEY": "hunter2"}
    with pytest.raises(OptionsError) as error:
        ReadOptions(max_files=0, extra=extra)
    assert [problem.option for problem in error.value.problems] == [
        "max_files",
        "extra['startingVersion']",
        "extra['FS.KEY']",
    ]
    assert "hunter2" not in str(error.value)


def test_extra_options_are_not_shown() -> None:
    """Options that contain a file system's key can be printed safely."""
    assert "hunter2" not in repr(ReadOptions(extra={"fs.key": "hunter2"}))


def test_extra_options_are_copied() -> None:
    """Later changes to the caller's mapping have no effect."""
    extra = {"a": "1"}
    options = ReadOptions(extra=extra)
    extra["b"] = "2"
    assert options.to_spark() == {"a": "1"}
