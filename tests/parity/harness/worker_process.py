# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The harness's client of a worker: starts its process, calls it, and fails on timeouts."""

import json
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from support.json_process import PATIENCE, JsonProcess


class WorkerProcess(JsonProcess):
    """One worker; hold `lock` while running a leg: one stream at a time."""

    def __init__(
        self,
        name: str,
        jars: list[Path],
        folder: Path,
        confs: Mapping[str, str] | None = None,
        *,
        python: Path = Path(sys.executable),
        patience: float = PATIENCE,
    ) -> None:
        self.lock = threading.Lock()
        given = (
            json.dumps([str(jar) for jar in jars]),
            str(folder / name),
            json.dumps(confs or {}),
        )
        module = ("parity.harness.worker", *given)
        super().__init__(name, module, folder, python=python, patience=patience)
