# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Spark in separate processes, for what can be tested only once per process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyspark
import pytest

from deltasource import jar_path
from support.build import STOCK

SCRIPTS = Path(__file__).parent / "scripts"
SPARK_HOME = Path(pyspark.__file__).parent


@pytest.fixture(scope="session")
def run_in() -> Callable[..., Mapping[str, Any]]:
    """Return a function that runs a script in a folder and returns its last line, parsed as JSON.

    With `submit`, a list of arguments, it runs with spark-submit; other keywords are environment.
    """

    def run(
        folder: Path, name: str, *arguments: str, submit: Sequence[str] | None = None, **env: str
    ) -> Mapping[str, Any]:
        # PYTHONPATH may put the package under test before the installed one.
        path = os.pathsep.join(filter(None, [str(SCRIPTS), os.environ.get("PYTHONPATH")]))
        command = [sys.executable]
        if submit is not None:
            command = ["bash", str(SPARK_HOME / "bin" / "spark-submit"), *submit]
        done = subprocess.run(
            [*command, str(SCRIPTS / f"{name}.py"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": path} | env,
        )
        assert done.returncode == 0, done.stderr[-5000:]
        answer: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer

    return run


@pytest.fixture
def run_script(
    run_in: Callable[..., Mapping[str, Any]], tmp_path: Path
) -> Callable[..., Mapping[str, Any]]:
    """Return a function that runs a script in a temporary folder."""
    return partial(run_in, tmp_path)


@pytest.fixture(scope="session")
def jar() -> str:
    """Return the path of our jar."""
    return str(jar_path())


@pytest.fixture(scope="session")
def stock() -> Sequence[str]:
    """Return the published jars, unmodified."""
    jars = sorted(str(path) for path in STOCK.glob("*.jar"))
    if not jars:
        pytest.fail(f"no published jars in {STOCK}: run `make jar`", pytrace=False)
    return jars


@pytest.fixture
def spark_home_with_delta(tmp_path: Path, stock: Sequence[str]) -> Path:
    """Return a Spark home whose jars folder has the published Delta, as in some images."""
    home = tmp_path / "spark home"
    (home / "jars").mkdir(parents=True)
    for part in ("bin", "python"):
        (home / part).symlink_to(SPARK_HOME / part)
    for jar in (SPARK_HOME / "jars").iterdir():
        (home / "jars" / jar.name).symlink_to(jar)
    for path in stock:
        shutil.copy(path, home / "jars")
    return home
