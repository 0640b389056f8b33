# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Events as JSON values. A progress report is Spark's own JSON; the others have a field `event`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from deltasource._errors import ProgressError
from deltasource._monitor import progress_json as fields
from deltasource._monitor.events import Event, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from deltasource._monitor.progress import Progress
from deltasource._text import short_repr

_NAMES: Final[Mapping[type, str]] = {
    QueryStarted: "started",
    Progress: "progress",
    QueryIdle: "idle",
    QueryFailed: "failed",
    QueryEnded: "ended",
}


def event_name(event: Event) -> str:
    """Return the name of an event in JSON lines and logs."""
    return _NAMES[type(event)]


def to_json(event: Event) -> Mapping[str, Any]:
    """Return an event as plain JSON values."""
    if isinstance(event, Progress):
        return event.raw
    return {
        "event": event_name(event),
        "id": event.query_id,
        "runId": event.run_id,
        "name": event.name,
        "timestamp": event.timestamp.isoformat(),
        **_details(event),
    }


def from_json(values: object) -> Event:
    """Return the event of such JSON values, or raise ProgressError."""
    if not isinstance(values, Mapping) or "event" not in values:
        return Progress.of(values)  # type: ignore[arg-type] # refused unless it is a mapping
    raw = fields.to_plain_values(values)
    common: Mapping[str, Any] = {
        "query_id": fields.string(raw, "id"),
        "run_id": fields.string(raw, "runId"),
        "name": fields.optional_string(raw, "name"),
        "timestamp": fields.timestamp(raw, "timestamp"),
    }
    match raw["event"]:
        case "started":
            return QueryStarted(**common, already_running=fields.boolean(raw, "alreadyRunning"))
        case "idle":
            return QueryIdle(**common)
        case "failed":
            return QueryFailed(
                **common,
                condition=fields.optional_string(raw, "condition"),
                message=fields.string(raw, "message"),
                exception=fields.string(raw, "exception"),
                batch_id=None if raw.get("batchId") is None else fields.integer(raw, "batchId"),
            )
        case "ended":
            return QueryEnded(**common)
        case other:
            raise ProgressError(f"event must be one of {_NAMED}, got {short_repr(other)}")


_NAMED: Final = ", ".join(repr(name) for kind, name in _NAMES.items() if kind is not Progress)


def _details(event: QueryStarted | QueryIdle | QueryFailed | QueryEnded) -> Mapping[str, Any]:
    match event:
        case QueryStarted():
            return {"alreadyRunning": event.already_running}
        case QueryFailed():
            return {
                "condition": event.condition,
                "message": event.message,
                "exception": event.exception,
                "batchId": event.batch_id,
            }
        case _:
            return {}
