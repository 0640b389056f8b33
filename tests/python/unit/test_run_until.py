# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Running a query to its end, with restarts after schema changes and no other errors."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.base import StreamingQueryException

from deltasource import OptionsError, RemotePathError, SchemaChange, SchemaChangeError
from deltasource._monitor.run import run_until
from support.checkpoint_samples import TABLE, put, tracked
from support.fake_runs import Query, evolving, failure, run

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception:"
BLOCKED = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
ADDED = SchemaChange("added", "name", None, "string")
DROPPED = SchemaChange("dropped", "name", "string", None)


def test_a_query_that_has_caught_up_is_stopped() -> None:
    """The query is started once, and stopped at the end."""
    query = Query()
    done = run(query)
    assert (done.ending, done.restarts, done.changes, done.query) == ("caught_up", 0, (), query)
    assert (query.waited, query.stopped.is_set()) == (["processAllAvailable"], True)


def test_a_query_may_be_awaited() -> None:
    """With `caught_up=False` the query runs until it ends by itself."""
    query = Query()
    assert run(query, caught_up=False).ending == "ended"
    assert (query.waited, query.stopped.is_set()) == (["awaitTermination"], False)


@pytest.mark.parametrize("late", [False, True])
def test_the_query_is_restarted_after_a_schema_change(
    late: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each change is passed to `report`, and the result has all changes."""
    first, second = (
        evolving(tmp_path, 0, id="long"),
        evolving(tmp_path, 1, id="long", name="string"),
    )
    third, last = evolving(tmp_path, 2, id="long"), Query()
    first.late = second.late = late
    shown: list[tuple[SchemaChange, ...]] = []
    with caplog.at_level(logging.INFO):
        done = run(first, second, third, last, location=tmp_path, report=shown.append)
    assert (done.ending, done.restarts, done.query) == ("caught_up", 3, last)
    assert shown == [(), (ADDED,), (DROPPED,)]
    assert done.changes == (ADDED, DROPPED)
    assert caplog.messages == [
        "the table changed; the schema log shows no changed column; restart 1 of at most 3",
        "the table changed: added: name (string); restart 2 of at most 3",
        "the table changed: dropped: name (string); restart 3 of at most 3",
    ]


def test_without_a_location_changes_are_unknown() -> None:
    """The query is still restarted."""
    assert run(evolving(), Query()).restarts == 1


def test_a_location_without_a_log_is_a_mistake(tmp_path: Path) -> None:
    """Otherwise a misspelled location would hide all changes, and `allow` would mean nothing."""
    with pytest.raises(OptionsError, match=r"of the stream: there is no schema log here, got '/.*"):
        run(Query(), location=tmp_path / "missing")


def test_a_start_without_return_is_named() -> None:
    """`def start(): write_stream(...)` returns None."""
    with pytest.raises(OptionsError, match=r"is `return` missing\?, got None"):
        run_until(lambda: None)  # type: ignore[arg-type,return-value] # the mistake


def test_restarts_are_limited(tmp_path: Path) -> None:
    """One change more than allowed raises an error that says what changed."""
    put(tmp_path / f"_schema_log_{TABLE}", "0", tracked(0, id="long"))
    queries = evolving(tmp_path, 1, id="long"), evolving(tmp_path, 2, id="long", name="string")
    with pytest.raises(
        SchemaChangeError,
        match=r"changed: added: name \(string\). This is change 2, and `restarts` allows 1",
    ) as error:
        run(*queries, restarts=1, location=tmp_path)
    assert error.value.__cause__ is queries[1].error
    with pytest.raises(
        SchemaChangeError,
        match=r"pass `location` to see which columns\). This is change 1, and `restarts` allows 0",
    ):
        run(evolving(), restarts=0)


def test_only_allowed_changes_restart_the_query(tmp_path: Path) -> None:
    """A change of another kind raises an error, but one without changed columns does not."""
    for number, types in enumerate(({"id": "long"}, {"id": "long", "name": "string"})):
        put(tmp_path / f"_schema_log_{TABLE}", str(number), tracked(number, **types))
    options = {"location": tmp_path, "allow": {"added"}}
    same = evolving(tmp_path, 2, id="long", name="string")
    more = evolving(tmp_path, 3, id="long", name="string", city="string")
    assert run(same, more, Query(), **options).restarts == 2
    with pytest.raises(SchemaChangeError, match=r"dropped: city .* which `allow` does not include"):
        run(evolving(tmp_path, 4, id="long", name="string"), **options)


@pytest.mark.parametrize(
    "error",
    [
        failure("DELTA_SCHEMA_CHANGED"),
        StreamingQueryException("out of memory"),
        StreamingQueryException(""),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_no_other_error_restarts_the_query(error: StreamingQueryException, late: bool) -> None:
    """The error is raised unchanged, and nothing is restarted."""
    with pytest.raises(StreamingQueryException) as raised:
        run(Query(error, late=late))
    assert raised.value is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), PySparkException("the server is gone")])
def test_an_interrupted_wait_stops_the_query(error: BaseException) -> None:
    """An error that interrupts the wait also stops the query."""
    query = Query()

    def fail() -> None:
        raise error

    query.before = fail
    with pytest.raises(type(error)):
        run(query)
    assert query.stopped.is_set()


@pytest.mark.parametrize("caught_up", [True, False])
def test_a_deadline_stops_the_query(caught_up: bool) -> None:
    """This works even if the query never catches up; the time counts from the first start."""
    query = Query()
    query.before = lambda: query.stopped.wait(30)
    done = run(query, caught_up=caught_up, deadline=timedelta(milliseconds=1))
    assert (done.ending, done.query) == ("deadline", query)


def test_after_a_deadline_nothing_is_started() -> None:
    """A schema change at the last moment is left for the next run."""
    query = evolving()
    query.before = lambda: query.stopped.wait(30)
    assert run(query, deadline=timedelta(milliseconds=1)).restarts == 0


def test_a_distant_deadline_changes_nothing() -> None:
    """The timer is cancelled when the query ends."""
    assert run(evolving(), Query(), deadline=timedelta(hours=1)).ending == "caught_up"
    assert "deltasource-stop" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("restarts", -1),
        ("restarts", True),
        ("allow", "added"),
        ("allow", ["renaming"]),
        ("allow", 5),
        ("deadline", timedelta(0)),
        ("deadline", 5),
        ("stop", True),
    ],
)
def test_mistakes_are_reported_before_anything_starts(name: str, value: Any) -> None:
    """`allow` needs a location as well."""
    with pytest.raises(OptionsError, match=f"{name} must be"):
        run(**{name: value})
    with pytest.raises(OptionsError, match="allow needs `location`"):
        run(allow=["added"])
    with pytest.raises(OptionsError, match="start must be"):
        run_until(None)  # type: ignore[arg-type]
    with pytest.raises(RemotePathError):
        run(location="nowhere://bucket/log")


def test_all_mistakes_of_a_call_are_reported_together() -> None:
    """Nothing is started, and no text counts as True."""
    wrong: Any = {"caught_up": "no", "report": 42, "spark": "x"}
    with pytest.raises(OptionsError) as error:
        run_until(lambda _: None, **wrong)  # type: ignore[arg-type,misc] # the mistake
    assert [one.option for one in error.value.problems] == ["start", "caught_up", "report", "spark"]
