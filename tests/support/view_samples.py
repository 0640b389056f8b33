# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Sample events of several queries, for their live views."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from deltasource import Event, Progress, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from support.progress_samples import BEHIND, progress, source

START: Final = datetime(2026, 11, 21, 17, 0, tzinfo=timezone.utc)
HOSTILE: Final = "<script>alert('x')</script>\x1b[31m\nred & \"quoted\" " + "x" * 300


def _of(name: str, seconds: float, run: str) -> dict[str, Any]:
    at = START + timedelta(seconds=seconds)
    return {"query_id": f"id of {name}", "run_id": run, "name": name, "timestamp": at}


def started(name: str = "orders", seconds: float = 0, run: str = "first") -> QueryStarted:
    return QueryStarted(**_of(name, seconds, run))


def idle(name: str = "orders", seconds: float = 0, run: str = "first") -> QueryIdle:
    return QueryIdle(**_of(name, seconds, run))


def ended(name: str = "orders", seconds: float = 0, run: str = "first") -> QueryEnded:
    return QueryEnded(**_of(name, seconds, run))


def failed(
    name: str = "orders",
    seconds: float = 0,
    run: str = "first",
    *,
    condition: str | None = "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
    message: str = "Detected a data update",
) -> QueryFailed:
    return QueryFailed(
        **_of(name, seconds, run),
        condition=condition,
        message=message,
        exception=message,
        batch_id=None,
    )


def batch(
    number: int,
    *sources: dict[str, Any],
    name: str = "orders",
    seconds: float = 0,
    rows: int = 10,
    took: int | None = 1000,
    run: str = "first",
    executed: bool = True,
) -> Progress:
    """Return a progress that began a number of seconds after the start."""
    at = START + timedelta(seconds=seconds)
    durations = {"addBatch": 1} if executed else {"triggerExecution": 1}
    return Progress.of(
        progress(
            *sources,
            id=f"id of {name}",
            runId=run,
            name=name,
            batchId=number,
            timestamp=at.isoformat(),
            numInputRows=rows,
            batchDuration=took,
            durationMs=durations,
        )
    )


def in_snapshot(number: int, percent: float, **given: Any) -> Progress:
    """Return a batch inside the initial snapshot."""
    return batch(number, source(initialSnapshotPercent=str(percent)), **given)


SEVERAL: Final[Sequence[Event]] = (
    started("orders_backfill"),
    *(
        in_snapshot(n, n * 10 + 10, name="orders_backfill", seconds=n * 60, rows=900 + n * 300)
        for n in range(4)
    ),
    started("payments"),
    batch(0, name="payments", rows=40),
    failed("payments", 5),
    started("items"),
    batch(1203, source(**BEHIND), name="items", rows=12_345, took=250),
    started("nightly"),
    batch(0, name="nightly", seconds=1),
    ended("nightly", 3),
    started("waiting"),
    idle("waiting", 20),
)
"""A query in its backfill, one that has failed, one that is behind, one at its end, one idle."""
