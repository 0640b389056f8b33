# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One script on a classic session and over Spark Connect, and errors of Connect servers."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeAlias

import pyspark
import pytest

from deltasource import jar_path
from deltasource._session import conf
from deltasource._session.command_lines import server_arguments
from support.background_process import background_process
from support.pages import blocks, words
from support.session_confs import INTERPRETED

RunScript: TypeAlias = Callable[..., Mapping[str, Any]]

FINE = ["fine", ""]
UPDATED = [[5, "update_postimage", 30], [5, "update_preimage", 3]]
ANSWERS: Mapping[str, object] = {
    "attach": FINE,
    "streamed": [0, 1, 2],
    "rows seen": [1, 1, 1],
    "snapshot read": [33.3, 66.7, None],
    "closed by": ["maxFilesPerTrigger", "maxFilesPerTrigger", "availableNow"],
    "written": True,
    "started and ended": ["QueryStarted", "QueryEnded"],
    "failed": ["DELTA_SOURCE_TABLE_IGNORE_CHANGES", 1, "Detected a data update"],
    "gone on": [0, 1, 2, 3],
    "from a version": [2, 3],
    "changes streamed": [[4, "insert", 3], *UPDATED],
    "changes read": [[4, "insert", 3], *UPDATED],
    "changes chosen": [UPDATED[0]],
    "net changes": [[30, "insert"]],
    "applied": [[30, 5], [77, None]],
    "snapshot applied": [5, 4],
    "rewrites skipped": [3],
    "evolved": ["caught_up", 1, True],
    "rows evolved": [0, 1, 2, 6, 30],
    "by name": [6],
}
CONDITIONS: Mapping[str, str] = {
    "rewrites refused": "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
    "bad option": "DELTASOURCE_INVALID_OPTIONS",
    "bad regex": "DELTA_REGEX_OPT_SYNTAX_ERROR",
    "version not there": "DELTA_VERSION_NOT_FOUND",
    "own source": "DELTASOURCE_INVALID_OPTIONS",
    "no change feed": "DELTA_MISSING_CHANGE_DATA",
    "no recorded changes": "DELTA_MISSING_CHANGE_DATA",
    "no checkpoint": "DELTASOURCE_UNREADABLE_CHECKPOINT",
    "no table": "DELTA_TABLE_NOT_FOUND",
}
WATCHED = ("copy", "fails", "stops")


def server(folder: Path, *arguments: str) -> AbstractContextManager[str]:
    """Start a Spark Connect server on a free port; yield its address."""
    home = Path(pyspark.__file__).parent
    local = "127.0.0.1"
    settings = {
        "spark.connect.grpc.binding.address": local,
        "spark.connect.grpc.binding.port": "0",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        **INTERPRETED,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
    }
    confs = [part for pair in settings.items() for part in ("--conf", "=".join(pair))]
    main = ("--class", "org.apache.spark.sql.connect.service.SparkConnectServer")
    submit = ("bash", f"{home}/bin/spark-submit", "--master", "local[2]", "--driver-memory", "1g")
    return background_process(
        [*submit, *main, *confs, *arguments, "spark-internal"],
        r"Spark Connect server started at: (\S+)",
        folder=folder,
        env=os.environ
        | {"SPARK_HOME": str(home), "SPARK_LOCAL_IP": local, "PYSPARK_PYTHON": sys.executable},
    )


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server started as ConnectError recommends."""
    with server(tmp_path_factory.mktemp("server"), *shlex.split(server_arguments())) as address:
        yield f"sc://{address}"


@pytest.fixture(scope="module", params=["classic", "Connect"])
def answers(
    request: pytest.FixtureRequest, run_in: RunScript, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Any]:
    """Return the script's output for one kind of session."""
    folder = tmp_path_factory.mktemp(request.param.lower())
    env = {"SPARK_REMOTE": request.getfixturevalue("remote")} if request.param == "Connect" else {}
    return run_in(folder, "both", f"{folder}/named", **env)


