# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Commands whose reader, such as `head`, closes the pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.checkpoint_samples import checkpoint, offset


@pytest.mark.parametrize(
    ("line", "code"), [(["offsets"], 0), (["offsets", "--help"], 0), (["offsets", "nowhere"], 3)]
)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_has_enough_ends_a_command_quietly(
    line: list[str], code: int, stream: str, tmp_path: Path
) -> None:
    """`| head -1` closes the pipe: there is no traceback, and the exit code is the command's."""
    query = str(checkpoint(tmp_path, offset(3), done=[0]))
    read, write = os.pipe()
    os.close(read)
    given = [*line, query] if line == ["offsets"] else line
    done = subprocess.run(
        [sys.executable, "-m", "deltasource", *given],
        check=False,
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: write},  # type: ignore[call-overload] # chosen
    )
    os.close(write)
    assert (done.returncode, "Traceback" in f"{done.stderr}{done.stdout}") == (code, False)
    assert stream == "stderr" or "BrokenPipe" not in done.stderr
