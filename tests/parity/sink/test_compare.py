# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What the comparison of two targets detects, and what it ignores."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from parity.harness.recorded import StaleError
from parity.sink import log, recorded
from parity.sink.compare import outcome_faults
from parity.sink.script import Failed, Outcome, Query, SinkScript

SCRIPT = SinkScript(name="one", steps=(Query(),))
OUTCOME = Outcome((None,), ("a log",), {"fields": []}, ("[1]",))


def table(folder: Path, *, size: int = 1, batch: int = 0, rows: str = "1") -> Path:
    """A table of one commit, with new ids."""
    query, file = uuid4(), uuid4()
    commit: list[dict[str, Any]] = [
        {"commitInfo": {"timestamp": size, "operationParameters": {"queryId": str(query)}}},
        {"txn": {"appId": str(query), "version": batch, "lastUpdated": size}},
        {"add": {"path": f"part-00000-{file}-c000.parquet", "size": size, "stats": rows}},
    ]
    where = folder / str(query) / "_delta_log"
    where.mkdir(parents=True)
    (where / f"{0:020}.json").write_text("\n".join(json.dumps(action) for action in commit))
    (where / f"{0:020}.crc").write_text(json.dumps({"numFiles": 1, "tableSizeBytes": size}))
    return where.parent


def test_ids_times_and_sizes_are_ignored(tmp_path: Path) -> None:
    """They differ between any two runs of a script."""
    assert log.read(table(tmp_path)) == log.read(table(tmp_path, size=7))


@pytest.mark.parametrize("change", [{"batch": 1}, {"rows": "2"}])
def test_another_action_is_detected(tmp_path: Path, change: dict[str, Any]) -> None:
    """Transaction identifiers and statistics are compared."""
    assert log.read(table(tmp_path)) != log.read(table(tmp_path, **change))


def test_a_repeated_id_is_the_same_id(tmp_path: Path) -> None:
    """A transaction identifier with another query's id than the commit's is detected."""
    where = table(tmp_path)
    found = log.read(where)
    commit = where / "_delta_log" / f"{0:020}.json"
    info, marker, *rest = commit.read_text().splitlines()
    action = json.loads(marker)
    action["txn"]["appId"] = str(uuid4())
    commit.write_text("\n".join([info, json.dumps(action), *rest]))
    assert log.read(where) != found


@pytest.mark.parametrize(
    "other",
    [
        replace(OUTCOME, failures=(Failed("CONDITION", "kind"),)),
        replace(OUTCOME, log=("another",)),
        replace(OUTCOME, schema={"fields": [1]}),
        replace(OUTCOME, rows=("[1]", "[2]")),
    ],
)
def test_each_difference_is_reported(other: Outcome) -> None:
    """Failures, log, schema and rows are compared."""
    assert outcome_faults(SCRIPT, OUTCOME, OUTCOME) == []
    assert len(outcome_faults(SCRIPT, OUTCOME, other)) == 1


def test_a_script_names_the_error_of_stock() -> None:
    """Otherwise the script would not show that its last run fails."""
    failed = replace(OUTCOME, failures=(Failed("CONDITION", "kind"),))
    assert outcome_faults(SCRIPT, failed, failed) == ["stock ends in 'CONDITION', not in ''"]
    assert outcome_faults(replace(SCRIPT, fails="CONDITION"), failed, failed) == []


def test_a_recording_of_other_steps_is_refused(tmp_path: Path) -> None:
    """A changed script must be recorded again."""
    file = tmp_path / "sink.json"
    recorded.keep([(SCRIPT, OUTCOME)], file)
    assert outcome_faults(SCRIPT, recorded.outcome(SCRIPT, file), OUTCOME) == []
    with pytest.raises(StaleError, match="make recordings"):
        recorded.outcome(replace(SCRIPT, steps=(Query(count=2),)), file)
    with pytest.raises(StaleError, match="make recordings"):
        recorded.outcome(SCRIPT, tmp_path / "none")
