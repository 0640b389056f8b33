# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a stream reads, from the leaves of its plan in Java."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_TABLE: Final = "StreamingRelation"
"""A source that is not Delta's may have another class, whose name begins with this."""
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


def streamed_tables(frame: Any) -> Sequence[StreamedTable]:
    """Return each table that a streaming DataFrame reads."""
    return [StreamedTable.of(one) for one in _leaves(frame) if _kind(one) == _TABLE]


def count_sources(frame: Any) -> int:
    """Return how many sources a streaming DataFrame has; one that it reads twice counts twice."""
    return sum(_kind(one).startswith(_TABLE) for one in _leaves(frame))


def _leaves(frame: Any) -> Sequence[Any]:
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    return [leaves.apply(i) for i in range(leaves.size())]


def _kind(leaf: Any) -> str:
    return str(leaf.getClass().getSimpleName())


def _value(option: Any) -> str | None:
    return str(option.get()) if option.isDefined() else None
