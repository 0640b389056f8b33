# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The sink against what stock's gave, and tables and checkpoints that change hands, live."""

from pathlib import Path

import pytest

from parity.sink import recorded
from parity.sink.catalogue import SCRIPTS
from parity.sink.judge import judged
from parity.sink.run import run
from parity.sink.script import SinkScript
from parity.stage import OURS, STOCK, Stage, alone, in_turns

SWAPPED = ("a table that is there", "a batch again, twice", "enough batches for checkpoints")
NAMES = [script.name for script in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=NAMES)
def test_ours_makes_the_table_that_stock_makes(
    stage: Stage, script: SinkScript, tmp_path: Path
) -> None:
    """Commits, checksum files, checkpoints, schema, rows and errors are those of stock."""
    ours = run(stage, script, alone(OURS, script), tmp_path)
    assert judged(script, recorded.outcome(script), ours) == []


@pytest.mark.parametrize("first", [STOCK, OURS])
@pytest.mark.parametrize("name", SWAPPED)
def test_a_table_changes_hands(stage: Stage, name: str, first: str, tmp_path: Path) -> None:
    """A run of one side goes on with what the other has left, as if it were its own."""
    (script,) = (script for script in SCRIPTS if script.name == name)
    mixed = run(stage, script, in_turns(first, script), tmp_path)
    assert judged(script, recorded.outcome(script), mixed) == []


def test_no_two_scripts_have_one_name() -> None:
    """Recordings are kept by name."""
    assert len(set(NAMES)) == len(NAMES)
