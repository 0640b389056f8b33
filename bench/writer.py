# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The process of a writer: adds prepared versions to a table at a fixed rate.

It moves files that are there already, so that it takes nothing from the stream that is measured.
Its argument is JSON; it prints when each commit landed, in nanoseconds since 1970, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Final

from bench.logs import LAST_CHECKPOINT

DATA_FILE: Final = "data.parquet"
"""The content of all data files, in the folder of the waiting versions."""


def add(waiting: Path, table: Path, version: int) -> int:
    """Add a version in the order of Delta's writers; return when its commit landed.

    The data file comes first, then the commit, the checksum file, and the checkpoint if there is
    one.
    """
    prepared, log = waiting / "_delta_log", table / "_delta_log"
    commit = f"{version:020}.json"
    for line in (prepared / commit).read_text(encoding="utf-8").splitlines():
        if "add" in (action := json.loads(line)):
            os.link(waiting / DATA_FILE, table / action["add"]["path"])
    (prepared / commit).rename(log / commit)
    landed = time.time_ns()
    for name in ("crc", "checkpoint.parquet"):
        if (file := prepared / f"{version:020}.{name}").exists():
            file.rename(log / file.name)
    if (pointer := prepared / f"{version:020}{LAST_CHECKPOINT}").exists():
        pointer.replace(log / LAST_CHECKPOINT)
    return landed


def main() -> None:
    """Add all waiting versions; a late one does not delay those after it."""
    task = json.loads(sys.argv[1])
    waiting, table = Path(task["waiting"]), Path(task["table"])
    versions = sorted(int(file.stem) for file in (waiting / "_delta_log").glob("*.json"))
    started = time.monotonic()
    landed: dict[int, int] = {}
    for number, version in enumerate(versions):
        due = started + number * task["interval"]
        time.sleep(max(0.0, due - time.monotonic()))
        landed[version] = add(waiting, table, version)
    json.dump(landed, sys.stdout)


if __name__ == "__main__":
    main()
