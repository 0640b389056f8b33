# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Sample events of a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Final

from deltasource import Event, Progress, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from support.exception_samples import PYTHON, PYTHON_CONDITION
from support.progress_samples import APPLIED, BEHIND, QUERY, RUN, WRITTEN, progress, sink, source


def _common(minute: int) -> dict[str, Any]:
    at = datetime(2026, 11, 21, 17, minute, tzinfo=timezone.utc)
    return {"query_id": QUERY, "run_id": RUN, "name": "orders", "timestamp": at}


STARTED: Final = QueryStarted(**_common(2))
IDLE: Final = QueryIdle(**_common(3))
FAILED: Final = QueryFailed(
    **_common(3),
    condition=PYTHON_CONDITION,
    message="ValueError: boom",
    exception=PYTHON,
    batch_id=7,
)
ENDED: Final = QueryEnded(**_common(3))


def behind(**fields: object) -> Progress:
    """Return a progress of a query that is behind, with two sources."""
    return Progress.of(progress(source(**BEHIND), source(initialSnapshotPercent="25"), **fields))


FIRST_RUN: Final[Sequence[Event]] = (
    STARTED,
    behind(),
    behind(batchId=4, sink=sink(**WRITTEN)),
)
NEXT_RUN: Final[Sequence[Event]] = (
    replace(STARTED, run_id="next"),
    behind(runId="next", batchId=5),
)
APPLYING: Final[Event] = behind(batchId=5, sink=sink(**WRITTEN, **APPLIED))
"""A batch of a query that applies changes, which reports more than others."""
