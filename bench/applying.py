# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The scenarios that apply changes to a table; their targets are from issue 26."""

from __future__ import annotations

from typing import Final

from bench import measures
from bench.changes import Changes
from bench.scenario import Measure, Scenario

APPLYING: Final = tuple(
    Scenario(
        name=name,
        warm=250_000,
        title=f"{events} events a batch for {changes.where} keys, applied to a table",
        unit="rows in the table",
        write=None,
        action="apply",
        sizes={"small": (2_000_000, 4_000_000), "full": (2_000_000, 20_000_000)},
        measures=(
            Measure(
                name="sink time per batch",
                seconds=measures.added,
                ratio=ratio,
                growth=growth,
                since=2_000_000,
            ),
            *(
                Measure(
                    name=f"reading {when}", seconds=read, growth=11, since=2_000_000, floor=False
                )
                for when, read in (
                    ("before", measures.read_before),
                    ("afterwards", measures.read_after),
                )
            ),
        ),
        changes=changes,
    )
    for name, events, ratio, growth, changes in (
        ("apply-recent", "10,000", 10, 1.3, Changes(where="recent")),
        ("apply-random", "10,000", 1.5, 11, Changes(where="random")),
        ("apply-recent-share", "1 % as many", 10, 11, Changes(where="recent", share=0.01)),
        ("apply-random-share", "1 % as many", 1.5, 11, Changes(where="random", share=0.01)),
    )
)
