# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one command beside a standalone Spark cluster on the loopback interface.

Usage: cluster.py SPARK_CLASS FOLDER COMMAND ... where `{master}` in the command becomes the
master's URL. One master and one worker, each a process; the system chooses every port.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO

MASTER = r"Starting Spark master at (spark://\S+)"
WORKER = r"(Successfully registered with master)"


def main(spark_class: str, folder: str, command: Sequence[str]) -> int:
    ours = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    size = ["--cores", "2", "--memory", "1g", "--work-dir", f"{folder}/work"]
    with ExitStack() as stack:

        def start(name: str, ready: str, *options: str) -> str:
            process = subprocess.Popen(
                [spark_class, f"org.apache.spark.deploy.{name}", *ours, *options],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
            )
            stack.callback(_stop, process)
            assert process.stderr is not None
            return _first_match(process.stderr, ready)

        url = start("master.Master", MASTER)
        start("worker.Worker", WORKER, *size, url)
        return subprocess.call([part.replace("{master}", url) for part in command])


def _first_match(log: IO[str], pattern: str) -> str:
    """Read until the line comes; a thread reads on, for a full pipe would stop the process."""
    lines = []
    for line in log:
        lines.append(line)
        found = re.search(pattern, line)
        if found:
            threading.Thread(target=log.read, daemon=True).start()
            return found.group(1)
    raise RuntimeError(f"the process ended before it said {pattern!r}:\n{''.join(lines)}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
