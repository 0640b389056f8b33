# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The bundle jar works in every way in which Spark lets a user add a jar."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from support.build import BUNDLE, ROOT
from support.class_data import CONFIGURED, JARS

SCRIPTS = Path(__file__).parent / "scripts"
MAVEN = ROOT / "jvm" / "target" / "maven"
LOOPBACK = "127.0.0.1"
CONFS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
IN_THE_DRIVER = "org.apache.spark.deploy.SparkSubmit"
IN_AN_EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
SEEN = {
    "copies": 1,
    "batch read": 15,
    "streamed": 15,
    "stream": "DeltaSource",
    "several batches": True,
    "merged": ["Ada", "Ben", "Cyd", "Dan"],
    "time travel": 3,
    "changes": {"insert": 1, "update_postimage": 1, "update_preimage": 1},
    "optimized files": 1,
}


def test_spark_submit_with_jars(tmp_path: Path) -> None:
    """`spark-submit --jars J --driver-class-path J` is enough on one machine."""
    seen = _run(tmp_path, _submit(tmp_path, "local[2]", *_jars()))
    _assert_ours(seen, tasks=IN_THE_DRIVER)


def test_standalone_cluster(tmp_path: Path) -> None:
    """An executor in its own process gets the jar from the driver."""
    command = _submit(tmp_path, "{master}", "--executor-memory", "1g", *_jars())
    seen = _run(tmp_path, [*_with_a_cluster(tmp_path), *command])
    _assert_ours(seen, tasks=IN_AN_EXECUTOR)


def test_an_attached_jar_reaches_a_cluster(tmp_path: Path) -> None:
    """`attach` adds it to the running driver and to executors in their own processes."""
    attached = str(ROOT / "tests" / "python" / "spark" / "scripts" / "attached.py")
    settings = ("spark.master={master}", "spark.executor.memory=1g")
    command = [sys.executable, attached, str(tmp_path), *settings]
    seen = _run(tmp_path, [*_with_a_cluster(tmp_path), *command])
    assert (seen["attach"], seen["use"], seen["rows"]) == (["fine", ""], ["fine", ""], [0, 1, 2])
    [executors] = [row for row in seen["doctor"]["rows"] if row["check"] == "executors"]
    assert executors["status"] == "ok"


def test_spark_jars_in_a_local_session(tmp_path: Path) -> None:
    """A plain Python program needs only the conf `spark.jars`."""
    confs = {**CONFS, "spark.master": "local[2]", "spark.jars": str(BUNDLE)}
    pairs = [f"{key}={value}" for key, value in confs.items()]
    workout = str(SCRIPTS / "workout.py")
    seen = _run(tmp_path, [sys.executable, workout, str(tmp_path), *pairs])
    _assert_ours(seen, tasks=IN_THE_DRIVER)


def test_the_pom_names_no_dependency() -> None:
    """Everything is inside the jar, so no dependency can bring in a second Delta."""
    assert _pom().find(".//{*}dependency") is None


def _assert_ours(seen: dict[str, Any], *, tasks: str) -> None:
    assert _digest(Path(unquote(seen.pop("origin")))) == _digest(BUNDLE)
    assert seen == {**SEEN, "executor": tasks}


def _jars() -> list[str]:
    return ["--jars", str(BUNDLE), "--driver-class-path", str(BUNDLE)]


def _with_a_cluster(folder: Path) -> list[str]:
    spark_class = str(_spark_home() / "bin" / "spark-class")
    return [sys.executable, str(SCRIPTS / "cluster.py"), spark_class, str(folder)]


def _submit(folder: Path, master: str, *options: str) -> list[str]:
    submit = str(_spark_home() / "bin" / "spark-submit")
    confs = [part for key, value in CONFS.items() for part in ("--conf", f"{key}={value}")]
    workout = [str(SCRIPTS / "workout.py"), str(folder)]
    return [submit, "--master", master, *options, *confs, *workout]


def _run(folder: Path, command: list[str]) -> dict[str, Any]:
    done = subprocess.run(
        command,
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        pytest.fail(f"exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-8000:]}")
    seen: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return seen


def _environment() -> dict[str, str]:
    """The caller's environment, without its Spark settings."""
    foreign = ("SPARK_", "PYSPARK_")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    ours = {
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT / "tests"),
        # For the processes of a cluster, whose class path has no jar of ours.
        "JDK_JAVA_OPTIONS": os.environ["JDK_JAVA_OPTIONS"].replace(str(CONFIGURED), str(JARS)),
    }
    return {**kept, **ours, "SPARK_LOCAL_IP": LOOPBACK}


def _spark_home() -> Path:
    found = importlib.util.find_spec("pyspark")
    assert found is not None
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0])


def _pom() -> ElementTree.ElementTree[ElementTree.Element]:
    [pom] = MAVEN.rglob(f"{BUNDLE.stem}.pom")
    return ElementTree.parse(pom)


def _digest(jar: Path) -> str:
    return hashlib.sha256(jar.read_bytes()).hexdigest()
