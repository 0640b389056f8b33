# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Ours against what stock gave, and checkpoints that change hands between the two, live.

What stock gave is recorded. `make parity` runs stock live for every script, and sees to it that the
recordings are still true.
"""

import pytest

from parity import live, store
from parity.catalogue import PARTS
from parity.planning import dice
from parity.planning.script import Plans
from parity.planning.trial import Trial
from parity.recorded import Recordings
from parity.script import Script
from parity.stage import OURS, STOCK, Stage, alone, in_turns

SCRIPTS = [(part, script) for part, scripts in PARTS.items() for script in scripts]
SWAPPED = [script for script in PARTS["restarts"] if script.hands_over]
NAMES = [script.name for _, script in SCRIPTS]


@pytest.mark.parametrize(("part", "script"), SCRIPTS, ids=NAMES)
def test_ours_gives_what_stock_gave(
    stage: Stage, recordings: Recordings, part: str, script: Script
) -> None:
    """Rows, offsets, batch boundaries and errors of a script are those of stock."""
    ours = stage.traces(script, alone(OURS, script))[0]
    assert live.judged(script, recordings.trace(part, script), ours, swapped=False) == []


@pytest.mark.parametrize("first", [STOCK, OURS])
@pytest.mark.parametrize("script", SWAPPED, ids=[script.name for script in SWAPPED])
def test_a_checkpoint_changes_hands(
    stage: Stage, recordings: Recordings, script: Script, first: str
) -> None:
    """A checkpoint of one side is resumed by the other as if nobody had changed places."""
    mixed = stage.traces(script, in_turns(first, script))[0]
    assert live.judged(script, recordings.trace("restarts", script), mixed, swapped=True) == []


def test_random_plans_are_the_same(stage: Stage) -> None:
    """A few of the random planning scripts, on both sides."""
    trial = Trial(stage.side(STOCK), stage.side(OURS))
    results = trial.run([dice.script(seed) for seed in range(12)])
    assert [result.faults for result in results if result.faults] == []


def test_what_once_failed_does_so_no_more(stage: Stage) -> None:
    """Stored failures give the same on both sides."""
    trial = Trial(stage.side(STOCK), stage.side(OURS))
    faults = {
        name: trial.run([script])[0].faults
        if isinstance(script, Plans)
        else live.every_way(stage, script)
        for name, script in store.kept().items()
    }
    assert {name: found for name, found in faults.items() if found} == {}


def test_no_two_scripts_have_the_same_trace(recordings: Recordings) -> None:
    """A script whose options, steps and outcome are those of another shows nothing of its own."""
    traces = [(script, recordings.trace(part, script)) for part, script in SCRIPTS]
    assert live.doubles(traces) == []


def test_each_side_is_what_it_says(stage: Stage) -> None:
    """Stock's source comes from the published jar and ours from the bundle."""
    name = "org.apache.spark.sql.delta.sources.DeltaSource"
    assert "delta-spark_" in stage.side(STOCK).call("origin", name=name)
    assert "deltasource-spark_" in stage.side(OURS).call("origin", name=name)
