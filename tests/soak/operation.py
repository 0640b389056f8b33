# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What a writer does to a table in one statement, and its form in JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, kw_only=True)
class Append:
    """Inserts rows with consecutive ids, in this number of files; each value is the id."""

    first: int
    count: int
    files: int


@dataclass(frozen=True, kw_only=True)
class Delete:
    """Deletes the rows with ids from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Update:
    """Adds 1 to the value of the rows with ids from `low` to `high`."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Merge:
    """Adds 1 to the value of the rows with these ids, and inserts the ids that are missing."""

    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Optimize:
    """Compacts the files."""


@dataclass(frozen=True, kw_only=True)
class Vacuum:
    """Deletes the files that were removed from the table some minutes ago."""


@dataclass(frozen=True, kw_only=True)
class AddColumn:
    """Adds a column, which appended rows have from then on."""

    name: str


@dataclass(frozen=True, kw_only=True)
class RenameColumn:
    name: str
    to: str


@dataclass(frozen=True, kw_only=True)
class DropColumn:
    name: str


Operation: TypeAlias = (
    Append | Delete | Update | Merge | Optimize | Vacuum | AddColumn | RenameColumn | DropColumn
)
KINDS: Sequence[type[Operation]] = (
    Append,
    Delete,
    Update,
    Merge,
    Optimize,
    Vacuum,
    AddColumn,
    RenameColumn,
    DropColumn,
)


def to_json(operation: Operation) -> dict[str, Any]:
    return {"kind": type(operation).__name__, **asdict(operation)}


def from_json(fields: dict[str, Any]) -> Operation:
    kinds = {kind.__name__: kind for kind in KINDS}
    return kinds[fields["kind"]](**{key: fields[key] for key in fields if key != "kind"})
