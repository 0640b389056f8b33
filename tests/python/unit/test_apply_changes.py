# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The arguments of `apply_changes`, with a DataFrame and a writer that record calls."""

from __future__ import annotations

import json
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import deltasource
from deltasource import OptionsError
from deltasource._options import keys
from support.fake_events import COLUMNS, FEED, Events

CONDITION = "apply_as_deletes must be a condition on the columns of changes, such as \"op = 'D'\""
SETTINGS = "jvm/src/main/scala/org/apache/spark/sql/delta/stream/conf/ApplyChangesSettings.scala"


def applied(columns: list[tuple[str, str]] = COLUMNS, /, **arguments: Any) -> dict[str, Any]:
    events: Any = Events(columns)
    given: dict[str, Any] = {"checkpoint": "c", "keys": ["id"], "sequence_by": "seq", **arguments}
    query: Any = deltasource.apply_changes(events, "a/t", **given)
    options = {name.rpartition(".")[2]: value for name, value in query.items()}
    return options | {"query": query}


def refused(columns: list[tuple[str, str]] = COLUMNS, /, **arguments: Any) -> list[str]:
    with pytest.raises(OptionsError) as error:
        applied(columns, **arguments)
    return [f"{one.option} {one.reason}" for one in error.value.problems]


def test_the_least_call() -> None:
    """Keys and a sequence are enough; the writer gets them, and forgets deletes after 7 days."""
    assert applied()["query"] == {
        "format": "delta",
        "mode": "append",
        "applyChanges.keys": '["id"]',
        "applyChanges.sequenceBy": '["seq"]',
        "applyChanges.storedAsScdType": "1",
        "applyChanges.tombstones": "604800000 milliseconds",
        "checkpointLocation": "c",
        "trigger": {"processingTime": "0 milliseconds"},
        "start": "a/t",
    }


def test_a_change_feed_needs_only_keys() -> None:
    """The columns of a change feed are its sequence; without one of them it is no feed."""
    assert "sequenceBy" not in applied(FEED, sequence_by=None)
    (reason,) = refused(FEED[:-1], sequence_by=None)
    assert reason.startswith("sequence_by must name the column that orders the events")


def test_an_aggregation_needs_no_sequence() -> None:
    """In update mode a later batch wins."""
    assert applied(sequence_by=None, mode="update")["mode"] == "update"


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        ({"sequence_by": ["seq", "name"]}, ("sequenceBy", '["seq", "name"]')),
        ({"apply_as_deletes": "op = 'D'"}, ("applyAsDeletes", "op = 'D'")),
        ({"apply_as_truncates": "op = 'T'"}, ("applyAsTruncates", "op = 'T'")),
        ({"column_list": ["ID", "name"]}, ("columnList", '["ID", "name"]')),
        ({"except_column_list": ("op",)}, ("exceptColumnList", '["op"]')),
        ({"stored_as_scd_type": "1"}, ("storedAsScdType", "1")),
        ({"ignore_null_updates": True}, ("ignoreNullUpdates", "true")),
        ({"ignore_null_updates": ["name"]}, ("ignoreNullUpdates", '["name"]')),
        ({"tombstones": "forever"}, ("tombstones", "forever")),
        ({"tombstones": timedelta(hours=1)}, ("tombstones", "3600000 milliseconds")),
        ({"merge_schema": True}, ("mergeSchema", "true")),
        ({"name": "customers"}, ("name", "customers")),
        ({"extra": {"userMetadata": "x"}}, ("userMetadata", "x")),
    ],
)
def test_each_argument_is_an_option(arguments: dict[str, Any], option: tuple[str, str]) -> None:
    """Each argument is passed on under its name in Spark; lists are JSON."""
    assert option in applied(**arguments).items()


@pytest.mark.parametrize(
    "argument", ["keys", "sequence_by", "column_list", "except_column_list", "ignore_null_updates"]
)
def test_one_name_is_a_list_of_one(argument: str) -> None:
    """As for PySpark's own methods with columns."""
    name = "op" if argument == "except_column_list" else "id"
    one, listed = applied(**{argument: name}), applied(**{argument: [name]})
    assert [*map(one.pop, ("query", "checkpointLocation"))] != []
    assert one == {key: value for key, value in listed.items() if key in one}


def test_a_history() -> None:
    """Type 2 may be text, as on Databricks, and takes the columns to track."""
    for tracked in ("track_history_column_list", "track_history_except_column_list"):
        given = applied(stored_as_scd_type="2", except_column_list=["seq"], **{tracked: ["city"]})
        assert given["storedAsScdType"] == "2"
        assert "[" + '"city"]' in given.values()


