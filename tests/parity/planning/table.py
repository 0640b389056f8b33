# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The commits of a table as values. None of the data files exists.

Every file lists its rows, so that the rows a stream must deliver are known without Delta.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Add:
    path: str
    rows: tuple[int, ...]
    size: int = 100
    time: int = 0
    new: bool = True
    """The action's `dataChange`: whether its rows are new to the table."""
    deleted: int = 0
    """How many rows its deletion vector deletes; 0 without a vector."""


@dataclass(frozen=True)
class Remove:
    path: str
    new: bool = True
    deleted: int = 0


@dataclass(frozen=True)
class Change:
    """A file of the change feed."""

    path: str
    size: int = 100


@dataclass(frozen=True)
class Properties:
    """The table's metadata with one more property."""

    note: str
    key: str = "note"


@dataclass(frozen=True)
class Column:
    """One column. Its id does not change when it is renamed; files refer to it by id."""

    name: str
    number: int
    type: str = "long"
    was: tuple[str, ...] = ()
    """Its former types, oldest first."""
    required: bool = False
    fields: tuple["Column", ...] = ()
    """The fields of a struct."""


@dataclass(frozen=True)
class Columns:
    """The table's metadata with these columns."""

    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Feature:
    """The table's protocol with one more feature."""

    name: str
    reader: bool = False


@dataclass(frozen=True)
class Txn:
    """The transaction identifier that a stream writes in each commit."""

    app: str


Action: TypeAlias = Add | Remove | Change | Properties | Columns | Feature | Txn


@dataclass(frozen=True)
class Commit:
    actions: tuple[Action, ...] = ()
    operation: str = "WRITE"
    metrics: tuple[tuple[str, str], ...] = ()
    late: int = 0
    """Seconds between the hour of its version and its file's modification time."""


@dataclass(frozen=True)
class Table:
    """Version 0 creates the table, version n is the n-th commit."""

    commits: tuple[Commit, ...] = ()
    vectors: bool = False
    feed: bool = False
    columns: tuple[Column, ...] = (Column("id", 1),)
    mapped: bool = False
    """Whether column mapping is by name."""
    widening: bool = False
    """Whether type widening is enabled."""
