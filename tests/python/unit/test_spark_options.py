# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options in Spark's spelling, without Spark."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from deltasource import Latest, OptionsError, ReadOptions, Time, Version, _keys

MIDNIGHT = datetime(2026, 1, 1, tzinfo=timezone.utc)


def refused(given: dict[Any, Any]) -> list[tuple[str, str]]:
    """Answer the option and the rule of every mistake."""
    with pytest.raises(OptionsError) as error:
        ReadOptions.from_dict(given)
    return [(problem.option, problem.allowed) for problem in error.value.problems]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, ReadOptions()),
        ({"maxFilesPerTrigger": "10"}, ReadOptions(max_files=10)),
        ({"MAXFILESPERTRIGGER": 10}, ReadOptions(max_files=10)),
        ({"maxBytesPerTrigger": "1g"}, ReadOptions(max_bytes="1g")),
        ({"maxBytesPerTrigger": 5}, ReadOptions(max_bytes=5)),
        ({"startingVersion": "latest"}, ReadOptions(start=Latest())),
        ({"startingVersion": "0"}, ReadOptions(start=Version(0))),
        ({"startingVersion": 0}, ReadOptions(start=Version(0))),
        ({"startingTimestamp": "2026-01-01T00:00:00Z"}, ReadOptions(start=Time(MIDNIGHT))),
        ({"startingTimestamp": "2026-01-01 02:00:00+02:00"}, ReadOptions(start=Time(MIDNIGHT))),
        ({"startingTimestamp": MIDNIGHT}, ReadOptions(start=Time(MIDNIGHT))),
        ({"failOnDataLoss": "FALSE"}, ReadOptions(fail_on_data_loss=False)),
        ({"failOnDataLoss": False}, ReadOptions(fail_on_data_loss=False)),
        ({"failOnDataLoss": True}, ReadOptions()),
        ({"excludeRegex": "x"}, ReadOptions(exclude_regex="x")),
        ({"ignoreDeletes": "true"}, ReadOptions(on_change="ignore_deletes")),
        ({"ignoreDeletes": "false"}, ReadOptions()),
        ({"ignoreChanges": True}, ReadOptions(on_change="reemit")),
        ({"skipChangeCommits": "true"}, ReadOptions(on_change="skip_commits")),
    ],
)
def test_each_spelling_reads_as_its_option(given: dict[str, object], options: ReadOptions) -> None:
    """Spark's names are taken in any case, with their values as text or as Python values."""
    assert ReadOptions.from_dict(given) == options


@pytest.mark.parametrize(
    ("given", "on_change"),
    [
        ({"ignoreDeletes": True, "ignoreChanges": True}, "reemit"),
        ({"ignoreDeletes": True, "skipChangeCommits": True}, "skip_commits"),
        ({"ignoreChanges": True, "skipChangeCommits": True}, "skip_commits"),
        ({"ignoreChanges": False, "ignoreDeletes": True}, "ignore_deletes"),
    ],
)
def test_several_change_options_mean_what_they_mean_to_delta(
    given: dict[str, object], on_change: str
) -> None:
    """Of several change options, the one that decides in Delta decides here."""
    assert ReadOptions.from_dict(given).on_change == on_change


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("maxFilesPerTrigger", "0"),
        ("maxFilesPerTrigger", "-5"),
        ("maxFilesPerTrigger", "many"),
        ("maxFilesPerTrigger", "\N{ARABIC-INDIC DIGIT ONE}"),
        ("maxFilesPerTrigger", None),
        ("maxFilesPerTrigger", True),
        ("maxBytesPerTrigger", "-1"),
        ("maxBytesPerTrigger", ""),
        ("startingVersion", "-1"),
        ("startingVersion", "LATEST"),
        ("startingVersion", "newest"),
        ("startingTimestamp", "2026-01-01"),
        ("startingTimestamp", "2026-01-01 00:00:00"),
        ("startingTimestamp", "yesterday"),
        ("startingTimestamp", 0),
        ("failOnDataLoss", "yes"),
        ("failOnDataLoss", 1),
        ("ignoreDeletes", "maybe"),
        ("excludeRegex", ""),
    ],
)
def test_a_wrong_value_is_refused_by_its_spark_name(name: str, value: object) -> None:
    """A value that Delta would refuse, or read otherwise, is refused with the option's name."""
    assert [option for option, _ in refused({name: value})] == [name]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("maxFilesPerTriger", "maxFilesPerTrigger"),
        ("startingversoin", "startingVersion"),
        ("ignoreDelete", "ignoreDeletes"),
        ("fail_on_data_loss", "failOnDataLoss"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_right_one(name: str, meant: str) -> None:
    """An unknown option is refused, and the nearest right name is told."""
    assert refused({name: "1"}) == [(name, f"unknown option; did you mean {meant}?")]


def test_a_name_like_no_other_is_refused_with_all_names() -> None:
    """An unknown option that resembles none is answered with the whole list."""
    [(option, allowed)] = refused({"zzz": 1})
    assert option == "zzz"
    assert all(name in allowed for name in _keys.SERVED)


@pytest.mark.parametrize("name", ["readChangeFeed", "schematrackinglocation", "ignoreFileDeletion"])
def test_an_option_of_delta_that_is_not_served_is_said_to_be_so(name: str) -> None:
    """An option that Delta has and this version lacks is not called unknown."""
    assert refused({name: "true"}) == [(name, "not served by this version yet")]


def test_both_starts_are_refused() -> None:
    """A stream has one start."""
    both = {"startingVersion": "1", "startingTimestamp": "2026-01-01T00:00:00Z"}
    assert [option for option, _ in refused(both)] == ["startingTimestamp"]


def test_one_option_in_two_spellings_is_refused() -> None:
    """Two spellings of one option would leave the choice to chance."""
    twice = {"maxFilesPerTrigger": 1, "maxfilespertrigger": 2}
    assert refused(twice) == [("maxfilespertrigger", "a second maxFilesPerTrigger")]


def test_all_mistakes_come_at_once() -> None:
    """One error carries the unknown, the contradictory and the out-of-bounds together."""
    given = {"maxFiles": 1, "startingVersion": -1, "failOnDataLoss": "?", 7: "x"}
    names = [option for option, _ in refused(given)]
    assert names == ["maxFiles", "7", "startingVersion", "failOnDataLoss"]


def test_the_value_of_an_unknown_option_is_not_shown() -> None:
    """What stands under an unknown name may be a secret, and stays out of the message."""
    with pytest.raises(OptionsError) as error:
        ReadOptions.from_dict({"fs.s3a.secret.key": "hunter2"})
    assert "hunter2" not in str(error.value)
