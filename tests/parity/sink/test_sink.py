# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The sink against stock's recordings, and live runs that alternate with stock."""

from pathlib import Path

import pytest

from parity.harness.both_sides import OURS, STOCK, ScriptRunner, alone, in_turns
from parity.sink import recorded
from parity.sink.catalogue import SCRIPTS
from parity.sink.compare import outcome_faults
from parity.sink.run import run
from parity.sink.script import SinkScript

SWAPPED = ("an existing table", "a batch replayed twice", "enough batches for checkpoints")
NAMES = [script.name for script in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=NAMES)
def test_ours_makes_the_table_that_stock_makes(
    runner: ScriptRunner, script: SinkScript, tmp_path: Path
) -> None:
    """Commits, checksum files, checkpoints, schema, rows and errors equal stock's."""
    ours = run(runner, script, alone(OURS, script), tmp_path)
    assert outcome_faults(script, recorded.outcome(script), ours) == []


@pytest.mark.parametrize("first", [STOCK, OURS])
@pytest.mark.parametrize("name", SWAPPED)
def test_each_side_resumes_the_query_of_the_other(
    runner: ScriptRunner, name: str, first: str, tmp_path: Path
) -> None:
    """A run of one side continues the other's checkpoint and table as if they were its own."""
    (script,) = (script for script in SCRIPTS if script.name == name)
    mixed = run(runner, script, in_turns(first, script), tmp_path)
    assert outcome_faults(script, recorded.outcome(script), mixed) == []


def test_script_names_are_unique() -> None:
    """Recordings are keyed by name."""
    assert len(set(NAMES)) == len(NAMES)
