# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Running a query to its end, with restarts after schema changes and no other errors."""

from __future__ import annotations

import logging
import pickle
import threading
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.errors import PySparkException
from pyspark.errors.exceptions.base import StreamingQueryException

from deltasource import OptionsError, RemotePathError, SchemaChange, SchemaChangeError
from deltasource._monitor.run import run_until
from support.checkpoint_samples import TABLE, put, tracked
from support.fake_runs import Query, evolving, failure

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception:"
BLOCKED = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
ADDED = SchemaChange("added", "name", None, "string")
CONF = "spark.databricks.delta.streaming.allowSourceColumnRenameAndDrop.ckpt_-18295"
DROPPED = SchemaChange("dropped", "name", "string", None)


def run(*queries: Query, **options: Any) -> Any:
    """Run queries one after the other; each start returns the next one."""
    left = iter(queries)
    return run_until(lambda: cast(Any, next(left)), **options)


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


def test_without_a_location_changes_are_unknown(tmp_path: Path) -> None:
    """The query is still restarted, and also if there is no schema log yet."""
    assert run(evolving(), Query()).restarts == 1
    assert run(evolving(), Query(), location=tmp_path / "missing").changes == ()


def blocked(version: int = 1) -> Query:
    """Return a query that does not start before a rename and a drop are acknowledged."""
    return Query(
        StreamingQueryException(
            f"{FAILED} [{BLOCKED}] We've detected one or more non-additive schema change(s).\n"
            "Using dataframe reader option(s):\n"
            "To unblock for this particular stream just for this series of schema change(s):\n"
            f'  .option("allowSourceColumnRename", "{version}")\n'
            f'  .option("allowSourceColumnDrop", "{version}")\n'
            "To unblock for this particular stream:\n"
            '  .option("allowSourceColumnRename", "always")\n'
            "Using SQL configuration(s):\n"
            f"  SET {CONF} = {version};\n"
            f'  SET {CONF} = "always";\n'
        )
    )


@pytest.fixture
def confs(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """Return the confs of a fake active session, while a test runs."""
    known: dict[str, str] = {}
    conf = SimpleNamespace(set=known.__setitem__, unset=known.__delitem__)
    active = SimpleNamespace(active=lambda: SimpleNamespace(conf=conf))
    monkeypatch.setattr("pyspark.sql.SparkSession", active)
    return known


def renamed(log: Path) -> None:
    """Record that a column was renamed and another dropped, which shows as this without ids."""
    folder = log / f"_schema_log_{TABLE}"
    for number, types in enumerate(({"id": "long", "name": "string"}, {"id": "long"})):
        put(folder, str(number), tracked(number, **types))


def test_an_allowed_change_is_acknowledged_and_listed(
    tmp_path: Path, confs: Mapping[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """The session gets Delta's conf for this change while the run lasts; the start is repeated."""
    renamed(tmp_path)
    seen: list[dict[str, str]] = []
    last = Query(before=lambda: seen.append(dict(confs)))
    with caplog.at_level(logging.INFO):
        done = run(blocked(), last, location=tmp_path, allow={"dropped"}, restarts=0)
    assert (done.ending, done.restarts, done.changes) == ("caught_up", 0, (DROPPED,))
    assert (seen, confs) == ([{CONF: "1"}], {})
    assert caplog.messages == [
        "the table changed: dropped: name (string); acknowledged, because `allow` includes it"
    ]


@pytest.mark.parametrize("allow", [None, {"added", "renamed"}])
def test_a_change_that_is_not_allowed_is_in_the_error(
    allow: set[str] | None, tmp_path: Path, confs: Mapping[str, str]
) -> None:
    """The error has the changes, and the Python to write in either place."""
    renamed(tmp_path)
    query = blocked()
    with pytest.raises(SchemaChangeError) as error:
        run(query, location=tmp_path, allow=allow)
    assert (error.value.changes, error.value.__cause__) == ((DROPPED,), query.error)
    assert 'call `run_until` with allow={"dropped"}' in str(error.value)
    line = f"SchemaTracking(location='{tmp_path}', allow_rename=1, allow_drop=1)"
    assert line in str(error.value)
    assert confs == {}


def test_an_acknowledgement_without_effect_ends_the_run(
    tmp_path: Path, confs: Mapping[str, str]
) -> None:
    """If the query runs in another session, it is blocked again, and nothing loops."""
    renamed(tmp_path)
    with pytest.raises(SchemaChangeError, match="does not start before that is acknowledged"):
        run(blocked(), blocked(), location=tmp_path, allow={"dropped"})
    assert confs == {}


def test_without_a_location_nothing_is_acknowledged() -> None:
    """Then the changes are unknown, and Delta's error is raised unchanged."""
    query = blocked()
    with pytest.raises(StreamingQueryException) as raised:
        run(query)
    assert raised.value is query.error


def test_another_wording_of_delta_is_raised_unchanged(tmp_path: Path) -> None:
    """Nothing is acknowledged that the message does not name."""
    renamed(tmp_path)
    error = failure(BLOCKED)
    with pytest.raises(StreamingQueryException) as raised:
        run(Query(error), location=tmp_path, allow={"dropped"})
    assert raised.value is error


def test_the_error_keeps_its_changes_when_pickled() -> None:
    """It may cross a process boundary."""
    error = pickle.loads(pickle.dumps(SchemaChangeError("what", [DROPPED])))
    assert (str(error), error.changes) == ("[DELTASOURCE_SCHEMA_CHANGE] what", (DROPPED,))


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
    assert not [one for one in threading.enumerate() if isinstance(one, threading.Timer)]


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
def test_mistakes_are_reported_before_anything_starts(name: str, value: Any) -> None:
    """`allow` needs a location as well."""
    with pytest.raises(OptionsError, match=f"{name} must be"):
        run(**{name: value})
    with pytest.raises(OptionsError, match="start must be"):
        run_until(None)  # type: ignore[arg-type]
    with pytest.raises(RemotePathError):
        run(location="s3a://bucket/log")
