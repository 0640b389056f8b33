# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How events change the rows of a table: the arguments of `apply_changes` as options of Spark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Literal

from deltasource._options import keys as options
from deltasource._options.column_names import as_names

_LISTS: Final = (
    *("keys", "sequence_by", "column_list", "except_column_list", "ignore_null_updates"),
    *("track_history_column_list", "track_history_except_column_list"),
)


@dataclass(frozen=True, kw_only=True)
class ApplySettings:
    """The arguments of `apply_changes` that say what events mean; conditions are SQL text."""

    keys: Sequence[str]
    sequence_by: Sequence[str] | None
    apply_as_deletes: str | None
    apply_as_truncates: str | None
    column_list: Sequence[str] | None
    except_column_list: Sequence[str] | None
    stored_as_scd_type: int
    track_history_column_list: Sequence[str] | None
    track_history_except_column_list: Sequence[str] | None
    ignore_null_updates: bool | Sequence[str]
    tombstones: timedelta | Literal["forever"]

    def __post_init__(self) -> None:
        """Make a list of a single name."""
        for name in _LISTS:
            object.__setattr__(self, name, as_names(getattr(self, name)))

    def without(self, columns: Sequence[str]) -> ApplySettings:
        """Return settings with which the target does not keep these columns either."""
        if not columns or self.column_list is not None:
            return self
        return replace(self, except_column_list=[*(self.except_column_list or ()), *columns])

    def to_spark(self) -> dict[str, str]:
        """Return the options of the writer; lists are JSON, because a name may contain a comma."""
        nulls = self.ignore_null_updates
        given = {
            options.APPLY_KEYS: _list(self.keys),
            options.APPLY_SEQUENCE_BY: _list(self.sequence_by),
            options.APPLY_DELETES: self.apply_as_deletes,
            options.APPLY_TRUNCATES: self.apply_as_truncates,
            options.APPLY_COLUMNS: _list(self.column_list),
            options.APPLY_EXCEPT_COLUMNS: _list(self.except_column_list),
            options.APPLY_SCD_TYPE: str(self.stored_as_scd_type),
            options.APPLY_TRACKED: _list(self.track_history_column_list),
            options.APPLY_EXCEPT_TRACKED: _list(self.track_history_except_column_list),
            options.APPLY_IGNORE_NULLS: _flag_or_list(nulls),
            options.APPLY_TOMBSTONES: _retention(self.tombstones),
        }
        return {name: value for name, value in given.items() if value is not None}


def _list(names: Sequence[str] | None) -> str | None:
    return None if names is None else json.dumps(list(names))


def _flag_or_list(nulls: bool | Sequence[str]) -> str | None:
    if isinstance(nulls, bool):
        return "true" if nulls else None
    return _list(nulls)


def _retention(tombstones: timedelta | Literal["forever"]) -> str:
    if not isinstance(tombstones, timedelta):
        return tombstones
    return f"{tombstones // timedelta(milliseconds=1)} milliseconds"
