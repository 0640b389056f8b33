# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options as keywords of `read_stream` and `stream_changes`, with a fake session."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import pytest

import deltasource
from deltasource import (
    Latest,
    OptionsError,
    ReadOptions,
    SchemaTracking,
    Snapshot,
    Time,
    Version,
    WriteOptions,
)
from support.fake_readers import Reader, Session

MIDNIGHT = datetime(2026, 1, 1, tzinfo=timezone.utc)
READERS = [deltasource.read_stream, deltasource.stream_changes]


def asked(read: Callable[..., Any], **keywords: Any) -> Any:
    """Return the options that Spark gets, without the one that every change feed has."""
    options = read(Session(readStream=Reader()), "orders", **keywords)
    assert options.pop("table") == "orders"
    options.pop("readChangeFeed", None)
    return options


@pytest.mark.parametrize(
    ("short", "start"),
    [("latest", Latest()), ("snapshot", Snapshot()), (7, Version(7)), (MIDNIGHT, Time(MIDNIGHT))],
)
def test_options_take_the_short_forms_of_a_start(short: Any, start: Any) -> None:
    """They are kept, and compared, as what they stand for."""
    assert ReadOptions(start=short) == ReadOptions(start=start)
    assert ReadOptions(start=short).start == start


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"start": Version(7)},
        {"max_files": 100},
        {"max_bytes": "1g"},
        {"exclude_regex": "x"},
        {"fail_on_data_loss": False},
        {"schema_tracking": SchemaTracking(location="c/s")},
        {"extra": {"fs.s3a.endpoint": "e"}},
        {"start": Latest(), "max_files": 1, "max_bytes": 5},
    ],
    ids=str,
)
def test_a_keyword_is_the_option_of_its_name(
    read: Callable[..., Any], keywords: dict[str, Any]
) -> None:
    """A keyword gives Spark what `ReadOptions` would."""
    assert asked(read, **keywords) == ReadOptions(**keywords).to_spark()


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("short", "start"),
    [
        (7, Version(7)),
        (0, Version(0)),
        ("latest", Latest()),
        ("snapshot", Snapshot()),
        (MIDNIGHT, Time(MIDNIGHT)),
    ],
)
def test_a_start_has_a_short_form(read: Callable[..., Any], short: Any, start: Any) -> None:
    """A version, a time and two words stand for a start."""
    assert asked(read, start=short) == ReadOptions(start=start).to_spark()


@pytest.mark.parametrize("read", READERS)
def test_a_keyword_replaces_the_field_of_its_name(read: Callable[..., Any]) -> None:
    """The other fields of the options stay."""
    shared = ReadOptions(start=Version(7), max_files=5)
    expected = {"startingVersion": "7", "maxFilesPerTrigger": "6"}
    assert asked(read, options=shared, max_files=6) == expected
    again = asked(read, options=shared, start="snapshot")
    assert again == {"maxFilesPerTrigger": "5"}


@pytest.mark.parametrize("read", READERS)
def test_all_wrong_keywords_are_reported_together(read: Callable[..., Any]) -> None:
    """One error lists them, also a start that has no short form."""
    with pytest.raises(OptionsError, match=r"start must have a time zone, such as datetime\(2026"):
        ReadOptions(start=datetime(2026, 1, 1))
    for start in (-1, "7", "earliest", True):
        with pytest.raises(OptionsError) as error:
            asked(read, start=start, max_files=0, max_bytes="many")
        problems = error.value.problems
        assert [one.option for one in problems] == ["start", "max_files", "max_bytes"]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    "given", [{"maxFilesPerTrigger": "5", "k": "secret"}, WriteOptions(), None]
)
def test_options_of_another_kind_are_refused(read: Callable[..., Any], given: Any) -> None:
    """A dict of Spark's options is refused with what to write, and its values are not shown."""
    with pytest.raises(OptionsError, match=r"options must be ReadOptions\(\.\.\.\)") as error:
        asked(read, options=given)
    assert "secret" not in str(error.value)


def test_the_change_feed_takes_no_on_change() -> None:
    """`read_stream` has the keyword, `stream_changes` returns all changes."""
    options = asked(deltasource.read_stream, on_change="skip_commits")
    assert options == {"skipChangeCommits": "true"}
    with pytest.raises(TypeError, match="on_change"):
        asked(deltasource.stream_changes, on_change="skip_commits")
