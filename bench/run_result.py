# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The result of a run: the JSON of `io.github.deltasource.bench.Drive`, in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.arrivals import Arrival


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The seconds that each part of planning a batch took."""

    latest_offset: float
    get_batch: float
    planning: float
    commit: float

    @property
    def source(self) -> float:
        """The time in the source itself."""
        return self.latest_offset + self.get_batch + self.commit

    @property
    def whole(self) -> float:
        return self.source + self.planning


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """The result of one run.

    start    seconds until the source was created; for a whole query, its duration
    polls    seconds of each `latestOffset` that found nothing new
    added    seconds that the sink took for each batch
    reads    seconds of reading the table before and after the run
    arrivals when each commit arrived in the copy of the table
    parts    seconds of each part of each batch, by the names in Spark's `durationMs`
    costs    counts: `jobs` of Spark; `list`, `status`, `open` of the log's folder, `bytes` and
             `lines` read of its commits; `cpuNanos` of the process; `jitMillis`, the time of its
             JIT compiler; `heapBytes`, the largest heap after a garbage collection
    """

    start: float
    batches: tuple[Batch, ...]
    polls: tuple[float, ...]
    added: tuple[float, ...]
    reads: tuple[float, ...]
    arrivals: tuple[Arrival, ...]
    parts: Mapping[str, tuple[float, ...]]
    costs: Mapping[str, int]

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> RunResult:
        return cls(
            start=result["startNanos"] / 1e9,
            batches=tuple(
                Batch(
                    latest_offset=batch["latestOffset"] / 1e9,
                    get_batch=batch["getBatch"] / 1e9,
                    planning=batch["planning"] / 1e9,
                    commit=batch["commit"] / 1e9,
                )
                for batch in result["batches"]
            ),
            polls=tuple(nanos / 1e9 for nanos in result["polls"]),
            added=tuple(millis / 1e3 for millis in result.get("added", [])),
            reads=tuple(nanos / 1e9 for nanos in result.get("readNanos", [])),
            arrivals=tuple(Arrival(**one) for one in result.get("arrivals", [])),
            parts={
                name: tuple(millis / 1e3 for millis in each)
                for name, each in result.get("durationMs", {}).items()
            },
            costs=result["costs"],
        )
