# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The vocabulary of histories: what happens to a table, one value for each thing.

A `Statement` is run by the writing side and makes one commit. A `Surgery` is done to the log's
files by the harness, for what no writer would do. Every row a history adds has a number of its own,
given out in order, so that the rows a stream must deliver are known without asking Delta.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

MOVED = 1000
"""`Update` adds this to the numbers of the rows it changes."""


@runtime_checkable
class Statement(Protocol):
    """One SQL statement; `rows` numbers are used up from `first` on."""

    @property
    def rows(self) -> int: ...

    def sql(self, table: str, first: int, /) -> str: ...


@runtime_checkable
class Surgery(Protocol):
    """A change to the files of a log that no writer makes."""

    def cut(self, log: Path) -> None: ...


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint of the newest version, in parts of at most `part_size` actions if given."""

    part_size: int | None = None
    form: str | None = None
    """What the first file of a v2 checkpoint is written as: json or parquet."""


Op: TypeAlias = Statement | Surgery | Checkpoint
History: TypeAlias = tuple[Op, ...]


def text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def numbers(first: int, rows: int, files: int, part: str | None) -> str:
    label = "" if part is None else f", {text(part)} AS part"
    return f"SELECT id{label} FROM range({first}, {first + rows}, 1, {files})"


@dataclass(frozen=True)
class Create:
    """A new table, at first without rows; with `part`, partitioned by a second column."""

    columns: str = "id BIGINT"
    partitioned: bool = False
    properties: tuple[str, ...] = ()
    """Delta's properties that are switched on, without their prefix."""
    mapping: str = ""
    """The mode of column mapping."""
    clause: str = ""
    """What else stands behind the columns."""
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        columns = f"({self.columns})" if self.columns else ""
        layout = " PARTITIONED BY (part)" if self.partitioned else f" {self.clause}".rstrip()
        switched = [f"'delta.{name}' = 'true'" for name in self.properties]
        mapped = [f"'delta.columnMapping.mode' = '{self.mapping}'"] if self.mapping else []
        pairs = ", ".join(switched + mapped)
        more = f" TBLPROPERTIES ({pairs})" if pairs else ""
        return f"CREATE TABLE {table} {columns} USING delta{layout}{more}"


@dataclass(frozen=True)
class Append:
    """`rows` new rows in `files` files."""

    rows: int
    files: int = 1
    part: str | None = None

    def sql(self, table: str, first: int, /) -> str:
        return f"INSERT INTO {table} {numbers(first, self.rows, self.files, self.part)}"


@dataclass(frozen=True)
class Insert:
    """`rows` new rows in `files` files, with these values in the columns behind their number."""

    values: str
    rows: int = 1
    files: int = 1

    def sql(self, table: str, first: int, /) -> str:
        numbered = f"range({first}, {first + self.rows}, 1, {self.files})"
        return f"INSERT INTO {table} SELECT id, {self.values} FROM {numbered}"


@dataclass(frozen=True)
class Overwrite:
    """Every row gone, `rows` new ones in `files` files."""

    rows: int
    files: int = 1

    def sql(self, table: str, first: int, /) -> str:
        return f"INSERT OVERWRITE {table} {numbers(first, self.rows, self.files, None)}"


@dataclass(frozen=True)
class Delete:
    """The rows with these numbers gone."""

    ids: tuple[int, ...]
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"DELETE FROM {table} WHERE id IN ({', '.join(map(str, self.ids))})"


@dataclass(frozen=True)
class Update:
    """The rows with these numbers get new numbers, `MOVED` higher."""

    ids: tuple[int, ...]
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"UPDATE {table} SET id = id + {MOVED} WHERE id IN ({', '.join(map(str, self.ids))})"


@dataclass(frozen=True)
class Merge:
    """The rows with these numbers get numbers `MOVED` higher, others are gone, and `rows` new ones
    come, all in one commit."""

    moved: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    rows: int = 0

    def sql(self, table: str, first: int, /) -> str:
        ids = ", ".join(map(str, (*self.moved, *self.gone, *range(first, first + self.rows))))
        gone = f"AND t.id IN ({', '.join(map(str, self.gone))})" if self.gone else "AND false"
        return (
            f"MERGE INTO {table} t USING (SELECT explode(array({ids})) AS id) s ON t.id = s.id"
            f" WHEN MATCHED {gone} THEN DELETE"
            f" WHEN MATCHED THEN UPDATE SET id = t.id + {MOVED}"
            " WHEN NOT MATCHED THEN INSERT *"
        )


@dataclass(frozen=True)
class Touch:
    """A MERGE that finds these rows and changes none: it may write their files again."""

    ids: tuple[int, ...]
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        ids = ", ".join(map(str, self.ids))
        return (
            f"MERGE INTO {table} t USING (SELECT explode(array({ids})) AS id) s ON t.id = s.id"
            " WHEN MATCHED AND s.id < 0 THEN DELETE"
        )


@dataclass(frozen=True)
class Alter:
    """What follows ALTER TABLE and the table's name: properties or columns."""

    change: str
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"ALTER TABLE {table} {self.change}"


@dataclass(frozen=True)
class Optimize:
    """Small files put together: a commit whose files hold no new data."""

    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"OPTIMIZE {table}"


@dataclass(frozen=True)
class Restore:
    """The table as it was at `version`: its files come back under their old names."""

    version: int
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"RESTORE TABLE {table} TO VERSION AS OF {self.version}"
