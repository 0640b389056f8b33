# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options by their Spark names, without Spark."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from deltasource import Latest, OptionsError, ReadOptions, SchemaTracking, Time, Version
from deltasource._options import parsing, validation

MIDNIGHT = datetime(2026, 1, 1, tzinfo=timezone.utc)
TRACKING = SchemaTracking(location="s")


def refused(given: dict[Any, Any]) -> list[tuple[str, str]]:
    """Return the option and the rule of every mistake."""
    with pytest.raises(OptionsError) as error:
        ReadOptions.from_dict(given)
    return [(problem.option, problem.reason) for problem in error.value.problems]


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
        ({"ignoreFileDeletion": "true"}, ReadOptions(on_change="reemit")),
        ({"ignorefiledeletion": False}, ReadOptions()),
        ({"schemaTrackingLocation": "s"}, ReadOptions(schema_tracking=TRACKING)),
        ({"SCHEMALOCATION": "s"}, ReadOptions(schema_tracking=TRACKING)),
        (
            {
                "schemalocation": "s",
                "streamingsourcetrackingid": "a",
                "allowsourcecolumnrename": "always",
                "allowsourcecolumndrop": "7",
                "allowsourcecolumntypechange": 8,
            },
            ReadOptions(
                schema_tracking=SchemaTracking(
                    location="s",
                    source_id="a",
                    allow_rename="always",
                    allow_drop=7,
                    allow_type_change=8,
                )
            ),
        ),
    ],
)
def test_each_name_is_read_as_its_option(given: dict[str, object], options: ReadOptions) -> None:
    """Spark's names are accepted in any case, with values as strings or Python values."""
    assert ReadOptions.from_dict(given) == options


@pytest.mark.parametrize(
    ("given", "on_change"),
    [
        ({"ignoreDeletes": True, "ignoreChanges": True}, "reemit"),
        ({"ignoreDeletes": True, "skipChangeCommits": True}, "skip_commits"),
        ({"ignoreChanges": True, "skipChangeCommits": True}, "skip_commits"),
        ({"ignoreChanges": False, "ignoreDeletes": True}, "ignore_deletes"),
        ({"ignoreFileDeletion": True, "ignoreDeletes": True}, "reemit"),
    ],
)
def test_several_change_options_mean_the_same_as_in_delta(
    given: dict[str, object], on_change: str
) -> None:
    """Among several change options, the one that takes precedence in Delta does so here."""
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
        ("ignoreFileDeletion", "maybe"),
        ("schemaTrackingLocation", ""),
        ("schemaTrackingLocation", None),
        ("schemaLocation", " "),
    ],
)
def test_a_wrong_value_is_refused_by_its_spark_name(name: str, value: object) -> None:
    """A value that Delta would refuse or read differently is refused with the option's name."""
    assert [option for option, _ in refused({name: value})] == [name]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("maxFilesPerTriger", "maxFilesPerTrigger"),
        ("startingversoin", "startingVersion"),
        ("ignoreDelete", "ignoreDeletes"),
        ("fail_on_data_loss", "failOnDataLoss"),
        ("schemaTrackingLocaton", "schemaTrackingLocation"),
        ("allowSourceColumnTypeChanged", "allowSourceColumnTypeChange"),
        ("readChangeFed", "readChangeFeed"),
    ],
)
def test_a_misspelled_name_is_refused_with_the_right_one(name: str, meant: str) -> None:
    """An unknown option is refused with the most similar valid name."""
    assert refused({name: "1"}) == [(name, f"is not an option; did you mean {meant}?")]


def test_an_unknown_name_is_refused_and_extra_is_named() -> None:
    """If no name is similar, it may be an option of Spark, which belongs in `extra`."""
    advice = "is not an option of a Delta stream: give other options of Spark in `extra`"
    assert refused({"zzz": 1}) == [("zzz", advice)]


