# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of a table as its operations say, and the effect of the next one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from soak.operation import (
    AddColumn,
    Append,
    Delete,
    DropColumn,
    Merge,
    Operation,
    RenameColumn,
    Update,
)

Row: TypeAlias = Mapping[str, int | str]
"""The values by column."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """What one operation does to rows.

    Attributes:
        inserted: New rows.
        deleted: Rows that are gone.
        before: Rows that are updated, before that.
        after: The same rows after it.
        kept: In a table with deletion vectors, the rows that are left in the files it marks.
    """

    inserted: Sequence[Row] = ()
    deleted: Sequence[Row] = ()
    before: Sequence[Row] = ()
    after: Sequence[Row] = ()
    kept: Sequence[Row] = ()

    @property
    def removes_data(self) -> bool:
        return bool(self.deleted or self.before)


@dataclass
class TableState:
    """The rows of a table after some operations."""

    rows: dict[int, Row] = field(default_factory=dict[int, Row])
    extra_columns: list[str] = field(default_factory=list[str])
    next_id: int = 0
    files: list[set[int]] = field(default_factory=list[set[int]])
    """The ids of each append; these are the files of a table without OPTIMIZE."""

    def apply(self, operation: Operation) -> Effect:
        """Change the state, and return the effect."""
        match operation:
            case Append(first=first, count=count):
                return self._insert(range(first, first + count))
            case Delete(low=low, high=high):
                return self._delete(self._ids(low, high))
            case Update(low=low, high=high):
                return self._update(self._ids(low, high))
            case Merge(low=low, high=high):
                known = self._ids(low, high)
                updated = self._update(known)
                new = self._insert([i for i in range(low, high + 1) if i not in self.rows])
                return Effect(inserted=new.inserted, before=updated.before, after=updated.after)
            case AddColumn(name=name):
                self.extra_columns.append(name)
            case RenameColumn(name=name, to=to):
                self.extra_columns[self.extra_columns.index(name)] = to
            case DropColumn(name=name):
                self.extra_columns.remove(name)
            case _:
                pass
        return Effect()

    def _ids(self, low: int, high: int) -> Sequence[int]:
        return [i for i in range(low, high + 1) if i in self.rows]

    def _insert(self, ids: Sequence[int]) -> Effect:
        names = ("id", "value", *self.extra_columns)
        new: dict[int, Row] = {i: dict.fromkeys(names, i) for i in ids}
        self.rows.update(new)
        self.next_id = max([self.next_id, *(i + 1 for i in ids)])
        self.files.append(set(ids))
        return Effect(inserted=list(new.values()))

    def _update(self, ids: Sequence[int]) -> Effect:
        before = [self.rows[i] for i in ids]
        after = [{**row, "value": int(row["value"]) + 1} for row in before]
        self.rows.update(zip(ids, after, strict=True))
        return Effect(before=before, after=after)

    def _delete(self, ids: Sequence[int]) -> Effect:
        gone = set(ids)
        left = [file - gone for file in self.files if not file.isdisjoint(gone)]
        kept = [self.rows[i] for file in left for i in sorted(file)]
        deleted = [self.rows.pop(i) for i in ids]
        self.files = [file - gone for file in self.files if not file <= gone]
        return Effect(deleted=deleted, kept=kept)
