# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Sessions that were made without our jar and are handed it, each in its own process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from deltasource._session import conf

RunScript: TypeAlias = Callable[..., Mapping[str, Any]]

FINE = ["fine", ""]


def test_a_session_that_runs_is_handed_the_jar(
    run_script: RunScript, tmp_path: Path, jar: str
) -> None:
    """Streams, change feeds and batches work by path, streams by name too; SQL does not."""
    said = run_script("attached", str(tmp_path))
    assert said["before"][0] != "fine"
    assert [said[step] for step in ("attach", "use", "again", "other session")] == [FINE] * 4, said
    assert said["rows"] == [0, 1, 2]
    assert said["changes"] == [["insert", 0], ["insert", 1], ["insert", 2]]
    assert said["named"] == ["id"]
    assert "does not support reads" in said["sql"][1]
    rows = {row["check"]: row for row in said["doctor"]["rows"]}
    assert rows["DeltaSource"]["found"].startswith(jar)
    assert {check for check, row in rows.items() if row["status"] == "fail"} == {"extensions"}
    assert said["stopped"][0] == "DELTASOURCE_SESSION_RUNNING"


def test_another_delta_on_the_class_path_is_refused(
    run_script: RunScript, tmp_path: Path, stock: Sequence[str]
) -> None:
    """What Spark has loaded cannot be replaced, and the error says how to start one anew."""
    said = run_script("attached", str(tmp_path), f"{conf.JARS}={','.join(stock)}")
    condition, message = said["attach"]
    assert condition == "DELTASOURCE_SHADOWED"
    assert "Start with `spark-submit --jars" in message
