# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The batch scripts live: both sides, and whether the recordings still hold."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from parity.batch import recorded
from parity.batch.run import Runs
from parity.batch.script import BatchScript, Left
from parity.recorded import StaleError
from parity.sink.judge import apart
from parity.stage import OURS, STOCK, Stage


def both(
    stage: Stage, scripts: Iterable[BatchScript], folder: Path
) -> Iterator[tuple[BatchScript, list[str]]]:
    """Each script with what differs."""
    runs = Runs(stage.side(STOCK), folder)
    for script in scripts:
        stock = runs.run(script, stage.side(STOCK))
        ours = runs.run(script, stage.side(OURS))
        yield script, apart(stock, ours) + _stale(script, stock)


def record(stage: Stage, scripts: Iterable[BatchScript], folder: Path) -> None:
    """Replaces all recordings of batch scripts."""
    runs = Runs(stage.side(STOCK), folder)
    recorded.keep((script, runs.run(script, stage.side(STOCK))) for script in scripts)


def _stale(script: BatchScript, stock: Left) -> list[str]:
    try:
        faults = apart(recorded.left(script), stock)
    except StaleError as error:
        return [str(error)]
    return [f"recording: {fault}" for fault in faults]
