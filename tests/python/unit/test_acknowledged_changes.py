# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A run that acknowledges the schema changes that block a stream, and the errors of others."""

from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.errors.exceptions.base import StreamingQueryException

from deltasource import OptionsError, SchemaChange, SchemaChangeError, run_until
from deltasource._monitor.blocked_start import BLOCKED
from support.checkpoint_samples import TABLE, checkpoint, offset, put, tracked
from support.fake_runs import Query, failure

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception:"
CONF = "spark.databricks.delta.streaming.allowSourceColumnRenameAndDrop.ckpt_-18295"
DROPPED = SchemaChange("dropped", "name", "string", None)


def run(*queries: Query, **options: Any) -> Any:
    """Run queries one after the other; each start returns the next one."""
    left = iter(queries)
    return run_until(lambda: cast(Any, next(left)), **options)


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


@pytest.mark.usefixtures("confs")
@pytest.mark.parametrize(
    ("end", "listed"),
    [
        (offset(1), (DROPPED,)),
        (offset(1, -20), (DROPPED,)),
        (offset(1, -19), (DROPPED,)),
        (offset(1, 0), ()),
        (offset(2), ()),
    ],
)
def test_a_change_that_an_earlier_run_has_read_past_is_not_listed_again(
    end: str, listed: tuple[SchemaChange, ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Delta asks for the acknowledgement at every start, so a nightly job would report it."""
    location = checkpoint(tmp_path, end, done=[0]) / "schemas"
    renamed(location)
    with caplog.at_level(logging.INFO):
        done = run(blocked(), Query(), location=location, allow={"dropped"})
    assert (done.ending, done.restarts, done.changes) == ("caught_up", 0, listed)
    assert len(caplog.messages) == len(listed)


@pytest.mark.usefixtures("confs")
def test_of_two_changes_only_the_one_that_is_not_read_yet_is_listed(tmp_path: Path) -> None:
    """Delta merges them if there is no data between them, and asks about both."""
    location = checkpoint(tmp_path, offset(2), done=[0]) / "schemas"
    renamed(location)
    merged = json.loads(tracked(2).partition("\n")[2]) | {"previousMetadataSeqNum": 0}
    put(location / f"_schema_log_{TABLE}", "2", f"v1\n{json.dumps(merged)}")
    done = run(blocked(2), Query(), location=location, allow={"dropped"})
    assert done.changes == (SchemaChange("dropped", "id", "long", None),)


def test_a_location_without_a_schema_log_is_what_is_wrong(
    tmp_path: Path, confs: Mapping[str, str]
) -> None:
    """`allow` would not help: the changes are recorded in another folder."""
    with pytest.raises(OptionsError, match="location must be the schemaTrackingLocation") as error:
        run(blocked(), location=tmp_path / "none", allow={"renamed", "dropped"})
    assert str(tmp_path / "none") in str(error.value)
    assert not confs


@pytest.mark.parametrize("allow", [None, {"added", "renamed"}])
def test_a_change_that_is_not_allowed_is_in_the_error(
    allow: set[str] | None, tmp_path: Path, confs: Mapping[str, str]
) -> None:
    """The error has the changes, and the Python to write in either place, with what is allowed."""
    renamed(tmp_path)
    query = blocked()
    with pytest.raises(SchemaChangeError) as error:
        run(query, location=tmp_path, allow=allow)
    assert (error.value.changes, error.value.__cause__) == ((DROPPED,), query.error)
    kinds = ", ".join(f'"{kind}"' for kind in sorted({"dropped", *(allow or {"added"})}))
    assert f"call `run_until` with allow={{{kinds}}}" in str(error.value)
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


@pytest.mark.usefixtures("confs")
def test_a_rename_after_column_mapping_was_switched_on_is_acknowledged(tmp_path: Path) -> None:
    """Delta compares it with the entry before column mapping, and calls it a rename: so do we."""

    def entry(version: int, name: str, metadata: Mapping[str, Any], **others: Any) -> str:
        field = {"name": name, "type": "long", "nullable": True, "metadata": metadata}
        values = json.loads(tracked(version).partition("\n")[2]) | others
        values["dataSchemaJson"] = json.dumps({"type": "struct", "fields": [field]})
        return f"v1\n{json.dumps(values)}"

    mapped = {"delta.columnMapping.id": 1, "delta.columnMapping.physicalName": "amount"}
    folder = tmp_path / f"_schema_log_{TABLE}"
    put(folder, "0", entry(0, "amount", {}))
    put(folder, "1", entry(1, "amount", mapped))
    put(folder, "2", entry(2, "money", mapped, previousMetadataSeqNum=0))
    done = run(blocked(2), Query(), location=tmp_path, allow={"renamed"}, restarts=0)
    assert done.changes == (SchemaChange("renamed", "money", "amount", "money"),)
    with pytest.raises(
        SchemaChangeError, match=r'allow=\{"added", "dropped", "renamed"\}, or read'
    ):
        run(blocked(2), location=tmp_path, allow={"added", "dropped"})


@pytest.mark.usefixtures("confs")
def test_a_kind_that_changes_nothing_is_not_recommended(tmp_path: Path) -> None:
    """If Delta asks about another kind than the log shows, only its own options help."""
    folder = tmp_path / f"_schema_log_{TABLE}"
    for number, types in enumerate(({"id": "long"}, {"id": "long", "name": "string"})):
        put(folder, str(number), tracked(number, **types))
    with pytest.raises(SchemaChangeError, match="acknowledged: read the table with") as error:
        run(blocked(), location=tmp_path, allow={"added"})
    assert "allow=" not in str(error.value)


def test_without_a_location_nothing_is_acknowledged() -> None:
    """Then the changes are unknown, and the error says what to call instead."""
    query = blocked()
    with pytest.raises(
        SchemaChangeError, match=r"call `run_until` with location=.* allow="
    ) as error:
        run(query)
    assert (error.value.changes, error.value.__cause__) == ((), query.error)


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
    assert (error.args, error.changes) == (("what",), (DROPPED,))
