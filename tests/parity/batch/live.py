# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the batch scripts live on both sides, and checks the recordings."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from parity.batch import recorded
from parity.batch.run import Runs
from parity.batch.script import BatchScript, Left
from parity.harness.both_sides import OURS, STOCK, ScriptRunner
from parity.harness.recorded import StaleError
from parity.sink.compare import differences


def both(
    runner: ScriptRunner, scripts: Iterable[BatchScript], folder: Path
) -> Iterator[tuple[BatchScript, list[str]]]:
    """Each script with its differences."""
    runs = Runs(runner.worker(STOCK), folder)
    for script in scripts:
        stock = runs.run(script, runner.worker(STOCK))
        ours = runs.run(script, runner.worker(OURS))
        yield script, differences(stock, ours) + _stale(script, stock)


def record(runner: ScriptRunner, scripts: Iterable[BatchScript], folder: Path) -> None:
    """Replaces all recordings of batch scripts."""
    runs = Runs(runner.worker(STOCK), folder)
    recorded.keep((script, runs.run(script, runner.worker(STOCK))) for script in scripts)


def _stale(script: BatchScript, stock: Left) -> list[str]:
    try:
        faults = differences(recorded.left(script), stock)
    except StaleError as error:
        return [str(error)]
    return [f"recording: {fault}" for fault in faults]
