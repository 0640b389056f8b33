# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a scenario is: a table, the stream over it, and which of its times count."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from bench.told import Told

Action: TypeAlias = Literal["drain", "idle", "follow", "restart", "noop", "copy", "add"]
Scale: TypeAlias = Literal["small", "full"]

ALL: Final = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One time that counts.

    seconds   takes it out of what a run told
    ratio     how many times faster than delta-spark ours is to be; None where that is not asked
    at        the size for which the ratio is asked; None for the largest
    growth    by how much it may grow when the work doubles, or since that size
    since     the size from which growth counts; None for half of each
    """

    name: str
    seconds: Callable[[Told], float]
    ratio: float | None
    at: int | None = None
    growth: float = 2.2
    since: int | None = None


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A table of some size, and a stream over it.

    write   lays the table and, for `follow`, the versions that are waiting, into two folders; None
            where delta-spark writes it, with data
    action  `noop` and `copy` run whole queries into that sink, or into a table; `add` writes small
            batches into the table; others only plan
    sizes   from small to large, for each scale
    warm    the size of a table that each process reads first, for at most ten batches: a stream
            that runs has its classes loaded
    batches how many to plan at most, by scale
    floor   whether reading the log once is what the stream cannot do without
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
