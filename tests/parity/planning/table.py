# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The vocabulary of logs: what the commits of a table say. None of its data files exists.

Every file says which rows it stands for, so that what a stream must deliver is known without Delta.
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
    """The action's `dataChange`: whether its rows were not in the table before."""
    deleted: int = 0
    """How many rows its deletion vector takes away; 0 for none."""


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
    """The table's metadata once more, with one property more."""

    note: str
    key: str = "note"


@dataclass(frozen=True)
class Column:
    """One column. Its number stays through every change of its name: files know it by that."""

    name: str
    number: int
    type: str = "long"
    was: tuple[str, ...] = ()
    """The types it had before, the oldest first."""
    required: bool = False
    fields: tuple["Column", ...] = ()
    """Those of a struct."""


@dataclass(frozen=True)
class Columns:
    """The table's metadata once more, with these columns from now on."""

    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Feature:
    """The table's protocol once more, with one feature more."""

    name: str
    reader: bool = False


@dataclass(frozen=True)
class Txn:
    """What a stream that writes to the table leaves in each commit."""

    app: str


Action: TypeAlias = Add | Remove | Change | Properties | Columns | Feature | Txn


@dataclass(frozen=True)
class Commit:
    actions: tuple[Action, ...] = ()
    operation: str = "WRITE"
    metrics: tuple[tuple[str, str], ...] = ()
    late: int = 0
    """Seconds between the hour of its version and the time of its file."""


@dataclass(frozen=True)
class Table:
    """Version 0 is made of the features, version n is the n-th commit."""

    commits: tuple[Commit, ...] = ()
    vectors: bool = False
    feed: bool = False
    columns: tuple[Column, ...] = (Column("id", 1),)
    mapped: bool = False
    """Whether columns are mapped by name."""
    widening: bool = False
    """Whether types may become wider."""
