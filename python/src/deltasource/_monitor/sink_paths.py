# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The event sinks of a call, some of which are given as paths of files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from inspect import isfunction
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from deltasource._invalid_option import InvalidOption
from deltasource._monitor.event_sinks import (
    EventSink,
    json_lines,
    json_lines_rule,
    prometheus,
    prometheus_rule,
)
from deltasource._options.validation import Rule, broken

SinkOrPath: TypeAlias = EventSink | str | os.PathLike[str]

T = TypeVar("T")

_BY_SUFFIX: Final[Mapping[str, Callable[[Path], EventSink]]] = {
    ".jsonl": json_lines,
    ".prom": prometheus,
}
_RULES: Final[Mapping[str, Callable[[str, str], Rule]]] = {
    ".jsonl": json_lines_rule,
    ".prom": prometheus_rule,
}
SINK_ALLOWED: Final = (
    f"must be a file whose name ends with {' or '.join(_BY_SUFFIX)}, in a local folder that "
    "exists, or a function that takes an event"
)
CALLED = "must be what {name} returns, not {name} itself: call it, as in {call}"

CALLS: Final[Mapping[str, str]] = {
    "json_lines": 'json_lines("events.jsonl")',
    "log_progress": "log_progress()",
    "notebook_view": "notebook_view()",
    "opentelemetry": "opentelemetry()",
    "prometheus": 'prometheus("streams.prom")',
    "prometheus_http": "prometheus_http(9109)",
}
"""Our functions that create event sinks, and how each is called."""


def invalid_sinks(given: Sequence[object]) -> list[InvalidOption]:
    """Return what is wrong: each event sink by its position."""
    return broken(*(_rule(number, one) for number, one in enumerate(given)))


def to_event_sinks(given: Sequence[SinkOrPath]) -> list[EventSink]:
    """Return the event sinks, which must be valid."""
    return [_to_event_sink(one) for one in given]


def _to_event_sink(given: SinkOrPath) -> EventSink:
    if not isinstance(given, str | os.PathLike):
        return given
    path = os.fspath(given)
    return _of_suffix(_BY_SUFFIX, path)(Path(path))


def _of_suffix(by_suffix: Mapping[str, T], path: str) -> T:
    return next(one for suffix, one in by_suffix.items() if path.endswith(suffix))


def _rule(number: int, given: object) -> Rule:
    name = f"event_sinks[{number}]"
    create = _creates_sinks(given)
    if create is not None:
        return name, given, False, CALLED.format(name=create, call=CALLS[create])
    if not isinstance(given, str | os.PathLike):
        return name, given, callable(given), SINK_ALLOWED
    path = os.fspath(given)
    if not (isinstance(path, str) and path.endswith(tuple(_BY_SUFFIX))):
        return name, given, False, SINK_ALLOWED
    return _of_suffix(_RULES, path)(name, path)


def _creates_sinks(given: object) -> str | None:
    """Return the name of one of our functions that create event sinks; None for anything else."""
    if not isfunction(given) or not given.__module__.startswith("deltasource."):
        return None
    # What these functions return may be a function of ours, too, but not one of these names.
    return given.__qualname__ if given.__qualname__ in CALLS else None
