# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The structured fields of an event in a log record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from deltasource._monitor.event_json import event_name
from deltasource._monitor.events import Event, QueryFailed
from deltasource._monitor.progress import Progress

Value: TypeAlias = str | int | float | bool | None


def log_fields(event: Event) -> Mapping[str, Value]:
    """Return the fields, for `extra`. All events of a kind have the same; None is unknown."""
    fields: dict[str, Value] = {
        "event": event_name(event),
        "query": event.query,
        "query_id": event.query_id,
        "run_id": event.run_id,
    }
    match event:
        case Progress():
            fields |= _of_progress(event)
        case QueryFailed():
            fields |= {
                "batch_id": event.batch_id,
                "condition": event.condition,
                "message": event.message,
            }
        case _:
            pass
    return {f"deltasource_{name}": value for name, value in fields.items()}


def _of_progress(progress: Progress) -> Mapping[str, Value]:
    lags = progress.lags.values()
    return {
        "batch_id": progress.batch_id,
        "executed": progress.executed,
        "rows": progress.rows,
        "duration_ms": progress.duration_ms,
        "planning_ms": progress.planning_ms,
        "lag_versions": _largest(lag.versions for lag in lags),
        "lag_files": _largest(lag.files for lag in lags),
        "lag_bytes": _largest(lag.bytes for lag in lags),
        "lag_seconds": _largest(lag.seconds for lag in lags),
        "written_rows": progress.sink.rows,
        "written_version": progress.sink.version,
    }


def _largest(numbers: Iterable[float | None]) -> float | None:
    """Return the number of the source that is furthest behind."""
    return max((one for one in numbers if one is not None), default=None)