def test_options_of_file_systems_become_extra() -> None:
    """Delta passes options with these prefixes to the file system; their values are not shown."""
    extra = {"fs.s3a.access.key": "a", "dfs.blocksize": "1m"}
    options = ReadOptions.from_dict({**extra, "maxFilesPerTrigger": "5"})
    assert options == ReadOptions(max_files=5, extra=extra)
    with pytest.raises(OptionsError, match="must be a string: it is an option of a") as error:
        ReadOptions.from_dict({"fs.s3a.connection.maximum": 7654321})
    assert "7654321" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("readChangeFeed", "stream_changes"),
        ("readchangedata", "stream_changes"),
        ("endingVersion", "read_changes"),
        ("endingTimestamp", "read_changes"),
    ],
)
def test_an_option_with_a_function_is_refused_with_its_name(name: str, function: str) -> None:
    """An option without a field is not reported as unknown: the error names its function."""
    assert refused({name: "true"}) == [(name, f"must be left out: use {function}")]


@pytest.mark.parametrize(
    "names",
    [("schemaTrackingLocation", "schemaLocation"), ("ignoreFileDeletion", "ignoreChanges")],
)
@pytest.mark.parametrize("order", [1, -1])
def test_two_names_of_one_option_are_refused(names: tuple[str, ...], order: int) -> None:
    """An old name and the new one together would be ambiguous."""
    first, second = names[::order]
    rule = f"is another name for {first}: give one of the two"
    assert refused({first: "true", second: "true"}) == [(second, rule)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("allowSourceColumnRename", "always"),
        ("allowSourceColumnDrop", "7"),
        ("allowSourceColumnTypeChange", 7),
        ("streamingSourceTrackingId", "a"),
    ],
)
def test_tracking_options_are_refused_without_tracking(name: str, value: object) -> None:
    """Acknowledging changes has no effect without schema tracking, and so is a mistake."""
    assert refused({name: value}) == [(name, parsing.WITHOUT_LOCATION)]
    assert refused({name: value, "schemaLocation": ""})[0][0] == "schemaLocation"


@pytest.mark.parametrize("value", ["ALWAYS", "", "-1", "1.5", -1, True, None, 2**63])
def test_changes_are_acknowledged_always_or_for_a_version(value: object) -> None:
    """Any other value would acknowledge nothing."""
    given = {"schemaTrackingLocation": "s", "allowSourceColumnDrop": value}
    assert [option for option, _ in refused(given)] == ["allowSourceColumnDrop"]


def test_losses_cannot_be_allowed_in_a_tracked_stream() -> None:
    """A lost commit could be a schema change, so the source refuses the two together."""
    given = {"schemaLocation": "s", "failOnDataLoss": "false"}
    assert refused(given) == [("failOnDataLoss", validation.TRACKED_LOSS)]
    given["failOnDataLoss"] = "true"
    assert ReadOptions.from_dict(given) == ReadOptions(schema_tracking=TRACKING)


def test_both_starts_are_refused() -> None:
    """A stream has one start."""
    both = {"startingVersion": "1", "startingTimestamp": "2026-01-01T00:00:00Z"}
    assert [option for option, _ in refused(both)] == ["startingTimestamp"]


def test_one_option_in_two_spellings_is_refused() -> None:
    """Two spellings of one option would be ambiguous."""
    twice = {"maxFilesPerTrigger": 1, "maxfilespertrigger": 2}
    assert refused(twice) == [("maxfilespertrigger", "is a second maxFilesPerTrigger: keep one")]


def test_all_mistakes_are_reported_at_once() -> None:
    """One error lists unknown, contradictory and out-of-range options together."""
    given = {
        "maxFiles": 1,
        "startingVersion": -1,
        "failOnDataLoss": "?",
        7: "x",
        "readChangeFeed": True,
        "allowSourceColumnDrop": "some",
    }
    names = [option for option, _ in refused(given)]
    unknown = ["maxFiles", "7", "readChangeFeed"]
    # The last is wrong twice: in its value, and without a location.
    drop = ["allowSourceColumnDrop"] * 2
    assert names == [*unknown, "startingVersion", "failOnDataLoss", *drop]


def test_the_value_of_an_unknown_option_is_not_shown() -> None:
    """The value of an unknown option may be a secret, and is not in the message."""
    with pytest.raises(OptionsError) as error:
        ReadOptions.from_dict({"my.secret.key": "hunter2"})
    assert "hunter2" not in str(error.value)
