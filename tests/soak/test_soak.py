# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A short soak; `make soak` runs one for hours."""

from pathlib import Path

from parity.harness.worker import CONFS
from soak.__main__ import run
from soak.disturbance import Disturbance
from soak.stream import named

ROUNDS = (
    Disturbance.KILL_WRITER,
    Disturbance.KILL_DRIVER,
    Disturbance.STOP_QUERY,
    Disturbance.INTERRUPT_QUERY,
    Disturbance.FAULTS,
)


def test_streams_deliver_what_the_ledger_says_whatever_is_killed(tmp_path: Path) -> None:
    """Two streams, one of them on S3, with each kind of disturbance."""
    streams = [named("change-feed"), named("schema-tracking")]
    result = run(tmp_path, ROUNDS, streams=streams, seed=1, confs=CONFS, log=lambda _: None)
    assert result.wrong == ()
    assert result.rounds == {one.value: 1 for one in ROUNDS}
    assert all(rows > 60 for rows in result.rows.values())
    assert result.samples[-1].life == 1
