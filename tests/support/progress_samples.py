# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Sample query progress for tests, in Spark's format."""

from __future__ import annotations

from typing import Any

QUERY = "6f5e1d3c-6a0b-4d0e-9f5c-3a1b2c3d4e5f"
RUN = "0c1d2e3f-1111-4222-8333-444455556666"
TABLE = "DeltaSource[file:/tables/orders]"

BEHIND = {
    "numVersionsOutstanding": "4",
    "numFilesOutstanding": "7",
    "numBytesOutstanding": "99200005",
    "secondsOutstanding": "5400.25",
    "planningTimeMs": "12",
    "batchClosedBy": "maxFilesPerTrigger",
}
"""The metrics of our source when it is behind."""


WRITTEN = {
    "batchSkipped": "false",
    "version": "12",
    "numAddedFiles": "2",
    "numRemovedFiles": "1",
    "numOutputRows": "5",
    "numOutputBytes": "1497",
}
"""The metrics of our sink for a batch that it wrote."""

APPLIED = {
    "numRowsInserted": "3",
    "numRowsUpdated": "2",
    "numRowsDeleted": "4",
    "numEventsIgnored": "6",
    "numEventsStored": "8",
    "numLateAfterTombstones": "9",
    "numFilesRead": "10",
    "numFilesPruned": "11",
    "numFilesChanged": "12",
}
"""The metrics that our sink has besides these for a batch of changes that it applied."""


def sink(**metrics: Any) -> dict[str, Any]:
    """Return Spark's progress of a sink."""
    return {"description": "DeltaSink[/tables/copy]", "numOutputRows": -1, "metrics": metrics}


def source(rows: int = 5, description: str = TABLE, /, **metrics: Any) -> dict[str, Any]:
    """Return Spark's progress of one source."""
    return {
        "description": description,
        "startOffset": "null",
        "endOffset": "{}",
        "latestOffset": "null",
        "numInputRows": rows,
        "inputRowsPerSecond": 1.0,
        "processedRowsPerSecond": 2.0,
        "metrics": metrics,
    }


def progress(*sources: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return Spark's progress of one batch."""
    given = list(sources) or [source()]
    return {
        "id": QUERY,
        "runId": RUN,
        "name": "orders",
        "timestamp": "2026-11-21T17:02:36.330Z",
        "batchId": 3,
        "batchDuration": 350,
        "durationMs": {"addBatch": 300, "triggerExecution": 350},
        "eventTime": {},
        "stateOperators": [],
        "sources": given,
        "sink": {"description": "sink", "numOutputRows": -1},
        "numInputRows": sum(one["numInputRows"] for one in given),
        "inputRowsPerSecond": 1.0,
        "processedRowsPerSecond": 2.0,
        "observedMetrics": {},
        **fields,
    }
