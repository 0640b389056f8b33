# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table that a stream reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

_OPTIONS: Final = ("path", "startingVersion", "startingTimestamp")


@dataclass(frozen=True)
class StreamedTable:
    """A source of a stream: its format, its path, and the version or time it starts at, if any."""

    format: str
    path: str | None
    version: str | None
    time: str | None

    @classmethod
    def of(cls, relation: Any) -> StreamedTable:
        """Return what a leaf of Spark's plan says."""
        source = relation.dataSource()
        path, version, time = (source.options().get(key) for key in _OPTIONS)
        return cls(source.className(), _value(path), _value(version), _value(time))


def _value(option: Any) -> str | None:
    return str(option.get()) if option.isDefined() else None
