# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A stream stopped on one line of Spark is resumed on another; `make parity` tries every pair."""

import pytest

from parity.harness import lines, live
from parity.harness.both_sides import OURS, ScriptRunner, on_line, turns
from parity.harness.recorded import Recordings
from parity.script import Script
from support import build

OTHERS = [line for line in build.LINES if line != build.LINE]


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("script", lines.SCRIPTS, ids=[script.name for script in lines.SCRIPTS])
def test_a_checkpoint_moves_between_lines(
    runner: ScriptRunner, recordings: Recordings, script: Script, other: str
) -> None:
    """A checkpoint of another line gives what stock gave on one line, in turns."""
    moved = runner.traces(script, turns(on_line(OURS, other), OURS, script))[0]
    stock = recordings.trace(lines.PART, script)
    assert live.trace_faults(script, stock, moved, swapped=True) == []
