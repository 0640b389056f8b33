# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Running a query to its end, through changes of schema and through nothing else."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.base import StreamingQueryException

from checkpoint_samples import TABLE, put, tracked
from deltasource import OptionsError, RemotePathError, SchemaChange, SchemaChangeError
from deltasource._monitor.query_end import SCHEMA_EVOLVED, error_condition
from deltasource._monitor.run import run_until
from fake_runs import Query, evolving, failure

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception:"
BLOCKED = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
ADDED = SchemaChange("added", "name", None, "string")
DROPPED = SchemaChange("dropped", "name", "string", None)


def run(*queries: Query, **options: Any) -> Any:
    """Run queries, one after the other as each of them is started."""
    left = iter(queries)
    return run_until(lambda: cast(Any, next(left)), **options)


def test_a_query_that_has_caught_up_is_stopped() -> None:
    """One run, and the query is over behind it."""
    query = Query()
    done = run(query)
    assert (done.ending, done.restarts, done.changes, done.query) == ("caught_up", 0, (), query)
    assert (query.waited, query.stopped.is_set()) == (["processAllAvailable"], True)


def test_a_query_may_be_waited_for() -> None:
    """Without catching up it is left alone until it ends."""
    query = Query()
    assert run(query, caught_up=False).ending == "ended"
    assert (query.waited, query.stopped.is_set()) == (["awaitTermination"], False)


@pytest.mark.parametrize("late", [False, True])
def test_a_change_of_schema_is_gone_through(
    late: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The query is started anew, what changed is shown, and all of it is answered."""
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
        "the table has changed: no known column; restart 1 of at most 3",
        "the table has changed: added: name (string); restart 2 of at most 3",
        "the table has changed: dropped: name (string); restart 3 of at most 3",
    ]


def test_without_a_location_nobody_knows_what_changed(tmp_path: Path) -> None:
    """The restart is done all the same, also where there is no log yet."""
    assert run(evolving(), Query()).restarts == 1
    assert run(evolving(), Query(), location=tmp_path / "missing").changes == ()


def test_restarts_have_an_end(tmp_path: Path) -> None:
    """One change more than allowed is an error that says what changed."""
    put(tmp_path / f"_schema_log_{TABLE}", "0", tracked(0, id="long"))
    queries = evolving(tmp_path, 1, id="long"), evolving(tmp_path, 2, id="long", name="string")
    with pytest.raises(
        SchemaChangeError, match=r"added: name \(string\) after 1 restarts"
    ) as error:
        run(*queries, restarts=1, location=tmp_path)
    assert error.value.__cause__ is queries[1].error
    with pytest.raises(SchemaChangeError, match="after 0 restarts"):
        run(evolving(), restarts=0)


def test_only_what_is_allowed_is_gone_through(tmp_path: Path) -> None:
    """A change of another kind ends it, and one that is no column does not."""
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
        failure(BLOCKED),
        failure("DELTA_SCHEMA_CHANGED"),
        StreamingQueryException("out of memory"),
        StreamingQueryException(""),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_no_other_end_is_gone_through(error: StreamingQueryException, late: bool) -> None:
    """It is raised as it is, and nothing is started again."""
    with pytest.raises(StreamingQueryException) as raised:
        run(Query(error, late=late))
    assert raised.value is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), PySparkException("the server is gone")])
def test_a_query_is_stopped_whatever_happens(error: BaseException) -> None:
    """What ends the wait ends the query too."""
    query = Query()

    def fail() -> None:
        raise error

    query.before = fail
    with pytest.raises(type(error)):
        run(query)
    assert query.stopped.is_set()


@pytest.mark.parametrize("caught_up", [True, False])
def test_a_deadline_stops_the_query(caught_up: bool) -> None:
    """Also where it would never catch up; the time counts from the first start."""
    query = Query()
    query.before = lambda: query.stopped.wait(30)
    done = run(query, caught_up=caught_up, deadline=timedelta(milliseconds=1))
    assert (done.ending, done.query) == ("deadline", query)


def test_behind_a_deadline_nothing_is_started() -> None:
    """A change that is met at the last moment is left for the next run."""
    query = evolving()
    query.before = lambda: query.stopped.wait(30)
    assert run(query, deadline=timedelta(milliseconds=1)).restarts == 0


def test_a_deadline_that_is_far_changes_nothing() -> None:
    """The clock ends with the query."""
    assert run(evolving(), Query(), deadline=timedelta(hours=1)).ending == "caught_up"
    assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (str(failure(SCHEMA_EVOLVED)), SCHEMA_EVOLVED),
        (str(failure("A.B_1")), "A.B_1"),
        (f"[{SCHEMA_EVOLVED}] The schema", SCHEMA_EVOLVED),
        (f"(STREAM_FAILED) [{SCHEMA_EVOLVED}] The schema", SCHEMA_EVOLVED),
        (f"{FAILED} Job aborted", "STREAM_FAILED"),
        (f"{FAILED} Job aborted: terminated with exception: [{SCHEMA_EVOLVED}]", "STREAM_FAILED"),
        (f"something about [{SCHEMA_EVOLVED}]", None),
        (f"[OTHER] something about [{SCHEMA_EVOLVED}]", "OTHER"),
        (f"something about\n[{SCHEMA_EVOLVED}]", None),
        ("", None),
    ],
)
def test_the_condition_is_that_of_the_end(text: str, name: str | None) -> None:
    """Not one that the message happens to mention."""
    assert error_condition(text) == name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("restarts", -1),
        ("restarts", True),
        ("allow", "added"),
        ("allow", ["renaming"]),
        ("allow", 5),
        ("allow", ["added"]),
        ("deadline", timedelta(0)),
        ("deadline", 5),
    ],
)
def test_mistakes_are_told_before_anything_starts(name: str, value: Any) -> None:
    """Kinds of change need a location as well."""
    with pytest.raises(OptionsError, match=f"{name} must be"):
        run(**{name: value})
    with pytest.raises(OptionsError, match="start must be"):
        run_until(None)  # type: ignore[arg-type]
    with pytest.raises(RemotePathError):
        run(location="s3a://bucket/log")
