# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The typed options, without Spark."""

from __future__ import annotations

import pickle
import time
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import (
    InvalidOption,
    Latest,
    OptionsError,
    ReadOptions,
    SchemaTracking,
    Snapshot,
    Start,
    Time,
    Version,
)
from deltasource._options import validation
from deltasource._options.schema_tracking import is_source_id

UTC = timezone.utc
NOON = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
MAX_LONG = 2**63 - 1


def problems(error: pytest.ExceptionInfo[OptionsError]) -> list[str]:
    return [problem.option for problem in error.value.problems]


def test_defaults_set_no_spark_option() -> None:
    """Options at their defaults leave Delta's defaults in place."""
    assert ReadOptions().to_spark() == {}
    assert ReadOptions(start=Snapshot(), fail_on_data_loss=True).to_spark() == {}


@pytest.mark.parametrize(
    ("start", "spark"),
    [
        (Latest(), {"startingVersion": "latest"}),
        (Version(0), {"startingVersion": "0"}),
        (Version(MAX_LONG), {"startingVersion": str(MAX_LONG)}),
        (Time(NOON), {"startingTimestamp": "2026-01-01T12:00:00.000000+00:00"}),
        (
            Time(
                datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=5, minutes=53, seconds=28)))
            ),
            {"startingTimestamp": "2025-12-31T19:06:32.000000+00:00"},
        ),
    ],
)
def test_each_start_has_one_option(start: Start, spark: Mapping[str, str]) -> None:
    """A start sets exactly one option, with times in UTC."""
    assert ReadOptions(start=start).to_spark() == spark


def test_times_are_written_in_utc_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's time zone does not matter."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        spark = ReadOptions(start=Time(NOON)).to_spark()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert spark == {"startingTimestamp": "2026-01-01T12:00:00.000000+00:00"}


@pytest.mark.parametrize(
    ("arguments", "spark"),
    [
        ({"max_files": 1}, {"maxFilesPerTrigger": "1"}),
        ({"max_bytes": 1}, {"maxBytesPerTrigger": "1b"}),
        ({"max_bytes": "512mb"}, {"maxBytesPerTrigger": "536870912b"}),
        ({"max_bytes": " 1G "}, {"maxBytesPerTrigger": "1073741824b"}),
        ({"max_bytes": "7"}, {"maxBytesPerTrigger": "7b"}),
        ({"max_bytes": "2pb"}, {"maxBytesPerTrigger": "2251799813685248b"}),
        ({"on_change": "fail"}, {}),
        ({"on_change": "skip_commits"}, {"skipChangeCommits": "true"}),
        ({"on_change": "ignore_deletes"}, {"ignoreDeletes": "true"}),
        ({"on_change": "reemit"}, {"ignoreChanges": "true"}),
        ({"exclude_regex": r"a\p{IsAlphabetic}"}, {"excludeRegex": r"a\p{IsAlphabetic}"}),
        ({"fail_on_data_loss": False}, {"failOnDataLoss": "false"}),
        ({"schema_tracking": SchemaTracking(location="s")}, {"schemaTrackingLocation": "s"}),
        ({"extra": {"fs.x": "1"}}, {"fs.x": "1"}),
    ],
)
def test_each_option_has_its_spark_form(
    arguments: dict[str, Any], spark: Mapping[str, str]
) -> None:
    """Every option has Spark's name and a value that Delta can parse."""
    assert ReadOptions(**arguments).to_spark() == spark


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("start", -5),
        ("schema_tracking", "s"),
        ("schema_tracking", {"location": "s"}),
        ("start", None),
        ("max_files", 0),
        ("max_files", -1),
        ("max_files", 2**31),
        ("max_files", True),
        ("max_files", 1.0),
        ("max_files", "10"),
        ("max_bytes", 0),
        ("max_bytes", -1),
        ("max_bytes", True),
        ("max_bytes", "0b"),
        ("max_bytes", "1.5g"),
        ("max_bytes", "1 g"),
        ("max_bytes", "-1g"),
        ("max_bytes", "1gib"),
        ("max_bytes", "8192pb"),
        ("max_bytes", 2**63),
        ("max_bytes", b"1g"),
        ("on_change", "ignore"),
        ("on_change", None),
        ("on_change", []),
        ("exclude_regex", ""),
        ("exclude_regex", 3),
        ("fail_on_data_loss", "false"),
        ("fail_on_data_loss", 0),
        ("fail_on_data_loss", None),
    ],
)
def test_a_wrong_value_is_refused_by_name(option: str, value: object) -> None:
    """A value out of range or of another type is refused with the name of its option."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(**{option: value})  # type: ignore[arg-type] # the point of the test
    assert problems(error) == [option]
    assert repr(value)[:20] in str(error.value)


def test_all_mistakes_are_reported_at_once() -> None:
    """One error lists every mistake: the option, the value, what is allowed."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(max_files=0, max_bytes="much", on_change="no")  # type: ignore[arg-type]
    assert error.value.problems == (
        InvalidOption("max_files", "0", validation.MAX_FILES_ALLOWED),
        InvalidOption("max_bytes", "'much'", validation.MAX_BYTES_ALLOWED),
        InvalidOption("on_change", "'no'", validation.ON_CHANGE_ALLOWED),
    )
    assert str(error.value) == (
        "[DELTASOURCE_INVALID_OPTIONS] invalid options:\n"
        "- max_files must be an integer from 1 to 2147483647, got 0\n"
        '- max_bytes must be a positive number of bytes, or a size such as "512mb" or "1g", '
        "got 'much'\n"
        "- on_change must be one of 'fail', 'skip_commits', 'ignore_deletes', 'reemit', got 'no'\n"
        "(see `deltasource explain-error DELTASOURCE_INVALID_OPTIONS`)"
    )


