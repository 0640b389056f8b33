# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The fields of Spark's progress, each taken out with its type or refused by its name."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

from deltasource import _text
from deltasource._text import MAX_LONG, shown
from deltasource.errors import ProgressError

# As Scala writes numbers: 12, 0.5, 1.0E-4; no sign, no NaN.
_WHOLE: Final = re.compile(r"[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?(E-?[0-9]{1,3})?")


def plain(progress: object) -> Mapping[str, Any]:
    """Copy a progress into what JSON can hold, so that nothing of it lives on in a JVM."""
    if not isinstance(progress, Mapping):
        raise ProgressError(f"{shown(progress)} is no progress of a query: give the mapping itself")
    try:
        return cast(Mapping[str, Any], _plain(progress))
    except RecursionError as error:
        raise ProgressError("this progress is nested too deeply") from error


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        # Not by its items: Spark's own mapping answers ids as texts only when asked by name.
        given = cast(Mapping[object, object], value)
        return {str(key): _plain(given[key]) for key in given}
    if isinstance(value, tuple) and hasattr(value, "asDict"):
        # A row, of observed metrics.
        return _plain(cast(Any, value).asDict())
    if isinstance(value, list | tuple):
        return [_plain(one) for one in cast(Sequence[object], value)]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)


def text(raw: Mapping[str, Any], name: str) -> str:
    """Answer a text."""
    value = raw.get(name)
    if not isinstance(value, str):
        raise _wrong(name, value, "a text")
    return value


def whole(raw: Mapping[str, Any], name: str, *, least: int = 0) -> int:
    """Answer a whole number that Java's long can hold."""
    value = raw.get(name)
    if type(value) is int and least <= value <= MAX_LONG:
        return value
    raise _wrong(name, value, f"a whole number, at least {least}")


def instant(raw: Mapping[str, Any], name: str) -> datetime:
    """Answer an instant."""
    value = raw.get(name)
    at = _text.instant(value) if isinstance(value, str) else None
    if at is None or at.tzinfo is None:
        raise _wrong(name, value, "a time in UTC")
    return at


def rows(raw: Mapping[str, Any], of_sources: Sequence[int]) -> int:
    """Answer the rows of a batch; a server that leaves them out means the sum of its sources."""
    name = "numInputRows"
    return sum(of_sources) if raw.get(name) is None else whole(raw, name)


def duration(raw: Mapping[str, Any]) -> int | None:
    """Answer how long a batch took."""
    return None if raw.get("batchDuration") is None else whole(raw, "batchDuration")


def sources(raw: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Answer the sources, in their order."""
    value = raw.get("sources")
    if isinstance(value, list):
        found = cast(list[object], value)
        if all(isinstance(one, dict) for one in found):
            return cast(list[Mapping[str, Any]], found)
    raise _wrong("sources", value, "a list of mappings")


def sink(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Answer the sink."""
    value = raw.get("sink")
    if isinstance(value, dict):
        return cast(Mapping[str, Any], value)
    raise _wrong("sink", value, "a mapping")


class Metrics:
    """What a source or sink says of itself: texts by name. What it does not know, it leaves out."""

    def __init__(self, whose: str, metrics: object) -> None:
        name = f"{whose}.metrics"
        if metrics is not None and not isinstance(metrics, Mapping):
            raise _wrong(name, metrics, "a mapping")
        self._name = name
        self._metrics = cast(Mapping[str, object], metrics or {})

    def text(self, name: str) -> str | None:
        """Answer a text, or None where there is none."""
        value = self._metrics.get(name)
        if value is None or isinstance(value, str):
            return value
        raise _wrong(f"{self._name}.{name}", value, "a text")

    def flag(self, name: str) -> bool | None:
        """Answer true or false, or None where there is neither."""
        value = self.text(name)
        if value is None or value in ("true", "false"):
            return None if value is None else value == "true"
        raise _wrong(f"{self._name}.{name}", value, '"true" or "false"')

    def whole(self, name: str) -> int | None:
        """Answer a whole number that is not negative, or None where there is none."""
        value = self.text(name)
        if value is None:
            return None
        if _WHOLE.fullmatch(value) and int(value) <= MAX_LONG:
            return int(value)
        raise _wrong(f"{self._name}.{name}", value, "a whole number as text, at least 0")

    def decimal(self, name: str) -> float | None:
        """Answer a number that is not negative, or None where there is none."""
        value = self.text(name)
        if value is None:
            return None
        if _DECIMAL.fullmatch(value) and math.isfinite(float(value)):
            return float(value)
        raise _wrong(f"{self._name}.{name}", value, "a number as text, at least 0")


def _wrong(name: str, value: object, allowed: str) -> ProgressError:
    return ProgressError(
        f"{name} = {shown(value)} in the progress of a query: it must be {allowed}"
    )
