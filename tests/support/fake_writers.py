# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A streaming DataFrame whose writer only records its calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pyspark.errors import AnalysisException

import deltasource


@dataclass
class Writer:
    """A fake writer that records its calls."""

    asked: dict[str, Any] = field(default_factory=dict[str, Any])

    def format(self, name: str) -> Writer:
        return self.options(format=name)

    def outputMode(self, mode: str) -> Writer:  # noqa: N802 - Spark's name
        return self.options(mode=mode)

    def options(self, **options: str) -> Writer:
        self.asked |= options
        return self

    def option(self, key: str, value: str) -> Writer:
        return self.options(**{key: value})

    def partitionBy(self, *columns: str) -> Writer:  # noqa: N802 - Spark's name
        self.asked["partitionBy"] = columns
        return self

    def queryName(self, name: str) -> Writer:  # noqa: N802 - Spark's name
        return self.options(name=name)

    def trigger(self, **trigger: object) -> Writer:
        self.asked["trigger"] = trigger
        return self

    def start(self, path: str) -> dict[str, Any]:
        return {**self.asked, "start": path}

    def toTable(self, name: str) -> dict[str, Any]:  # noqa: N802 - Spark's name
        return {**self.asked, "toTable": name}


class EmptyCatalog:
    """A fake session without a table."""

    @property
    def read(self) -> EmptyCatalog:
        return self

    def sql(self, _query: str) -> NoReturn:
        raise AnalysisException("[TABLE_OR_VIEW_NOT_FOUND] There is no table.")

    def format(self, _name: str) -> EmptyCatalog:
        return self

    def load(self, path: str) -> NoReturn:
        self.sql(path)

    def table(self, name: str) -> NoReturn:
        self.sql(name)


@dataclass
class Frame:
    """A fake DataFrame that can only be written, by default a stream."""

    sparkSession: object = field(default_factory=EmptyCatalog)  # noqa: N815 - Spark's name
    writeStream: Writer = field(default_factory=Writer)  # noqa: N815 - Spark's name
    isStreaming: bool = True  # noqa: N815 - Spark's name
    dtypes: tuple[tuple[str, str], ...] = (("id", "bigint"), ("day", "date"), ("place", "struct<>"))


def written(table: str | Path, *, frame: Any = None, **arguments: Any) -> Any:
    """Write to a table, and return the recorded calls."""
    frame = frame or Frame()
    return deltasource.write_stream(frame, table, **arguments)
