# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A process that is called with JSON: one line for each call, and one for each answer."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]

PATIENCE = 120.0
"""How long to wait for an answer, in seconds: on two busy cores, Spark starts in about ten."""


def _path() -> list[str]:
    """Return our PYTHONPATH, which may put the package under test before the installed one."""
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(entry).resolve()) for entry in entries if entry]


class ProcessError(RuntimeError):
    """The process has exited, does not answer, or answers with an error."""


class JsonProcess:
    """Runs a Python module that serves calls with `support.json_calls`."""

    def __init__(
        self,
        name: str,
        module: Sequence[str],
        folder: Path,
        *,
        python: Path = Path(sys.executable),
        patience: float = PATIENCE,
    ) -> None:
        """Start the module with its arguments; its log is next to its folder.

        `python` is what runs it. `patience` is how long to wait for an answer, in seconds.
        """
        self.name = name
        self.log = folder / f"{name}.log"
        self._patience = patience
        self._answers: queue.Queue[str] = queue.Queue()
        work = folder / name
        work.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [str(python), "-m", *module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=work,
                env={
                    **os.environ,
                    "PYSPARK_PYTHON": str(python),
                    "PYTHONPATH": os.pathsep.join([*_path(), str(TESTS)]),
                    "SPARK_LOCAL_IP": "127.0.0.1",
                },
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def ready(self) -> None:
        self.answer("start")

    def call(self, name: str, /, **arguments: Any) -> Any:
        self.send(name, **arguments)
        return self.answer(name)

    def send(self, name: str, /, **arguments: Any) -> None:
        """Make a call without waiting for its answer."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"call": name, **arguments}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ProcessError(f"{self.name} exited before {name}, see {self.log}") from None

    def answer(self, name: str) -> Any:
        """Wait for the answer to the call of this name."""
        try:
            line = self._answers.get(timeout=self._patience)
        except queue.Empty:
            self.kill()
            raise ProcessError(
                f"{self.name} did not answer {name} in {self._patience} s, see {self.log}"
            ) from None
        if not line:
            raise ProcessError(f"{self.name} exited during {name}, see {self.log}")
        answer = json.loads(line)
        if "error" in answer:
            raise ProcessError(f"{self.name} could not {name}: {answer['error']}, see {self.log}")
        return answer["value"]

    def kill(self) -> None:
        """Kill the process and its JVM, which is in the same process group."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def close(self) -> None:
        """Let the process end; may be called twice, and after `kill`."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
        self._listener.join()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._answers.put(line)
        self._answers.put("")
