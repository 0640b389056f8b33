# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Ours against stock's recordings, and live runs in which the two resume each other's checkpoints.

`make parity` runs stock live for every script and checks the recordings.
"""

import pytest

from parity.catalogue import PARTS
from parity.harness import live, stored_failures
from parity.harness.both_sides import OURS, STOCK, ScriptRunner, alone, in_turns
from parity.harness.recorded import Recordings
from parity.planning import random_scripts
from parity.planning.live_comparison import LiveComparison
from parity.planning.script import Plans
from parity.script import Script

SCRIPTS = [(part, script) for part, scripts in PARTS.items() for script in scripts]
SWAPPED = [script for script in PARTS["restarts"] if script.hands_over]
NAMES = [script.name for _, script in SCRIPTS]


@pytest.mark.parametrize(("part", "script"), SCRIPTS, ids=NAMES)
def test_ours_gives_what_stock_gave(
    runner: ScriptRunner, recordings: Recordings, part: str, script: Script
) -> None:
    """Rows, offsets, batch boundaries and errors of a script equal stock's."""
    ours = runner.traces(script, alone(OURS, script))[0]
    assert live.trace_faults(script, recordings.trace(part, script), ours, swapped=False) == []


@pytest.mark.parametrize("first", [STOCK, OURS])
@pytest.mark.parametrize("script", SWAPPED, ids=[script.name for script in SWAPPED])
def test_each_side_resumes_the_checkpoint_of_the_other(
    runner: ScriptRunner, recordings: Recordings, script: Script, first: str
) -> None:
    """A checkpoint of one side is resumed by the other as if it were its own."""
    mixed = runner.traces(script, in_turns(first, script))[0]
    assert (
        live.trace_faults(script, recordings.trace("restarts", script), mixed, swapped=True) == []
    )


def test_random_plans_are_the_same(runner: ScriptRunner) -> None:
    """A few random planning scripts give the same on both sides."""
    comparison = LiveComparison(runner.worker(STOCK), runner.worker(OURS))
    results = comparison.run([random_scripts.script(seed) for seed in range(12)])
    assert [result.faults for result in results if result.faults] == []


def test_stored_failures_pass(runner: ScriptRunner) -> None:
    """Scripts that once failed give the same on both sides."""
    comparison = LiveComparison(runner.worker(STOCK), runner.worker(OURS))
    faults = {
        name: comparison.run([script])[0].faults
        if isinstance(script, Plans)
        else live.every_way(runner, script)
        for name, script in stored_failures.kept().items()
    }
    assert {name: found for name, found in faults.items() if found} == {}


def test_no_two_scripts_have_the_same_trace(recordings: Recordings) -> None:
    """A script with the options, steps and trace of another would be redundant."""
    traces = [(script, recordings.trace(part, script)) for part, script in SCRIPTS]
    assert live.doubles(traces) == []


def test_each_side_runs_its_own_jar(runner: ScriptRunner) -> None:
    """Stock's source is loaded from the published jar and ours from the bundle."""
    name = "org.apache.spark.sql.delta.sources.DeltaSource"
    assert "delta-spark_" in runner.worker(STOCK).call("origin", name=name)
    assert "deltasource-spark_" in runner.worker(OURS).call("origin", name=name)
