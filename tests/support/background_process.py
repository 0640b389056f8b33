# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A background process for the duration of a test; it is always stopped."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def background_process(
    command: Sequence[str], ready: str, *, folder: Path, env: Mapping[str, str] | None = None
) -> Generator[str]:
    """Start a command; once a line of its log matches, yield the match's first group."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=env,
    ) as process:
        assert process.stderr is not None
        # A full pipe would block the process.
        rest = threading.Thread(target=process.stderr.read)
        try:
            found = _first_match(process.stderr, ready)
            rest.start()
            yield found
        finally:
            _stop(process)
            if rest.ident is not None:
                rest.join()


def _first_match(log: IO[str], pattern: str) -> str:
    lines = []
    for line in log:
        lines.append(line)
        found = re.search(pattern, line)
        if found:
            return found.group(1)
    raise RuntimeError(f"the process ended before it printed {pattern!r}:\n{''.join(lines)}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
