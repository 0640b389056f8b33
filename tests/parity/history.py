# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Histories: what happens to a table, one value per operation.

A `Statement` is run by the writing side and makes one commit. A `LogEdit` changes the log's files
directly, for what no writer would do. Every row a history adds has a unique number, assigned in
order, so that the rows a stream must deliver are known without Delta.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias, runtime_checkable

MOVED = 1000
"""`Update` adds this to the numbers of the rows it changes."""


@runtime_checkable
class Statement(Protocol):
    """One SQL statement; it uses `rows` numbers, starting with `first`."""

    @property
    def rows(self) -> int: ...

    def sql(self, table: str, first: int, /) -> str: ...


@runtime_checkable
class LogEdit(Protocol):
    """A change to a log's files that no writer makes."""

    def cut(self, log: Path) -> None: ...


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint of the newest version, in parts of at most `part_size` actions if given."""

    part_size: int | None = None
    form: str | None = None
    """The format of a v2 checkpoint's top-level file: json or parquet."""


Op: TypeAlias = Statement | LogEdit | Checkpoint
History: TypeAlias = tuple[Op, ...]


def text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def numbers(first: int, rows: int, files: int, part: str | None) -> str:
    label = "" if part is None else f", {text(part)} AS part"
    return f"SELECT id{label} FROM range({first}, {first + rows}, 1, {files})"


@dataclass(frozen=True)
class Create:
    """A new, empty table; with `part`, partitioned by a second column."""

    columns: str = "id BIGINT"
    partitioned: bool = False
    properties: tuple[str, ...] = ()
    """Delta table properties set to true, without their prefix."""
    mapping: str = ""
    """The mode of column mapping."""
    clause: str = ""
    """Further clauses after the columns."""
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
    """`rows` new rows in `files` files, with these values in the columns after their number."""

    values: str
    rows: int = 1
    files: int = 1

    def sql(self, table: str, first: int, /) -> str:
        numbered = f"range({first}, {first + self.rows}, 1, {self.files})"
        return f"INSERT INTO {table} SELECT id, {self.values} FROM {numbered}"


@dataclass(frozen=True)
class Overwrite:
    """Replaces all rows by `rows` new ones in `files` files."""

    rows: int
    files: int = 1

    def sql(self, table: str, first: int, /) -> str:
        return f"INSERT OVERWRITE {table} {numbers(first, self.rows, self.files, None)}"


@dataclass(frozen=True)
class Delete:
    """Deletes the rows with these numbers."""

    ids: tuple[int, ...]
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"DELETE FROM {table} WHERE id IN ({', '.join(map(str, self.ids))})"


@dataclass(frozen=True)
class Update:
    """Adds `MOVED` to the numbers of these rows."""

    ids: tuple[int, ...]
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"UPDATE {table} SET id = id + {MOVED} WHERE id IN ({', '.join(map(str, self.ids))})"


@dataclass(frozen=True)
class Merge:
    """Adds `MOVED` to the numbers of some rows, deletes others and inserts `rows` new ones, all in
    one commit."""

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
    """A MERGE that matches these rows and changes none: it may rewrite their files."""

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
    """ALTER TABLE; `change` is what follows the table's name."""

    change: str
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"ALTER TABLE {table} {self.change}"


@dataclass(frozen=True)
class Optimize:
    """OPTIMIZE: a commit without new data."""

    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"OPTIMIZE {table}"


@dataclass(frozen=True)
class Restore:
    """RESTORE to `version`: files are added back under their old names."""

    version: int
    rows: int = 0

    def sql(self, table: str, _first: int, /) -> str:
        return f"RESTORE TABLE {table} TO VERSION AS OF {self.version}"
