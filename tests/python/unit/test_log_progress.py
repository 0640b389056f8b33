# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Events as records of a log."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from deltasource import log_progress
from support.event_samples import ENDED, FAILED, IDLE, STARTED, behind
from support.progress_samples import QUERY, RUN


def test_a_log_gets_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """It goes to our logger at INFO, or to the given logger and level."""
    with caplog.at_level(logging.INFO):
        log_progress()(behind())
        log_progress(logging.getLogger("mine"), level=logging.WARNING)(behind())
    assert [(one.name, one.levelno, one.message) for one in caplog.records] == [
        ("deltasource", logging.INFO, str(behind())),
        ("mine", logging.WARNING, str(behind())),
    ]


def test_a_log_has_the_level_of_the_event(caplog: pytest.LogCaptureFixture) -> None:
    """A failure is an error, and waiting for data is not worth a line."""
    with caplog.at_level(logging.DEBUG):
        for event in (STARTED, IDLE, FAILED, ENDED):
            log_progress(level=logging.INFO)(event)
    assert [(one.levelno, one.message) for one in caplog.records] == [
        (logging.INFO, "'orders' started"),
        (logging.DEBUG, "'orders' waits for data"),
        (logging.ERROR, str(FAILED)),
        (logging.INFO, "'orders' ended"),
    ]


def logged(record: logging.LogRecord) -> dict[str, Any]:
    """Return the structured fields of a record."""
    fields = vars(record).items()
    return {
        name.removeprefix("deltasource_"): value
        for name, value in fields
        if name.startswith("deltasource_")
    }


def test_a_log_has_structured_fields(caplog: pytest.LogCaptureFixture) -> None:
    """They are plain values; what is not known is None."""
    with caplog.at_level(logging.INFO):
        for event in (STARTED, behind(), FAILED):
            log_progress()(event)
    common = {"query": "orders", "query_id": QUERY, "run_id": RUN}
    started, progressed, failed = map(logged, caplog.records)
    assert started == {"event": "started", **common}
    assert progressed == {
        "event": "progress",
        **common,
        "batch_id": 3,
        "executed": True,
        "rows": 10,
        "duration_ms": 350,
        "planning_ms": 12,
        "lag_versions": 4,
        "lag_files": 7,
        "lag_bytes": 99200005,
        "lag_seconds": 5400.25,
        "written_rows": None,
        "written_version": None,
    }
    assert failed == {
        "event": "failed",
        **common,
        "batch_id": 7,
        "condition": "FOREACH_BATCH_USER_FUNCTION_ERROR",
        "message": "ValueError: boom",
    }
