# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One sbt shell kept running: it reads commands from standard input and prints when ready."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from support.build import SBT_PROJECT

READY = "mutants-ready"
ASK = "mutants-ask"
GO_ON = "mutants-go-on"
TRY = "mutants-try"
START = (
    f'set commands += Command.command("{ASK}")(state => {{ println("{READY}"); state }})',
    # When a command fails, sbt drops all that follow it, including the shell.
    f'set commands += Command.command("{GO_ON}")(state => '
    f'{{ println("{READY}"); "shell" :: state }})',
    f'set commands += Command.single("{TRY}")((state, text) => '
    f'state.copy(onFailure = Some(Exec("{GO_ON}", None)), '
    f'remainingCommands = Exec(text, None) +: Exec("{ASK}", None) +: state.remainingCommands))',
    # A mutant may leave something unused; that must not fail its compilation.
    f'set LocalProject("{SBT_PROJECT}") / scalacOptions -= "-Werror"',
    ASK,
    "shell",
)


class HungError(Exception):
    """A command did not finish in time."""


class SbtShell:
    """Starts when first needed, and again after a command that hung."""

    def __init__(self, launcher: Sequence[str], tree: Path, log: IO[str]) -> None:
        self._launcher = launcher
        self._tree = tree
        self._log = log
        self.compilations = 0
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> SbtShell:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._kill()

    def run(self, command: str, seconds: float) -> str:
        """Return everything sbt printed for a command."""
        process = self._process or self._start(seconds)
        assert process.stdin is not None
        # On one line: a second one may be read, and lost, before the shell prompts for it.
        process.stdin.write(f"{TRY} {command}\n")
        process.stdin.flush()
        self._log.write(f"> {command}\n")
        return self._until_ready(seconds)

    def _start(self, seconds: float) -> subprocess.Popen[str]:
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            [*self._launcher, *START],
            cwd=self._tree,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True).start()
        self._until_ready(seconds)
        return self._process

    def _until_ready(self, seconds: float) -> str:
        printed: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=seconds)
            except queue.Empty:
                self._kill()
                raise HungError(f"no output for {seconds:.0f} s:\n{''.join(printed)}") from None
            self._log.write(line or "")
            if line is None:
                self._kill()
                raise RuntimeError(f"sbt ended:\n{''.join(printed)}")
            if line.rstrip().endswith(READY):  # after a prompt
                return "".join(printed)
            self.compilations += "] compiling " in line
            printed.append(line)

    def _kill(self) -> None:
        """Kill sbt and the test process it forked, which share the process group we created."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)
