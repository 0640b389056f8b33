# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A stream of events that can only be applied, for tests without Spark."""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark.errors import AnalysisException

from support.fake_writers import EmptyCatalog, Writer

COLUMNS = [
    ("id", "int"),
    ("name", "string"),
    ("city", "string"),
    ("seq", "bigint"),
    ("op", "string"),
    ("score", "double"),
    ("tags", "array<string>"),
]
FEED = [
    ("id", "int"),
    ("name", "string"),
    ("_change_type", "string"),
    ("_commit_version", "bigint"),
    ("_commit_timestamp", "timestamp"),
]


@dataclass
class Events:
    """A fake streaming DataFrame; a condition is boolean if it compares."""

    dtypes: list[tuple[str, str]] = field(default_factory=lambda: COLUMNS)
    isStreaming: bool = True  # noqa: N815 - Spark's name
    sparkSession: object = field(default_factory=EmptyCatalog)  # noqa: N815 - Spark's name
    writeStream: Writer = field(default_factory=Writer)  # noqa: N815 - Spark's name

    def selectExpr(self, text: str) -> Events:  # noqa: N802 - Spark's name
        if "?" in text:
            raise AnalysisException("[PARSE] near '?'; \nline 1")
        return Events([("c", "boolean" if "=" in text else "int")])
