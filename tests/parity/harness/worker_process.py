# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The harness's client of a worker: starts its process, calls it, and fails on timeouts."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds to wait for a worker's answer; on two busy cores its start takes about ten."""


class WorkerProcess:
    """One worker; hold `lock` while running a leg: one stream at a time."""

    def __init__(
        self, name: str, jars: list[Path], folder: Path, confs: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.log = folder / f"{name}.log"
        self._answers: queue.Queue[str] = queue.Queue()
        work = folder / name
        work.mkdir(parents=True)
        tests = Path(__file__).resolve().parents[2]
        command = [
            sys.executable,
            "-m",
            "parity.harness.worker",
            json.dumps([str(jar) for jar in jars]),
            str(work),
            json.dumps(confs or {}),
        ]
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=work,
                env={**os.environ, "PYTHONPATH": str(tests), "SPARK_LOCAL_IP": "127.0.0.1"},
                text=True,
                encoding="utf-8",
            )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def ready(self) -> None:
        self._answer("start")

    def call(self, name: str, /, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"call": name, **arguments}) + "\n")
        self._process.stdin.flush()
        return self._answer(name)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._listener.join()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._answers.put(line)
        self._answers.put("")

    def _answer(self, name: str) -> Any:
        try:
            line = self._answers.get(timeout=PATIENCE)
        except queue.Empty:
            self._process.kill()
            raise RuntimeError(
                f"{self.name} did not answer {name} in {PATIENCE} s, see {self.log}"
            ) from None
        if not line:
            raise RuntimeError(f"{self.name} exited during {name}, see {self.log}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{self.name} could not {name}: {answer['error']}, see {self.log}")
        return answer["value"]
