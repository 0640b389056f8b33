# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Change feeds, with readers that record their calls, without Spark."""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import deltasource
from deltasource import (
    ChangeType,
    InvalidOption,
    Latest,
    OptionsError,
    ReadOptions,
    SchemaTracking,
    Snapshot,
    Time,
    Version,
)
from deltasource._read import change_feed
from deltasource._read.stream import SOURCE_EVOLUTION
from support.fake_readers import Reader, Session

NOON = datetime(2026, 1, 1, 12, tzinfo=timezone.utc)
LATER = NOON + timedelta(seconds=1)
IN_UTC = ": write start=Time(datetime(2026, 1, 1, 0, 0, tzinfo=timezone.utc))"


def streamed(table: str | Path, **options: Any) -> Any:
    return deltasource.stream_changes(Session(readStream=Reader()), table, **options)


def read(table: str | os.PathLike[str] = "t", **bounds: Any) -> Any:
    return deltasource.read_changes(Session(read=Reader()), table, **bounds)


def test_a_stream_of_changes_sets_the_option() -> None:
    """The change feed option is set along with all others, by name or by path."""
    options = ReadOptions(
        start=Version(3),
        max_files=5,
        exclude_regex="x",
        schema_tracking=SchemaTracking(location="s"),
        extra={"a": "1"},
    )
    assert streamed("db.t", options=options) == {
        "readChangeFeed": "true",
        "startingVersion": "3",
        "maxFilesPerTrigger": "5",
        "excludeRegex": "x",
        "schemaTrackingLocation": "s",
        "a": "1",
        "table": "db.t",
    }
    assert streamed(Path("t")) == {"readChangeFeed": "true", "format": "delta", "load": "t"}


@pytest.mark.parametrize("on_change", ["skip_commits", "ignore_deletes", "reemit"])
def test_a_stream_of_changes_cannot_skip_changes(on_change: Any) -> None:
    """Options about changes in a stream of rows have no effect, and so are refused."""
    with pytest.raises(OptionsError) as error:
        streamed("t", options=ReadOptions(on_change=on_change))
    mistake = InvalidOption("on_change", repr(on_change), change_feed.ON_CHANGE_ALLOWED)
    assert error.value.problems == (mistake,)


@pytest.mark.parametrize(
    ("bounds", "asked"),
    [
        ({"start": Version(0)}, {"startingVersion": "0"}),
        (
            {"start": Version(3), "end": Version(3)},
            {"startingVersion": "3", "endingVersion": "3"},
        ),
        (
            {"start": Time(NOON), "end": Time(LATER)},
            {
                "startingTimestamp": "2026-01-01T12:00:00.000000+00:00",
                "endingTimestamp": "2026-01-01T12:00:01.000000+00:00",
            },
        ),
        ({"start": 3, "end": Version(4)}, {"startingVersion": "3", "endingVersion": "4"}),
        (
            {"start": 3, "end": NOON},
            {"startingVersion": "3", "endingTimestamp": "2026-01-01T12:00:00.000000+00:00"},
        ),
        (
            {"start": Version(3), "end": Time(NOON)},
            {"startingVersion": "3", "endingTimestamp": "2026-01-01T12:00:00.000000+00:00"},
        ),
    ],
)
def test_bounds_become_options(bounds: dict[str, Any], asked: dict[str, str]) -> None:
    """Each bound sets exactly one option."""
    assert read(**bounds) == {"readChangeFeed": "true", **asked, "table": "t"}


def test_changes_are_read_from_a_path_as_well() -> None:
    """Text with a slash and path objects name a path."""
    for path in ("a/t", Path("a/t")):
        asked = read(path, start=Version(1))
        assert (asked["format"], asked["load"]) == ("delta", "a/t")