def test_losses_cannot_be_allowed_in_a_tracked_stream() -> None:
    """A lost commit could be a schema change, so the source refuses the two together."""
    tracking = SchemaTracking(location="s")
    with pytest.raises(OptionsError) as error:
        ReadOptions(schema_tracking=tracking, fail_on_data_loss=False)
    assert error.value.problems == (
        InvalidOption("fail_on_data_loss", "False", validation.TRACKED_LOSS),
    )


def test_options_are_values() -> None:
    """Options are immutable, compare by value, and can be pickled."""
    tracking = SchemaTracking(location="s", allow_drop=3)
    one, same = (
        ReadOptions(start=Version(3), max_files=2, schema_tracking=tracking, extra={"a": "1"})
        for _ in range(2)
    )
    assert one == same
    assert one != ReadOptions(start=Version(3), max_files=2, schema_tracking=tracking)
    assert len({one, same}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.max_files = 5  # type: ignore[misc] # the point of the test


def test_the_error_can_be_pickled() -> None:
    """An error of ours keeps its attributes when pickled."""
    error = OptionsError([InvalidOption("max_files", "0", "more")])
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again)) == (error.problems, str(error))


STARTS = (
    st.just(Snapshot())
    | st.just(Latest())
    | st.integers(0, MAX_LONG).map(Version)
    | st.datetimes(timezones=st.timezones(), allow_imaginary=False)
    .filter(lambda time: 2 <= time.year <= 9998)
    .map(Time)
)
ALLOW = st.none() | st.just("always") | st.integers(0, MAX_LONG)
TRACKING = st.builds(
    SchemaTracking,
    location=st.text(min_size=1).filter(str.strip),
    source_id=st.none() | st.text(min_size=1).filter(is_source_id),
    allow_rename=ALLOW,
    allow_drop=ALLOW,
    allow_type_change=ALLOW,
)
UNTRACKED = st.builds(
    ReadOptions,
    start=STARTS,
    max_files=st.none() | st.integers(1, 2**31 - 1),
    max_bytes=st.none() | st.integers(1, MAX_LONG),
    on_change=st.sampled_from(["fail", "skip_commits", "ignore_deletes", "reemit"]),
    exclude_regex=st.none() | st.text(min_size=1).filter(validation.is_regex),
    fail_on_data_loss=st.booleans(),
)
OPTIONS = UNTRACKED | st.builds(ReadOptions, start=STARTS, schema_tracking=TRACKING)


def instant(start: object) -> object:
    """Normalize times to UTC: Python never compares two zones as equal in a clock change."""
    return start.at.timestamp() if isinstance(start, Time) else start


@given(OPTIONS)
def test_spark_options_read_back(options: ReadOptions) -> None:
    """The Spark options read back as the same values."""
    again = ReadOptions.from_dict(options.to_spark())
    assert again.to_spark() == options.to_spark()
    assert instant(again.start) == instant(options.start)
    assert again.schema_tracking == options.schema_tracking
