# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the phases on one side, in a new process with that side's jars."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from object_stores.store import TESTS, ObjectStore, connector
from object_stores.store_request import StoreRequest
from parity.harness.both_sides import jars


@dataclass(frozen=True)
class Measured:
    """The requests of one phase on one side."""

    phase: str
    seconds: float
    requests: Sequence[StoreRequest]


def measure(side: str, store: ObjectStore, folder: Path, *, idle: float) -> list[Measured]:
    """Run all phases on one side; `idle` is how long the stream waits at the head, in seconds."""
    answer, log = folder / f"{side}.json", folder / f"{side}.txt"
    task = {
        "side": side,
        "endpoint": store.endpoint,
        "folder": str(folder),
        "idle": idle,
        "jars": [str(jar) for jar in (*jars(side), *connector())],
        "answer": str(answer),
    }
    with log.open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-m", "object_stores.phases", json.dumps(task)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(TESTS), "SPARK_LOCAL_IP": "127.0.0.1"},
            timeout=1200,
        )
    if done.returncode != 0:
        raise RuntimeError(f"{side} failed:\n{log.read_text(encoding='utf-8')[-4000:]}")
    return [
        Measured(
            phase=one["phase"],
            seconds=one["seconds"],
            requests=[StoreRequest(*row) for row in one["requests"]],
        )
        for one in json.loads(answer.read_text(encoding="utf-8"))
    ]
