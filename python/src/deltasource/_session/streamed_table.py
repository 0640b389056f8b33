# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a stream reads, from the leaves of its plan in Java."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

OTHER: Final = "other sources"
"""The format of what is no source of version 1, which Delta's is: Kafka, for example."""
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
        if _kind(relation) != _TABLE:
            return cls(OTHER, None, None, None)
        source = relation.dataSource()
        path, version, time = (source.options().get(key) for key in _OPTIONS)
        return cls(source.className(), _value(path), _value(version), _value(time))


def streamed_tables(frame: Any) -> Sequence[StreamedTable]:
    """Return each source of a streaming DataFrame; one that it reads twice is returned twice."""
    return [StreamedTable.of(one) for one in _leaves(frame) if _kind(one).startswith(_TABLE)]


def _leaves(frame: Any) -> Sequence[Any]:
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    return [leaves.apply(i) for i in range(leaves.size())]


def _kind(leaf: Any) -> str:
    return str(leaf.getClass().getSimpleName())


def _value(option: Any) -> str | None:
    return str(option.get()) if option.isDefined() else None
