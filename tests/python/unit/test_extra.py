# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options that are none of ours and are passed on, without Spark."""

from __future__ import annotations

from typing import Any

import pytest

from deltasource import OptionsError, ReadOptions


@pytest.mark.parametrize(
    ("extra", "told"),
    [
        ({"MAXfilesPerTrigger": "1"}, "must be left out: use max_files"),
        ({"ignoreFileDeletion": "true"}, "must be left out: use on_change"),
        ({"schemaLocation": "s"}, "must be left out: use schema_tracking"),
        ({"readChangeFeed": "true"}, "must be left out: use stream_changes"),
        ({"endingVersion": "1"}, "must be left out: use read_changes"),
        ({"a": 1}, "must map option names to strings"),
        ({1: "a"}, "must map option names to strings"),
        ({"": "a"}, "must map option names to strings"),
        ("a", "must map option names to strings"),
        (None, "must map option names to strings"),
    ],
)
def test_what_has_a_name_is_no_extra_option(extra: Any, told: str) -> None:
    """An option that something of ours says is refused among the extra ones, and that is told."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(extra=extra)
    assert [problem.allowed for problem in error.value.problems] == [told]


def test_mistakes_in_extra_options_come_with_the_others_and_without_their_values() -> None:
    """Every mistake is told at once; a value stays out of the message, for it may be a secret."""
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
    """Options that hold the key of a file system can be printed."""
    assert "hunter2" not in repr(ReadOptions(extra={"fs.key": "hunter2"}))


def test_extra_options_stay_what_they_were() -> None:
    """What the caller does later to a mapping that was handed in changes nothing."""
    extra = {"a": "1"}
    options = ReadOptions(extra=extra)
    extra["b"] = "2"
    assert options.to_spark() == {"a": "1"}
