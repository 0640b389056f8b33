# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs one command with a standalone Spark cluster on the loopback interface.

Usage: cluster.py SPARK_CLASS FOLDER COMMAND ... where `{master}` in the command becomes the
master's URL. One master and one worker, each a process; the system chooses every port.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from support.background_process import background_process

MASTER = r"Starting Spark master at (spark://\S+)"
WORKER = r"(Successfully registered with master)"


def main(spark_class: str, folder: str, command: Sequence[str]) -> int:
    ours = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    size = ["--cores", "2", "--memory", "1g", "--work-dir", f"{folder}/work"]
    with ExitStack() as stack:

        def start(name: str, ready: str, *options: str) -> str:
            command = [spark_class, f"org.apache.spark.deploy.{name}", *ours, *options]
            return stack.enter_context(background_process(command, ready, folder=Path(folder)))

        url = start("master.Master", MASTER)
        start("worker.Worker", WORKER, *size, url)
        return subprocess.call([part.replace("{master}", url) for part in command])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
