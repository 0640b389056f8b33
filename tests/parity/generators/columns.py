# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Columns of a table as SQL declares and fills them, each with distinct values.

A column's tag is part of its values, so that the rows show when one column is read as another.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDER = {"SMALLINT": ("INT", "BIGINT"), "INT": ("BIGINT", "DOUBLE"), "FLOAT": ("DOUBLE",)}
VALUES = {
    "STRING": "concat('{tag}-', CAST(id AS STRING))",
    "SMALLINT": "CAST({tag} * 100 + id % 100 AS SMALLINT)",
    "INT": "CAST({tag} * 100000 + id AS INT)",
    "BIGINT": "{tag} * 10000000000 + id",
    "FLOAT": "CAST({tag} * 100 + id + 0.5 AS FLOAT)",
    "DOUBLE": "CAST({tag} * 1000 + id + 0.25 AS DOUBLE)",
}
NAMES = {
    "STRING": "string",
    "SMALLINT": "short",
    "INT": "integer",
    "BIGINT": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
}
REMADE = {kind: NAMES[kind] for kind in ("SMALLINT", "INT")}
NULLABLE = r"\"nullable\":"


def partitions(column: str) -> str:
    return f'"partitionColumns":["{column}"]' if column else '"partitionColumns":[]'


def typed(name: str, kind: str) -> str:
    """A field's name and type as they appear in a table's metadata."""
    return rf"\"{name}\",\"type\":\"{kind}\""


@dataclass(frozen=True)
class Column:
    path: str
    kind: str
    tag: int
    required: bool = False
    loose: bool = False
    """Whether it was NOT NULL before: from then on every second row has a null in it."""

    @property
    def top(self) -> str:
        return self.path.split(".")[0]

    @property
    def name(self) -> str:
        return self.path.split(".")[-1]

    @property
    def above(self) -> str:
        return self.path.rpartition(".")[0]

    @property
    def value(self) -> str:
        value = VALUES[self.kind].format(tag=self.tag)
        return f"IF(id % 2 = 0, NULL, {value})" if self.loose else value


START = (
    Column("a", "STRING", 1),
    Column("b", "STRING", 2),
    Column("n", "SMALLINT", 3),
    Column("m", "INT", 4, required=True),
    Column("s.x", "STRING", 5),
    Column("s.y", "INT", 6),
)


def declared(columns: Sequence[Column]) -> str:
    """The column list of CREATE TABLE, starting with the row number."""
    return ", ".join(["id BIGINT", *(f"{top} {kind(columns, top)}" for top in tops(columns))])


def kind(columns: Sequence[Column], top: str) -> str:
    found = [column for column in columns if column.top == top]
    if found[0].path != top:
        inside = ", ".join(f"{one.name}: {one.kind}" for one in found)
        return f"STRUCT<{inside}>"
    return found[0].kind + (" NOT NULL" if found[0].required else "")


def values(columns: Sequence[Column]) -> str:
    """The select list of INSERT for the columns after the row number."""
    return ", ".join(value(columns, top) for top in tops(columns))


def value(columns: Sequence[Column], top: str) -> str:
    found = [column for column in columns if column.top == top]
    if found[0].path == top:
        return found[0].value
    pairs = ", ".join(f"'{one.name}', {one.value}" for one in found)
    return f"named_struct({pairs})"


def tops(columns: Sequence[Column]) -> list[str]:
    return list(dict.fromkeys(column.top for column in columns))