@pytest.mark.timeout(900)
def test_everything_works_on_both_kinds_of_session(answers: Mapping[str, Any]) -> None:
    """Reading, writing, change feeds, options and monitoring work on each."""
    assert {name: answers[name] for name in ANSWERS} == ANSWERS


@pytest.mark.timeout(900)
def test_errors_have_the_same_conditions_on_both(
    answers: Mapping[str, Any],
) -> None:
    """An error in a query or before it has the same condition on each."""
    failed = {name: value for name, value in answers.items() if name not in ANSWERS}
    found = {name: re.findall(r"\[(DELTA\w+)\]", message) for name, (_, message) in failed.items()}
    assert {name: conditions[:1] for name, conditions in found.items()} == {
        name: [condition] for name, condition in CONDITIONS.items()
    }


def test_the_doctor_of_a_session_needs_its_jvm(remote: str, run_script: RunScript) -> None:
    """Over Connect the doctor's error says in one sentence what to use instead."""
    result = run_script("asked", SPARK_REMOTE=remote)
    assert result["attach"] == FINE
    condition, message = result["doctor"]
    assert condition == "DELTASOURCE_CONNECT"
    assert "cannot check a Spark Connect session" in message


def test_a_session_is_watched_by_another_client(remote: str, run_script: RunScript) -> None:
    """With the ids of the session, a second client sees its queries, and leaves it as it is."""
    found = run_script("watched", SPARK_REMOTE=remote)
    assert found["first"] == [
        *([kind, name] for kind in ("Progress", "QueryStarted") for name in WATCHED),
    ]
    assert (found["again"], found["stranger"], found["still running"]) == ([], [], True)
    assert found["printed"] == [[name, 0] for name in WATCHED]
    ends = [one for one in found["second"] if one[0] != "Progress"]
    assert ends == [["QueryEnded", "stops"], ["QueryFailed", "fails"]]
    ((condition, message),) = found["error"]
    assert condition == "TASK_WRITE_FAILED"
    assert message.startswith("Task failed while writing rows")


def test_the_page_works_when_it_is_pasted(remote: str, root: Path, tmp_path: Path) -> None:
    """connect.md starts a server as ConnectError says, and its client prints what is shown."""
    page = blocks((root / "docs" / "reference" / "connect.md").read_text(encoding="utf-8"))
    bash, code, shown = (block.text for block in page)
    assert [part for part in shlex.split(server_arguments()) if part not in shlex.split(bash)] == [
        str(jar_path())
    ] * 2
    (tmp_path / "app.py").write_text(code.replace("sc://localhost", remote), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "app.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert words(done.stdout) == words(shown)


def test_the_error_of_a_server_without_the_jar_says_how_to_start_it(
    run_script: RunScript, tmp_path: Path
) -> None:
    """This holds even if the server's conf names our guard without having the class."""
    named = ("--conf", f"{conf.EXTENSIONS}={conf.GUARD}")
    with server(tmp_path, *named) as address:
        result = run_script("asked", SPARK_REMOTE=f"sc://{address}")
    condition, message = result["attach"]
    assert condition == "DELTASOURCE_CONNECT"
    assert f"start it with {server_arguments()} (see `deltasource explain-error " in message
    assert result["jars"] == []
    assert result["read"][0] != "fine"


def test_a_server_with_another_delta_in_front_is_refused(
    run_script: RunScript, tmp_path: Path, stock: Sequence[str], jar: str
) -> None:
    """The guard on the server reports which jar comes first, and which should."""
    front = ("--conf", f"{conf.DRIVER_CLASS_PATH}={':'.join(stock)}", "--jars", jar)
    confs = shlex.split(server_arguments())[4:]
    with server(tmp_path, *front, *confs) as address:
        result = run_script("asked", SPARK_REMOTE=f"sc://{address}")
    theirs = next(path for path in stock if "delta-spark" in path)
    condition, message = result["attach"]
    assert condition == "DELTASOURCE_SHADOWED"
    assert f"DeltaSource was loaded from {theirs}, not from" in message
