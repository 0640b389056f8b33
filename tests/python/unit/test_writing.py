# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writing a stream, with a writer that records its calls, without Spark."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import deltasource
from deltasource import OptionsError, WriteOptions
from support.fake_writers import Frame, written


def test_only_a_frame_is_written() -> None:
    """What is no DataFrame is named, together with other mistakes."""
    with pytest.raises(OptionsError) as error:
        deltasource.write_stream(None, "", checkpoint="c")  # type: ignore[arg-type] # the mistake
    assert [one.option for one in error.value.problems] == ["frame", "path_or_table"]


def test_columns_with_one_name_are_refused() -> None:
    """Delta refuses them with the first batch, also if only their case differs."""
    frame = Frame(dtypes=(("id", "bigint"), ("day", "date"), ("ID", "bigint")))
    with pytest.raises(OptionsError, match=r"several columns of one name.* rename one of id with"):
        written("t", frame=frame, checkpoint="c")


def test_a_path_is_started_and_a_table_uses_to_table() -> None:
    """A stream is written to a path or to a catalog table, by default without an interval."""
    asked = {
        "format": "delta",
        "mode": "append",
        "checkpointLocation": "c",
        "trigger": {"processingTime": "0 milliseconds"},
    }
    assert written(Path("t"), checkpoint=Path("c")) == {**asked, "start": "t"}
    assert written("a/t", checkpoint="c") == {**asked, "start": "a/t"}
    assert written("db.t", checkpoint="c") == {**asked, "toTable": "db.t"}


@pytest.mark.parametrize(
    ("trigger", "asked"),
    [
        ("available_now", {"availableNow": True}),
        (timedelta(seconds=1.5), {"processingTime": "1500 milliseconds"}),
        (timedelta(days=2), {"processingTime": "172800000 milliseconds"}),
        ("5 minutes", {"processingTime": "5 minutes"}),
        ("interval 1 day", {"processingTime": "interval 1 day"}),
    ],
)
def test_each_trigger_is_passed_to_spark(trigger: Any, asked: Mapping[str, object]) -> None:
    """A trigger becomes one of Spark's trigger arguments."""
    assert written("t", checkpoint="c", trigger=trigger)["trigger"] == asked


@pytest.mark.parametrize(
    ("arguments", "spark"),
    [
        ({}, {}),
        ({"merge_schema": True}, {"mergeSchema": "true"}),
        ({"mode": "complete", "overwrite_schema": True}, {"overwriteSchema": "true"}),
        ({"user_metadata": ""}, {"userMetadata": ""}),
        ({"user_metadata": "a"}, {"userMetadata": "a"}),
        ({"extra": {"fs.s3a.endpoint": "e"}}, {"fs.s3a.endpoint": "e"}),
    ],
)
def test_each_option_has_its_spark_form(
    arguments: dict[str, Any], spark: Mapping[str, str]
) -> None:
    """Every option is set on the writer by its Spark name, with the mode."""
    options = WriteOptions(**arguments)
    assert options.to_spark() == spark
    asked = written("t", checkpoint="c", options=options)
    assert asked["mode"] == options.mode
    assert spark.items() <= asked.items()
    assert written("t", checkpoint="c", **arguments) == asked


def test_the_columns_and_the_name_are_set_on_the_writer() -> None:
    """What is no option of Spark is a call of its writer; without a value there is no call."""
    asked = written("t", checkpoint="c", partition_by=["id", "day"], name="orders")
    assert (asked["partitionBy"], asked["name"]) == (("id", "day"), "orders")
    assert not {"partitionBy", "name"} & written("t", checkpoint="c").keys()
    assert written("t", checkpoint="c", partition_by="day")["partitionBy"] == ("day",)
    options = WriteOptions(partition_by="day")
    assert written("t", checkpoint="c", options=options)["partitionBy"] == ("day",)


def test_the_columns_of_the_layout_are_columns_of_the_stream() -> None:
    """The error comes before the query starts, and suggests the nearest column."""
    with pytest.raises(OptionsError) as error:
        written("t", checkpoint="c", partition_by=["days", "x"])
    reasons = [(one.given, one.reason) for one in error.value.problems]
    assert reasons[0] == ("'days'", "must be a column (did you mean 'day'?)")
    assert reasons[1] == ("'x'", "must be one of id, day, place")


def test_a_batch_is_not_written_as_a_stream() -> None:
    """Spark's own error does not name the argument."""
    with pytest.raises(OptionsError, match="frame must be a streaming DataFrame"):
        written("t", checkpoint="c", frame=Frame(isStreaming=False))


def test_a_keyword_replaces_the_option_of_its_name() -> None:
    """Options can be shared by several streams; a keyword is for one of them."""
    shared = WriteOptions(merge_schema=True, user_metadata="shared")
    asked = written("t", checkpoint="c", options=shared, user_metadata="mine")
    assert (asked["mergeSchema"], asked["userMetadata"]) == ("true", "mine")


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ({"mode": "update"}, ["mode"]),
        ({"overwrite_schema": True}, ["overwrite_schema"]),
        ({"merge_schema": 1, "user_metadata": 5}, ["merge_schema", "user_metadata"]),
        ({"mode": None, "overwrite_schema": "yes"}, ["mode", "overwrite_schema"]),
        ({"partition_by": {"day"}}, ["partition_by"]),
        ({"partition_by": [""], "mode": 5}, ["mode", "partition_by"]),
        (
            {"extra": {"MERGESCHEMA": "true", "path": "p"}},
            ["extra['MERGESCHEMA']", "extra['path']"],
        ),
        ({"extra": {"checkpointLocation": "c"}}, ["extra['checkpointLocation']"]),
        ({"extra": {"fs.x": 5}}, ["extra['fs.x']"]),
    ],
)
def test_invalid_options_are_refused(arguments: dict[str, Any], wrong: list[str]) -> None:
    """Options that Delta would refuse or ignore are refused, all in one error."""
    with pytest.raises(OptionsError) as error:
        WriteOptions(**arguments)
    assert [problem.option for problem in error.value.problems] == wrong


@pytest.mark.parametrize(
    "trigger",
    [
        "once",
        "5",
        "1 month",
        "-5 seconds",
        5,
        None,
        timedelta(seconds=-1),
        timedelta(microseconds=1),
    ],
)
def test_a_trigger_is_now_or_an_interval(trigger: Any) -> None:
    """An interval is in whole milliseconds, as in Spark; all wrong arguments are listed."""
    with pytest.raises(OptionsError) as error:
        written("t", checkpoint="", trigger=trigger, name="")
    assert [problem.option for problem in error.value.problems] == ["checkpoint", "trigger", "name"]


def test_options_are_values() -> None:
    """Options are immutable, compare by value, and can be pickled."""
    one = WriteOptions(merge_schema=True)
    assert len({one, WriteOptions(merge_schema=True)}) == 1
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.merge_schema = False  # type: ignore[misc] # the point of the test
