# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A fake session whose readers record their calls, and how Spark fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from pyspark.errors import AnalysisException


class Asked(dict[str, str]):
    """What a reader was asked for, in place of the DataFrame of a change feed."""

    columns = ("_change_type",)
    dtypes = (("_change_type", "string"),)


@dataclass
class Reader:
    """A fake reader that records its calls."""

    asked: dict[str, str] = field(default_factory=dict[str, str])

    def options(self, **options: str) -> Reader:
        self.asked |= options
        return self

    def name(self, source: str) -> Reader:
        self.asked["name"] = source
        return self

    def format(self, name: str) -> Reader:
        self.asked["format"] = name
        return self

    def load(self, path: str) -> Asked:
        return Asked(self.asked, load=path)

    def table(self, name: str) -> Asked:
        return Asked(self.asked, table=name)


@dataclass
class Session:
    """A fake session with readers, neither classic nor Connect."""

    read: Any = field(default_factory=Reader)
    readStream: Any = None  # noqa: N815 - Spark's name
    streams: Any = None
    conf: Mapping[str, str] = field(default_factory=dict[str, str])

    def sql(self, sqlQuery: str) -> Any:  # noqa: N803 - Spark's name
        if sqlQuery.startswith("SHOW TBLPROPERTIES "):
            enabled = {"key": "delta.enableChangeDataFeed", "value": "true"}
            return SimpleNamespace(collect=lambda: [enabled])
        if sqlQuery.startswith("DESCRIBE TABLE "):
            return SimpleNamespace(collect=list)
        raise AssertionError(sqlQuery)


class Failed(AnalysisException):
    """An error of Spark with a condition."""

    def __init__(self, condition: str) -> None:
        super().__init__("Table schema is not set.")
        self._condition = condition

    def getCondition(self) -> str:  # noqa: N802 - Spark's name
        return self._condition
