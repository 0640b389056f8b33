# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Attaching our jar to sessions built without it, each in its own process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from deltasource._session import conf

RunScript: TypeAlias = Callable[..., Mapping[str, Any]]

FINE = ["fine", ""]


def test_the_jar_is_attached_to_a_running_session(
    run_script: RunScript, tmp_path: Path, jar: str
) -> None:
    """Streams, feeds, batches and `apply_changes` work by path, streams by name; SQL does not."""
    result = run_script("attached", str(tmp_path))
    assert result["before"][0] != "fine"
    assert [result[step] for step in ("attach", "use", "again", "other session")] == [FINE] * 4, (
        result
    )
    assert result["rows"] == [0, 1, 2]
    assert result["changes"] == [["insert", 0], ["insert", 1], ["insert", 2]]
    assert result["named"] == ["id"]
    assert result["kept"] == 3
    assert "does not support reads" in result["sql"][1]
    assert result["snapshots"][0] == "DELTASOURCE_NOT_LOADED"
    assert "Use a session that `deltasource.configure` has set up" in result["snapshots"][1]
    rows = {row["check"]: row for row in result["doctor"]["rows"]}
    assert rows["DeltaSource"]["found"].startswith(jar)
    assert {check for check, row in rows.items() if row["status"] == "fail"} == {"extensions"}
    assert result["stopped"][0] == "DELTASOURCE_SESSION_RUNNING"
    assert result["read after stop"][0] == "DELTASOURCE_SESSION_RUNNING"


def test_another_delta_on_the_class_path_is_refused(
    run_script: RunScript, tmp_path: Path, stock: Sequence[str]
) -> None:
    """Loaded classes cannot be replaced, and the error says how to start a new session."""
    result = run_script("attached", str(tmp_path), f"{conf.JARS}={','.join(stock)}")
    condition, message = result["attach"]
    assert condition == "DELTASOURCE_SHADOWED"
    assert "Start with `spark-submit --jars" in message
