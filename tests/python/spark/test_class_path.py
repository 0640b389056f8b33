# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which jar wins, which settings are kept, and the errors if ours loses; in separate processes."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from deltasource._session import conf
from deltasource._session.command_lines import substituted_flags

RunScript: TypeAlias = Callable[..., Mapping[str, Any]]

FINE = ["fine", ""]


def rows(report: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    return {row["check"]: row for row in report["rows"]}


@pytest.fixture
def table(tmp_path: Path) -> str:
    """Return a table without rows, written by hand."""
    log = tmp_path / "a table" / "_delta_log"
    log.mkdir(parents=True)
    column = {"name": "id", "type": "long", "nullable": True, "metadata": {}}
    actions = (
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {
            "metaData": {
                "id": "11111111-2222-3333-4444-555555555555",
                "format": {"provider": "parquet", "options": {}},
                "schemaString": json.dumps({"type": "struct", "fields": [column]}),
                "partitionColumns": [],
                "configuration": {},
            }
        },
    )
    (log / f"{0:020}.json").write_text("\n".join(map(json.dumps, actions)))
    return str(tmp_path / "a table")


@pytest.fixture
def users_jar(tmp_path: Path) -> str:
    """Return a jar of the user, in a path with a space."""
    path = tmp_path / "a user" / "theirs.jar"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("user.txt", "mine")
    return str(path)


def test_another_delta_in_front_is_refused_and_named(
    run_script: RunScript, table: str, jar: str, stock: Sequence[str]
) -> None:
    """With a stock jar in front, any first use fails with the same message, naming both jars."""
    theirs = next(path for path in stock if "delta-spark" in path)
    result = run_script("use", table, "--", f"{conf.DRIVER_CLASS_PATH}={':'.join(stock)}")
    for use in ("read stream", "plain stream", "batch", "missing table"):
        condition, message = result[use]
        assert condition == "DELTASOURCE_SHADOWED", (use, message)
        assert f"DeltaSource was loaded from {theirs}, not from {jar}" in message
        assert f"spark-submit --jars '{jar}' --driver-class-path '{jar}'" in message
    assert not result["doctor"]["ok"]
    found = rows(result["doctor"])
    for check in ("DeltaSource", "DeltaDataSource"):
        assert found[check]["status"] == "fail"
        assert theirs in found[check]["found"]
        assert f"--driver-class-path '{jar}'" in found[check]["fix"]
    assert found["other Delta"]["found"] == theirs


def test_a_delta_in_sparks_own_folder_does_not_win(
    run_script: RunScript, table: str, jar: str, spark_home_with_delta: Path
) -> None:
    """On an image that includes Delta, ours wins, and the doctor warns of the other."""
    result = run_script("use", table, "--", SPARK_HOME=str(spark_home_with_delta))
    assert [result[use] for use in ("read stream", "plain stream", "batch")] == [FINE] * 3
    found = rows(result["doctor"])
    assert result["doctor"]["ok"], found
    assert found["DeltaSource"]["found"].startswith(jar)
    assert found["other Delta"]["status"] == "warn"
    assert str(spark_home_with_delta) in found["other Delta"]["found"]


def test_the_users_jar_stays(run_script: RunScript, table: str, users_jar: str, jar: str) -> None:
    """A jar of the user is on the driver and goes to the executors, along with ours."""
    result = run_script("use", table, f"{conf.JARS}={users_jar}", "--")
    assert (result["read stream"], result["batch"]) == (FINE, FINE)
    assert result["user file"]
    assert sorted(result["executor jars"]) == [Path(jar).name, "theirs.jar"]


def test_submit_arguments_with_ours_in_front_work(
    run_script: RunScript, table: str, users_jar: str, jar: str
) -> None:
    """The PYSPARK_SUBMIT_ARGS that `configure` recommends give a session with our jar."""
    line = f"--jars '{jar},{users_jar}' --driver-class-path '{jar}' pyspark-shell"
    result = run_script("use", table, "--", PYSPARK_SUBMIT_ARGS=line)
    assert result["doctor"]["ok"], rows(result["doctor"])
    assert (result["read stream"], result["user file"]) == (FINE, True)


def test_later_settings_that_drop_our_jar_are_reported(
    run_script: RunScript, table: str, users_jar: str
) -> None:
    """If a builder loses our jar after `configure`, the session's first stream fails with that."""
    later = (f"{conf.JARS}={users_jar}", f"{conf.DRIVER_CLASS_PATH}={users_jar}")
    result = run_script("use", table, "--", *later)
    assert result["read stream"][0] == "DELTASOURCE_NOT_LOADED"
    found = rows(result["doctor"])
    assert found["DeltaSource"]["status"] == found["DeltaDataSource"]["status"] == "fail"
    fix = found["DeltaSource"]["fix"]
    assert "`deltasource.configure(builder)` after all other settings" in fix


def test_a_running_session_without_the_jar_fails_with_the_fix(
    run_script: RunScript, jar: str
) -> None:
    """If Spark already runs, the error has the command to start it, even after a stop."""
    result = run_script("late")
    for when in ("in", "read stream", "after"):
        condition, message = result[when]
        assert condition == "DELTASOURCE_NOT_LOADED"
        assert f"`spark-submit --jars '{jar}' --driver-class-path '{jar}' app.py`" in message
    found = rows(result["doctor"])
    wrong = {check for check, row in found.items() if row["status"] == "fail"}
    assert wrong == {"DeltaSource", "DeltaDataSource", "extensions", "catalog"}
    assert all(found[check]["fix"] for check in wrong)
    assert [row["found"] for row in result["stopped doctor"]["rows"]] == ["the session is stopped"]


def test_under_spark_submit_with_the_jar_configure_is_quiet(
    run_script: RunScript, jar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`submit-args` works: `configure` adds missing settings, but not to a running session.

    The package is installed in a folder with a space, so the arguments name a link.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    installed = tmp_path / "a b" / Path(jar).name
    installed.parent.mkdir()
    installed.symlink_to(jar)
    result = run_script("late", submit=substituted_flags(installed).split(" "))
    assert result["before"] == FINE
    condition, message = result["in"]
    assert condition == "DELTASOURCE_SESSION_RUNNING"
    assert conf.GUARD in message
    assert "`spark.stop()`" in message
    assert result["after"] == FINE
    assert result["doctor after"]["ok"], rows(result["doctor after"])


def test_under_spark_submit_without_the_jar_configure_names_the_command(
    run_script: RunScript, jar: str
) -> None:
    """Under spark-submit the builder is too late to add a jar, and `configure` fails with that."""
    condition, message = run_script("late", submit=[])["before"]
    assert condition == "DELTASOURCE_NOT_LOADED"
    assert f"`spark-submit --jars '{jar}' --driver-class-path '{jar}' app.py`" in message