@pytest.mark.parametrize(
    ("bounds", "mistakes"),
    [
        ({"start": Latest()}, [("start", change_feed.BOUND_ALLOWED)]),
        ({"start": Snapshot()}, [("start", change_feed.BOUND_ALLOWED)]),
        ({"start": "latest"}, [("start", change_feed.BOUND_ALLOWED)]),
        ({"start": datetime(2026, 1, 1)}, [("start", f"{change_feed.BOUND_ALLOWED}{IN_UTC}")]),
        ({"start": 3, "end": -1}, [("end", change_feed.END_ALLOWED)]),
        ({"start": 3, "end": 2}, [("end", change_feed.ORDER)]),
        ({"start": Version(3), "end": Version(2)}, [("end", change_feed.ORDER)]),
        ({"start": Time(LATER), "end": Time(NOON)}, [("end", change_feed.ORDER)]),
        (
            {"start": None, "end": "x"},
            [("start", change_feed.BOUND_ALLOWED), ("end", change_feed.END_ALLOWED)],
        ),
    ],
)
def test_invalid_bounds_are_refused(
    bounds: dict[str, Any], mistakes: list[tuple[str, str]]
) -> None:
    """Bounds are versions or times, the end is not before the start; all mistakes are reported."""
    with pytest.raises(OptionsError) as error:
        read(**bounds)
    assert [(problem.option, problem.reason) for problem in error.value.problems] == mistakes


@pytest.mark.parametrize("read", [deltasource.read_stream, deltasource.stream_changes])
def test_a_source_is_given_its_name(read: Any) -> None:
    """The name is passed to Spark's reader only if it is given."""
    session = Session(readStream=Reader(), conf={SOURCE_EVOLUTION: "true"})
    assert "name" not in read(session, "t")
    assert read(session, "t", source_name="orders_1")["name"] == "orders_1"


@pytest.mark.parametrize("read", [deltasource.read_stream, deltasource.stream_changes])
def test_a_name_needs_a_setting_of_spark(read: Any) -> None:
    """By default Spark refuses names; its error does not say how to set what it wants in Python."""
    session = Session(readStream=Reader(), conf={SOURCE_EVOLUTION: "false"})
    with pytest.raises(OptionsError, match=rf'spark.conf.set\("{SOURCE_EVOLUTION}", True\)'):
        read(session, "t", source_name="orders")


@pytest.mark.parametrize("read", [deltasource.read_stream, deltasource.stream_changes])
@pytest.mark.parametrize("name", ["", "a b", "a-b", "a\n", "ä", 1])
def test_a_name_spark_would_not_take_is_refused(read: Any, name: Any) -> None:
    """It is refused by our function, not when the query starts."""
    with pytest.raises(OptionsError, match='ASCII letters, digits and "_"'):
        read(Session(readStream=Reader()), "t", source_name=name)


@pytest.mark.parametrize("read", [deltasource.read_stream, deltasource.stream_changes])
def test_a_name_needs_spark_4_2(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers of earlier versions of Spark have no names for sources."""
    monkeypatch.delattr(Reader, "name")
    with pytest.raises(OptionsError, match=r"source_name must be None before Spark 4\.2, got"):
        read(Session(readStream=Reader()), "t", source_name="orders")
    assert "name" not in read(Session(readStream=Reader()), "t")


def test_change_types_are_the_values_of_the_column() -> None:
    """A change type equals, and prints as, the string in `_change_type`."""
    texts = ["insert", "delete", "update_preimage", "update_postimage"]
    assert list(ChangeType) == texts
    assert [str(kind) for kind in ChangeType] == texts
    assert [f"{kind}" for kind in ChangeType] == texts
    assert ChangeType("delete") is ChangeType.DELETE


@pytest.mark.parametrize("function", [deltasource.stream_changes, deltasource.read_changes])
def test_the_columns_are_in_the_docstrings(function: Any) -> None:
    """The docstring of each function has the three change feed columns with their types."""
    text = " ".join(function.__doc__.split())
    for column in (
        "`_change_type` (string",
        "`_commit_version` (long)",
        "`_commit_timestamp` (timestamp)",
    ):
        assert column in text