@pytest.mark.parametrize(
    ("arguments", "reasons"),
    [
        ({"keys": ["idd"]}, ["keys must be a column (did you mean 'id'?)"]),
        ({"keys": ["zz"]}, ["keys must be one of id, name, city, seq, op, score, tags"]),
        ({"keys": 5}, ['keys must be a column name, or a list of them such as ["id"]']),
        ({"keys": []}, ['keys must be a column name, or a list of them such as ["id"]']),
        ({"keys": ""}, ['keys must be a column name, or a list of them such as ["id"]']),
        ({"keys": ["id", "ID"]}, ["keys must name a column only once"]),
        (
            {"keys": ["score", "tags"]},
            ["keys must be whole numbers, decimals, strings, dates, timestamps, booleans or binary"]
            * 2,
        ),
        ({"sequence_by": "tags"}, ["sequence_by must be columns whose type has an order"]),
        ({"sequence_by": "sq"}, ["sequence_by must be a column (did you mean 'seq'?)"]),
        ({"column_list": ["name"]}, ["column_list must include the key 'id'"]),
        (
            {"except_column_list": ["ID"]},
            ["except_column_list must not include the key 'id'"],
        ),
        (
            {"column_list": ["id"], "except_column_list": ["op"]},
            ["except_column_list must be left out with column_list"],
        ),
        (
            {"track_history_column_list": ["city"]},
            ["track_history_column_list needs stored_as_scd_type=2"],
        ),
        ({"stored_as_scd_type": 3}, ["stored_as_scd_type must be 1"]),
        (
            {
                "stored_as_scd_type": 2,
                "apply_as_truncates": "op = 'T'",
                "ignore_null_updates": True,
            },
            [
                "apply_as_truncates needs stored_as_scd_type=1",
                "ignore_null_updates needs stored_as_scd_type=1",
            ],
        ),
        (
            {"ignore_null_updates": ["nme"]},
            ["ignore_null_updates must be a column (did you mean 'name'?)"],
        ),
        ({"ignore_null_updates": 5}, ["ignore_null_updates must be True, False, a column name"]),
        (
            {"apply_as_deletes": "?"},
            [CONDITION + " ([PARSE] near '?')"],
        ),
        (
            {"apply_as_deletes": "op"},
            [CONDITION + " (its type is int)"],
        ),
        ({"apply_as_deletes": 5}, [CONDITION]),
        (
            {"extra": {"applychanges.KEYS": "id"}},
            ["extra['applychanges.KEYS'] must be left out: use keys"],
        ),
    ],
)
def test_mistakes_are_named(arguments: dict[str, Any], reasons: list[str]) -> None:
    """Each mistake has its reason, with the nearest column."""
    found = refused(**arguments)
    assert len(found) == len(reasons)
    assert all(one.startswith(reason) for one, reason in zip(found, reasons, strict=True))


@pytest.mark.parametrize(
    "tombstones", [7, "7 days", timedelta(-1), timedelta(microseconds=1), None]
)
def test_tombstones_are_a_time(tombstones: object) -> None:
    """A time is a timedelta that Spark can represent; text or days say which was meant."""
    (reason,) = refused(tombstones=tombstones)
    assert reason.startswith("tombstones must be a timedelta")
    assert reason.endswith(": write tombstones=timedelta(days=7)") == (tombstones in (7, "7 days"))


def test_reserved_names_are_refused_in_any_case() -> None:
    """The target has these columns itself."""
    reserved = [("__start_at", "int"), ("__SEQUENCE", "int")]
    assert len(refused([*COLUMNS, *reserved])) == 2


def test_all_mistakes_are_reported_at_once() -> None:
    """One error lists what is wrong with the query, the columns and the mode."""
    options = [one.split()[0] for one in refused(
        checkpoint="", trigger="once", name="", keys=["idd"], sequence_by="sq", mode="complete",
        tombstones=7, merge_schema=1, bootstrap=5,
    )]  # fmt: skip
    assert sorted(options) == sorted(
        [
            "checkpoint",
            "trigger",
            "name",
            "keys",
            "sequence_by",
            "mode",
            "tombstones",
            "merge_schema",
            "bootstrap",
        ]
    )


def test_a_batch_is_refused() -> None:
    """A DataFrame that is no stream has no writer of streams."""
    events: Any = Events(isStreaming=False)
    with pytest.raises(OptionsError, match="changes must be a streaming DataFrame"):
        deltasource.apply_changes(events, "t", checkpoint="c", keys=["id"], sequence_by="seq")


def test_a_tracked_sequence_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """A history in which each event is a new row is warned of, and only that one."""
    with caplog.at_level(logging.WARNING, logger="deltasource"):
        applied(stored_as_scd_type=2, except_column_list=["seq"])
        applied(stored_as_scd_type=2, track_history_column_list=["city"])
        applied(stored_as_scd_type=2, track_history_except_column_list=["SEQ"])
        applied(stored_as_scd_type=1)
        assert not caplog.records
        applied(stored_as_scd_type=2)
    assert "because seq differs in every event" in caplog.text


def test_the_names_are_those_of_the_jar(root: Path) -> None:
    """Each option of the sink has an argument, and no argument has an option that is unknown."""
    scala = (root / SETTINGS).read_text(encoding="utf-8")
    (block,) = [part.split(")")[0] for part in scala.split("private val names = Seq(")[1:]]
    names = json.loads("[" + block + "]")
    assert sorted(f"applyChanges.{one}" for one in names) == sorted(keys.APPLY_FIELDS)
