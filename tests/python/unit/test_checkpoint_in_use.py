# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Starting a query with the checkpoint of one that runs."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

import deltasource
from deltasource import CheckpointInUseError
from deltasource._session import jvm
from deltasource._write import checkpoint_in_use
from support.fake_events import COLUMNS, Events
from support.fake_writers import EmptyCatalog, Frame, Writer

ID = "8663df67-0c6a-4255-bf66-a27c86cc4382"
REFUSED = (
    "An error occurred while calling o120.start.\n: java.lang.IllegalStateException: Cannot start "
    f"query with id {ID} as another query with same id is already active. Perhaps you are "
    "attempting to restart a query from checkpoint that is already active.\n\tat org.apache"
)
CONCURRENT = "[CONCURRENT_QUERY] Another instance of this query was just started"


def query(name: str | None, query_id: str = ID) -> Any:
    """Return a fake query that runs."""
    return SimpleNamespace(name=name, id=query_id, runId="3adb9dd2")


def session(*active: Any) -> Any:
    """Return a fake session with these queries."""
    return SimpleNamespace(
        streams=SimpleNamespace(active=list(active)), sql=EmptyCatalog().sql, read=EmptyCatalog()
    )


class Refusing(Writer):
    """A fake writer that does not start a query."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def start(self, path: str) -> Any:
        raise RuntimeError(self.text, path)

    def toTable(self, name: str) -> Any:  # noqa: N802 - Spark's name
        raise RuntimeError(self.text, name)


def any_session(spark: object) -> object:
    """Take any session for a classic one."""
    return spark


def error_of(text: str, *active: Any, table: str = "/t") -> CheckpointInUseError:
    """Write a stream that Spark refuses with this text; return our error."""
    frame: Any = Frame(session(*active), Refusing(text))
    with pytest.raises(CheckpointInUseError) as error:
        deltasource.write_stream(frame, table, checkpoint="/c/orders")
    assert error.value.__cause__ is None
    return error.value


@pytest.mark.parametrize("table", ["/t", "t"])
def test_the_query_that_runs_is_named(table: str) -> None:
    """The error has the checkpoint, the query and what to do, whether the table has a path."""
    others = (query("other", "0"), query("orders"))
    assert str(error_of(REFUSED, *others, table=table)) == (
        "[DELTASOURCE_CHECKPOINT_IN_USE] the checkpoint /c/orders is in use: the query 'orders' "
        f"(id {ID}, run 3adb9dd2) runs with it. Stop that query first (`query.stop()`), or give "
        "this one a checkpoint of its own. To let Spark stop it, call "
        'spark.conf.set("spark.sql.streaming.stopActiveRunOnRestart", True) '
        "(see `deltasource explain-error DELTASOURCE_CHECKPOINT_IN_USE`)"
    )


@pytest.mark.parametrize(
    ("text", "active", "named"),
    [
        (REFUSED, (query(None),), f"the query without a name (id {ID}, run 3adb9dd2) runs"),
        (REFUSED, (), f"a query with id {ID} runs"),
        (CONCURRENT, (query("orders"),), "another query runs"),
    ],
)
def test_what_is_not_known_is_left_out(text: str, active: tuple[Any, ...], named: str) -> None:
    """The query may have no name, belong to another session, or be about to start."""
    assert f"is in use: {named} with it. " in str(error_of(text, *active))


def test_applied_changes_say_it_as_well() -> None:
    """`apply_changes` starts its query in the same way."""
    events: Any = Events(
        COLUMNS, sparkSession=session(query("orders")), writeStream=Refusing(REFUSED)
    )
    with pytest.raises(CheckpointInUseError, match="the query 'orders'"):
        deltasource.apply_changes(events, "/t", checkpoint="/c", keys=["id"], sequence_by="seq")


def test_another_error_is_left_as_it_is() -> None:
    """Only Spark's refusal is replaced."""
    frame: Any = Frame(session(), Refusing("boom"))
    with pytest.raises(RuntimeError, match="boom"):
        deltasource.write_stream(frame, "/t", checkpoint="/c")


def test_a_query_that_spark_stops_is_named_in_a_warning(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By default Spark stops the first query, which then ends without an error."""
    old, other = query("orders"), query("other", "0")
    assert checkpoint_in_use.active_queries(session(old)) == ()
    monkeypatch.setattr(jvm, "classic_session", any_session)
    before = checkpoint_in_use.active_queries(session(other, old))
    with caplog.at_level(logging.WARNING, logger="deltasource"):
        checkpoint_in_use.warn_if_replaced(before, query("new", "1"), "/c")
        assert caplog.messages == []
        checkpoint_in_use.warn_if_replaced(before, query("orders"), "/c")
    (message,) = caplog.messages
    assert message.startswith(
        f"Spark has stopped the running query 'orders' (id {ID}, run 3adb9dd2), because another "
        "one has started with its checkpoint /c. "
    )
