# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Changes that Delta records while a stream is read, without ending the query."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from deltasource import OptionsError, SchemaChange, SchemaChangeError, SchemaTracking, run_until
from deltasource._checkpoint.unread_schemas import reached_by
from deltasource._read.recorded_schema import require_readable
from support.checkpoint_samples import TABLE, checkpoint, offset, put, tracked
from support.fake_runs import Query

DROPPED = SchemaChange("dropped", "name", "string", None)
FRAME = cast(Any, SimpleNamespace(schema=None))


def record(log: Path, number: int, **types: str) -> None:
    put(log / f"_schema_log_{TABLE}", str(number), tracked(number, **types))


def location_at(tmp_path: Path, end: str) -> Path:
    """Return the schema log of a query that has reached an offset; version 1 drops a column."""
    location = checkpoint(tmp_path / "c", end, done=[0]) / "schemas"
    record(location, 0, id="long", name="string")
    record(location, 1, id="long")
    return location


def run(location: Path, query: Query, **tracking: Any) -> Any:
    """Run a query that reads a stream, as `read_stream` does."""

    def start() -> Any:
        require_readable(FRAME, SchemaTracking(location=location, **tracking), "./orders")
        return query

    return run_until(start, location=location, allow={"added"})


def test_a_change_is_refused_before_the_query_starts(tmp_path: Path) -> None:
    """Nothing of the new schema reaches the target."""
    query = Query()
    record(tmp_path, 0, id="long", name="string")

    def start() -> Any:
        record(tmp_path, 1, id="long")
        require_readable(FRAME, SchemaTracking(location=tmp_path), "./orders")
        return query

    with pytest.raises(SchemaChangeError, match="which `allow` does not include") as error:
        run_until(start, location=tmp_path, allow=set())
    assert (error.value.changes, query.waited) == ((DROPPED,), [])


@pytest.mark.parametrize("given", [".", "schemas", f"schemas/_schema_log_{TABLE}"])
def test_the_location_may_be_the_checkpoint_or_a_log(given: str, tmp_path: Path) -> None:
    """`schema_log` accepts them, too."""
    location = checkpoint(tmp_path / "c", offset(1), done=[0]) / "schemas"
    record(location, 0, id="long")

    def start() -> Any:
        require_readable(FRAME, SchemaTracking(location=location), "./orders")
        return Query()

    assert run_until(start, location=location.parent / given).changes == ()


def test_the_location_of_another_stream_is_refused(tmp_path: Path) -> None:
    """The query does not go on after changes that `allow` could not see."""
    record(tmp_path / "mine", 0, id="long")
    record(tmp_path / "other", 0, id="long")
    query = Query()

    def start() -> Any:
        require_readable(FRAME, SchemaTracking(location=tmp_path / "mine"), "./orders")
        return query

    with pytest.raises(OptionsError, match=r"must be that of its SchemaTracking, .*/mine"):
        run_until(start, location=tmp_path / "other")
    assert query.stopped.is_set()


def test_a_change_is_refused_after_a_query_that_was_not_checked(tmp_path: Path) -> None:
    """`start` may use Spark's own reader; then at least the run does not end as if all was well."""
    record(tmp_path, 0, id="long", name="string")
    query = Query(before=lambda: record(tmp_path, 1, id="long"))
    with pytest.raises(SchemaChangeError, match="dropped: name"):
        run_until(lambda: cast(Any, query), location=tmp_path, allow={"added"})
    assert not query.isActive


@pytest.mark.parametrize("end", [offset(1), offset(1, -20), offset(1, -19), offset(0, 3)])
def test_a_recorded_drop_is_refused_until_the_stream_has_read_past_it(
    end: str, tmp_path: Path
) -> None:
    """A scheduler that starts the job again does not read on either."""
    location = location_at(tmp_path, end)
    with pytest.raises(SchemaChangeError, match="has not read version 1 yet") as error:
        run(location, Query())
    assert f"SchemaTracking(location='{location}', allow_drop=1)" in str(error.value)
    assert run(location, Query(), allow_drop=1).ending == "caught_up"
    assert run(location, Query(), allow_drop="always").ending == "caught_up"


@pytest.mark.parametrize("end", [offset(1, 0), offset(2), offset(1, 0, snapshot=True)])
def test_what_the_stream_has_read_past_is_settled(end: str, tmp_path: Path) -> None:
    """An earlier run, or another acknowledgement, has decided about it."""
    assert run(location_at(tmp_path, end), Query()).ending == "caught_up"


def test_the_checkpoint_is_found_above_the_location(tmp_path: Path) -> None:
    """The location is the checkpoint, or any folder below it, as text or as a path."""
    folder = checkpoint(tmp_path / "c", [offset(3), offset(5, 1)], done=[0])
    for location in (folder, folder / "a" / "b", f"{folder}/schemas/"):
        assert reached_by(location)[TABLE].version == 5
    assert reached_by(tmp_path / "elsewhere") == {}
