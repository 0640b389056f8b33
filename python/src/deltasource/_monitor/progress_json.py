# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the fields of Spark's progress, checking the type of each."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

from deltasource import _text
from deltasource._errors import ProgressError
from deltasource._lag import Lag
from deltasource._text import MAX_LONG, short_repr

# As Scala formats numbers: 12, 0.5, 1.0E-4; no sign, no NaN.
_WHOLE: Final = re.compile(r"[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?(E-?[0-9]{1,3})?")


def to_plain_values(progress: object) -> Mapping[str, Any]:
    """Copy a progress report into plain JSON values, so that nothing refers to the JVM."""
    if progress is None:
        raise ProgressError(
            "the query has reported no progress yet, so its `lastProgress` is None: wait for the "
            "end of its first batch, for example with `query.processAllAvailable()`"
        )
    if not isinstance(progress, Mapping):
        raise ProgressError(
            f"the progress must be a mapping, got {short_repr(progress)}: pass `lastProgress`"
        )
    try:
        return cast(Mapping[str, Any], _to_plain(progress))
    except RecursionError as error:
        raise ProgressError("the progress is nested too deeply") from error


def _to_plain(value: object) -> object:
    if isinstance(value, Mapping):
        # Not by items(): Spark's own mapping returns ids as text only for a lookup by name.
        given = cast(Mapping[object, object], value)
        return {str(key): _to_plain(given[key]) for key in given}
    if isinstance(value, tuple) and hasattr(value, "asDict"):
        # A Row of observed metrics.
        return _to_plain(cast(Any, value).asDict())
    if isinstance(value, list | tuple):
        return [_to_plain(one) for one in cast(Sequence[object], value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)


def string(raw: Mapping[str, Any], name: str) -> str:
    """Return a string."""
    value = raw.get(name)
    if not isinstance(value, str):
        raise _wrong(name, value, "a string")
    return value


def integer(raw: Mapping[str, Any], name: str, *, least: int = 0) -> int:
    """Return an integer that fits into a Java long."""
    value = raw.get(name)
    if type(value) is int and least <= value <= MAX_LONG:
        return value
    raise _wrong(name, value, f"an integer of at least {least}")


def boolean(raw: Mapping[str, Any], name: str) -> bool:
    """Return a boolean."""
    value = raw.get(name)
    if isinstance(value, bool):
        return value
    raise _wrong(name, value, "true or false")


def optional_string(raw: Mapping[str, Any], name: str) -> str | None:
    """Return a string, or None."""
    return None if raw.get(name) is None else string(raw, name)


def timestamp(raw: Mapping[str, Any], name: str) -> datetime:
    """Return a timestamp."""
    value = raw.get(name)
    parsed = _text.parse_timestamp(value) if isinstance(value, str) else None
    if parsed is None or parsed.tzinfo is None:
        raise _wrong(name, value, "a timestamp with a time zone")
    return parsed


def rows(raw: Mapping[str, Any], of_sources: Sequence[int]) -> int:
    """Return the rows of a batch; the sum over its sources if the server leaves them out."""
    name = "numInputRows"
    return sum(of_sources) if raw.get(name) is None else integer(raw, name)


def duration(raw: Mapping[str, Any]) -> int | None:
    """Return the duration of a batch, in milliseconds."""
    return None if raw.get("batchDuration") is None else integer(raw, "batchDuration")


def executed(raw: Mapping[str, Any]) -> bool:
    """Whether the batch was executed: Spark has measured its `addBatch`."""
    durations = raw.get("durationMs")
    return isinstance(durations, dict) and "addBatch" in durations


def sources(raw: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the sources, in order."""
    value = raw.get("sources")
    if isinstance(value, list):
        found = cast(list[object], value)
        if all(isinstance(one, dict) for one in found):
            return cast(list[Mapping[str, Any]], found)
    raise _wrong("sources", value, "a list of mappings")


def sink(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the sink."""
    value = raw.get("sink")
    if isinstance(value, dict):
        return cast(Mapping[str, Any], value)
    raise _wrong("sink", value, "a mapping")


class Metrics:
    """The metrics of a source or a sink: strings by name; a metric that is not known is missing."""

    def __init__(self, owner: str, metrics: object) -> None:
        name = f"{owner}.metrics"
        if metrics is not None and not isinstance(metrics, Mapping):
            raise _wrong(name, metrics, "a mapping")
        self._name = name
        self._metrics = cast(Mapping[str, object], metrics or {})

    def string(self, name: str) -> str | None:
        """Return a string, or None if it is missing."""
        value = self._metrics.get(name)
        if value is None or isinstance(value, str):
            return value
        raise _wrong(f"{self._name}.{name}", value, "a string")

    def boolean(self, name: str) -> bool | None:
        """Return a boolean, or None if it is missing."""
        value = self.string(name)
        if value is None or value in ("true", "false"):
            return None if value is None else value == "true"
        raise _wrong(f"{self._name}.{name}", value, '"true" or "false"')

    def integer(self, name: str) -> int | None:
        """Return an integer that is not negative, or None if it is missing."""
        value = self.string(name)
        if value is None:
            return None
        if _WHOLE.fullmatch(value) and int(value) <= MAX_LONG:
            return int(value)
        raise _wrong(f"{self._name}.{name}", value, "an integer of at least 0 as text")

    def decimal(self, name: str) -> float | None:
        """Return a number that is not negative, or None if it is missing."""
        value = self.string(name)
        if value is None:
            return None
        if _DECIMAL.fullmatch(value) and math.isfinite(float(value)):
            return float(value)
        raise _wrong(f"{self._name}.{name}", value, "a number of at least 0 as text")

    def lag(self) -> Lag | None:
        """Return the lag, or None if nothing is known of it."""
        lag = Lag(
            versions=self.integer("numVersionsOutstanding"),
            files=self.integer("numFilesOutstanding"),
            bytes=self.integer("numBytesOutstanding"),
            seconds=self.decimal("secondsOutstanding"),
        )
        unknown = lag == Lag(versions=None, files=None, bytes=None, seconds=None)
        return None if unknown else lag


def _wrong(name: str, value: object, allowed: str) -> ProgressError:
    return ProgressError(
        f"{name} in the progress or an event of a query must be {allowed}, got {short_repr(value)}"
    )
