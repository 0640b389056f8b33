# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table that a stream reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StreamedTable:
    """A source of a stream: its format, its path and its starting version, if it has them."""

    format: str
    path: str | None
    start: str | None

    @classmethod
    def of(cls, relation: Any) -> StreamedTable:
        """Return what a leaf of Spark's plan says."""
        source = relation.dataSource()
        path, start = (source.options().get(key) for key in ("path", "startingVersion"))
        return cls(source.className(), _value(path), _value(start))


def _value(option: Any) -> str | None:
    return str(option.get()) if option.isDefined() else None
