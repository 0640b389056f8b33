# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A benchmark scenario: a table, a stream over it, and what is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from bench.changes import Changes
from bench.run_result import RunResult

Action: TypeAlias = Literal[
    "drain", "idle", "follow", "restart", "noop", "copy", "add", "mirror", "apply"
]
Scale: TypeAlias = Literal["small", "full"]

ALL: Final = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measured time.

    seconds   reads it from the result of a run
    ratio     the target: how many times faster than delta-spark ours must be; None without target
    limit     the target in seconds; None without target
    at        the size the target applies to; None for the largest
    growth    the factor by which the time may grow from the base size; None if there is one size
    since     the base size; None for half of each size
    floor     whether the scenario's floor is a lower bound of this time
    """

    name: str
    seconds: Callable[[RunResult], float]
    ratio: float | None = None
    limit: float | None = None
    at: int | None = None
    growth: float | None = 2.2
    since: int | None = None
    floor: bool = True


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A table of some size, and a stream over it.

    write   writes the table into one folder and, for `follow` and `mirror`, the versions that
            arrive during the run into another; None if delta-spark writes the table, with data
    action  `noop` and `copy` run whole queries into that sink, or into a table; `add` writes small
            batches into the table; `mirror` copies versions into a table as they arrive; `apply`
            applies changes to the table; others only plan
    sizes   from small to large, for each scale
    warm    the size of a table that each process reads first, for at most ten batches, to warm up
    batches how many to plan at most, by scale
    floor   whether a lower bound is measured: reading the log once, or `bench.changes.floor`
    changes what `apply` changes
    """

    name: str
    title: str
    unit: str
    write: Callable[[Path, Path, int], None] | None
    action: Action
    sizes: Mapping[Scale, tuple[int, ...]]
    measures: tuple[Measure, ...]
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    warm: int = 3_000
    batches: Mapping[Scale, int] = field(default_factory=lambda: {"small": ALL, "full": ALL})
    now: bool = False
    polls: int = 0
    floor: bool = True
    changes: Changes | None = None
