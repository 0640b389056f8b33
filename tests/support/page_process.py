# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of pages in order, in one process, called by `support.page_runner`.

All pages use one session, because Spark takes long to start. Each page has a folder and variables
of its own. After a page, its queries end, and its tables and session confs are removed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pyspark
from pyspark import SparkContext
from pyspark.sql import SparkSession

from support.json_calls import serve

# Fewer partitions and tasks make Spark faster and show the same rows: by default a VACUUM has
# 10,000 tasks, which take a minute. On a slow machine, a batch can take longer than the default
# list interval, and its lag would be unknown.
DEFAULTS = """
spark.master local[2]
spark.sql.shuffle.partitions 2
spark.databricks.delta.snapshotPartitions 2
spark.sql.sources.parallelPartitionDiscovery.parallelism 2
spark.ui.enabled false
spark.deltasource.log.listInterval 10min
"""


class PageProcess:
    """The page that is run, its variables, and what its blocks print."""

    def __init__(self) -> None:
        """Set the environment of all pages, and direct what Python and the JVM print to a file."""
        folder = Path.cwd()
        (folder / "conf").mkdir(exist_ok=True)
        (folder / "conf/spark-defaults.conf").write_text(DEFAULTS, encoding="utf-8")
        # Spark's script that finds it fails if a folder has a space in its name.
        os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
        os.environ["SPARK_CONF_DIR"] = str(folder / "conf")
        scripts = (Path(sys.executable).parent, Path(pyspark.__file__).parent / "bin")
        os.environ["PATH"] = os.pathsep.join([*map(str, scripts), os.environ["PATH"]])
        self._printed = (folder / "printed.txt").open("ab+")
        os.dup2(self._printed.fileno(), 1)
        self._variables: dict[str, Any] = {}
        self._confs: dict[str, str] = {}

    def open(self, folder: str) -> None:
        """Begin a page: its relative paths are those in this folder, in Python and in Spark."""
        os.chdir(folder)
        self._variables = {"__name__": "__main__"}
        jvm: Any = SparkContext._jvm
        if jvm is not None:
            jvm.java.lang.System.setProperty("user.dir", folder)
            files = jvm.org.apache.hadoop.fs.FileSystem
            local = files.get(
                jvm.java.net.URI("file:///"), jvm.org.apache.hadoop.conf.Configuration()
            )
            local.setWorkingDirectory(jvm.org.apache.hadoop.fs.Path(folder))
        session: Any = SparkSession._instantiatedSession
        self._confs = dict(session.conf.getAll) if session is not None else {}

    def python(self, text: str, place: str) -> dict[str, str | None]:
        """Run a block of Python; return what it printed, and the exception's name and text."""
        start = self._position()
        error = None
        try:
            exec(compile(text, place, "exec"), self._variables)
        except Exception as raised:
            traceback.print_exc()
            error = f"{type(raised).__name__}: {raised}"
        return {"printed": self._since(start), "error": error}

    def bash(self, text: str) -> dict[str, str | int]:
        """Run a block of shell commands until one fails; return the output and the exit code."""
        start = self._position()
        done = subprocess.run(["bash", "-ec", text], check=False, stdin=subprocess.DEVNULL)
        return {"printed": self._since(start), "exit_code": done.returncode}

    def end(self) -> None:
        """End the page: stop its queries, and remove its tables, views and session confs."""
        session: Any = SparkSession._instantiatedSession
        if session is None or session._jsc.sc().isStopped():
            return
        for query in session.streams.active:
            query.stop()
        for table in session.catalog.listTables():
            kind = "VIEW" if table.isTemporary else "TABLE"
            session.sql(f"DROP {kind} IF EXISTS `{table.name}`")
        if self._confs:
            for name, value in session.conf.getAll.items():
                if self._confs.get(name) != value:
                    with contextlib.suppress(Exception):  # some cannot be set
                        session.conf.unset(name)

    def close(self) -> None:
        session: Any = SparkSession._instantiatedSession
        if session is not None:
            session.stop()

    def _position(self) -> int:
        sys.stdout.flush()
        return self._printed.seek(0, os.SEEK_END)

    def _since(self, start: int) -> str:
        sys.stdout.flush()
        self._printed.seek(start)
        return self._printed.read().decode("utf-8")


if __name__ == "__main__":
    serve(PageProcess, lambda error: f"{type(error).__name__}: {error}")
