# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""When the commits of one table arrived in another, from both logs and the query's progress."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from deltasource import Offset


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """A commit of the source that is in a commit of the target.

    landed         when the source's commit landed, in seconds since the first
    seconds        from then until the target's commit was written
    at_checkpoint  whether the target has a checkpoint at this version of it, or the one before
    """

    landed: float
    seconds: float
    at_checkpoint: bool


@dataclass(frozen=True)
class TargetCommit:
    """A commit of the target: its version, and when it was written, in nanoseconds since 1970."""

    version: int
    written: int


def arrivals(landed: Mapping[int, int], ends: Mapping[int, str], log: Path) -> list[Arrival]:
    """Return the arrival of each version of the source.

    landed  when each version landed, in nanoseconds since 1970
    ends    the end offset of each batch
    log     the log folder of the target
    """
    commits = target_commits(log)
    batches = sorted(ends)
    read = [last_version(ends[batch]) for batch in batches]
    checkpoints = checkpoint_versions(log)
    first = min(landed.values())
    found: list[Arrival] = []
    for version, time in sorted(landed.items()):
        commit = commits[batches[bisect_left(read, version)]]
        found.append(
            Arrival(
                landed=round((time - first) / 1e9, 4),
                seconds=round((commit.written - time) / 1e9, 4),
                at_checkpoint=not checkpoints.isdisjoint({commit.version, commit.version - 1}),
            )
        )
    return found


def last_version(offset: str) -> int:
    """Return the last version that a batch with this end offset has read; each has one file."""
    end = Offset.parse(offset)
    if end is None:
        raise ValueError(f"not an offset: {offset}")
    return end.version if end.index >= 0 else end.version - 1


def target_commits(log: Path) -> dict[int, TargetCommit]:
    """Return the commits of a query to a table, by batch."""
    found: dict[int, TargetCommit] = {}
    for file in sorted(log.glob("*.json")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "txn" in (action := json.loads(line)):
                commit = TargetCommit(int(file.stem), file.stat().st_mtime_ns)
                found[action["txn"]["version"]] = commit
    return found


def checkpoint_versions(log: Path) -> set[int]:
    """Return the versions for which a table has a checkpoint."""
    names = (re.match(r"(\d{20})\.checkpoint\.", file.name) for file in log.iterdir())
    return {int(name[1]) for name in names if name is not None}


def percentile(percent: int, seconds: Sequence[float]) -> float:
    """Return a percentile, from 1 to 99, of at least two times."""
    return quantiles(seconds, n=100, method="inclusive")[percent - 1]
