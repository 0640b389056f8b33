# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Streams that are stopped on one line of Spark and resumed on another."""

from __future__ import annotations

import itertools

from parity.catalogue import PARTS
from parity.harness.both_sides import OURS, STOCK, Cast, on_line, turns
from parity.harness.recorded import Recordings
from parity.script import Script
from support import build

PART = "restarts"
SCRIPTS: tuple[Script, ...] = tuple(
    script
    for script in PARTS[PART]
    if script.hands_over and Recordings().same_on_every_line(PART, script)
)


def moves(script: Script) -> list[Cast]:
    """Ours between each two lines, upgraded or downgraded first, and upgraded from stock."""
    pairs = list(itertools.combinations(build.LINES, 2))
    ours = [(on_line(OURS, one), on_line(OURS, other)) for one, other in pairs]
    casts = [*ours, *((other, one) for one, other in ours)]
    casts += [(on_line(STOCK, old), on_line(OURS, new)) for old, new in pairs]
    return [turns(first, second, script) for first, second in casts]
