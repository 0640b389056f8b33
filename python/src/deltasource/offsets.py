# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How far a stream has come, read from the JSON that a Delta source leaves in its checkpoint.

The rules are those of docs/design/0001-offsets.md: an offset of ours and one of delta-spark are the
same text, and everything up to and including the place it names has been read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast, overload

from deltasource._text import MAX_LONG, shown
from deltasource.errors import MalformedOffsetError, NewerOffsetError

BEGIN: Final = -100
"""The index before the first file of a version; on disk it is -1."""
SCHEMA_CHANGE: Final = -20
"""The index of a change of schema that stands before the files of its version."""
AFTER_SCHEMA_CHANGE: Final = -19
"""The index behind that change, still before the first file."""
END: Final = MAX_LONG - 100
"""The index behind the last file of a version; on disk it is the beginning of the next one."""

_BEGIN_ON_DISK: Final = -1
_MARKS: Final = (BEGIN, SCHEMA_CHANGE, AFTER_SCHEMA_CHANGE)
# Of the three forms the second was never given out.
_FORMS: Final = (1, 3)
_ADVICE: Final = (
    'give the JSON that a Delta source writes: {"sourceVersion":1,"reservoirId":"...",'
    '"reservoirVersion":7,"index":-1,"isStartingVersion":false}'
)


@dataclass(frozen=True, order=True)
class Offset:
    """How far a stream has come; ordered by version and then index, within one table.

    version              the version of the table that was reached, from 0
    index                the place in it: the number of the last file that was read, from 0, or
                         one of BEGIN (-100), SCHEMA_CHANGE (-20), AFTER_SCHEMA_CHANGE (-19), END
    is_initial_snapshot  whether the files are those of the initial snapshot (False: of the commit)
    table_id             the id of the table, as its metadata has it ("": not known)

    Raises MalformedOffsetError when a value is out of bounds.
    """

    version: int
    index: int
    is_initial_snapshot: bool = field(default=False, kw_only=True)
    table_id: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        """Refuse what no source writes."""
        for name, value in (("version", self.version), ("index", self.index)):
            if type(value) is not int or abs(value) > MAX_LONG:
                raise MalformedOffsetError(f"{name} = {shown(value)} is no whole number: {_ADVICE}")
        if self.version < 0:
            raise MalformedOffsetError(f"version {self.version} is negative: {_ADVICE}")
        if self.index < 0 and self.index not in _MARKS:
            raise MalformedOffsetError(f"no source writes the index {self.index}: {_ADVICE}")

    @overload
    @classmethod
    def parse(cls, given: None) -> None: ...

    @overload
    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Offset: ...

    @overload
    @classmethod
    def parse(cls, given: str) -> Offset | None: ...

    @classmethod
    def parse(cls, given: str | Mapping[str, Any] | None) -> Offset | None:
        """Read an offset from its JSON, as text or as values; None where there is none yet.

        "null" and "None", which Spark's progress says of a stream that has not begun, are none as
        well. Fields that nobody knows are passed over, as delta-spark does. Raises
        MalformedOffsetError for what is no offset, NewerOffsetError for a form made later.
        """
        if given is None or (isinstance(given, str) and given.strip() in ("null", "None")):
            return None
        values = _values(given) if isinstance(given, str) else given
        if not isinstance(values, Mapping):
            raise MalformedOffsetError(f"{shown(values)} is no JSON object: {_ADVICE}")
        _require_known_form(values)
        index = _typed(values, "index", int)
        return cls(
            _typed(values, "reservoirVersion", int),
            BEGIN if index == _BEGIN_ON_DISK else index,
            is_initial_snapshot=_typed(values, "isStartingVersion", bool),
            table_id=_typed(values, "reservoirId", str),
        )

    @property
    def settled(self) -> Offset:
        """The same point as checkpoints hold it: behind a version is before the next one."""
        if self.index != END:
            return self
        return Offset(self.version + 1, BEGIN, table_id=self.table_id)

    def to_json(self) -> str:
        """Write the offset as a Delta source does, byte for byte, the end of a version settled."""
        at = self.settled
        values = {
            "sourceVersion": 3 if at.index in (SCHEMA_CHANGE, AFTER_SCHEMA_CHANGE) else 1,
            "reservoirId": at.table_id,
            "reservoirVersion": at.version,
            "index": _BEGIN_ON_DISK if at.index == BEGIN else at.index,
            "isStartingVersion": at.is_initial_snapshot,
        }
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

    def explain(self) -> str:
        """Say in one sentence what has been read, and what comes next."""
        if self.is_initial_snapshot:
            return self._explain_snapshot()
        if self.index == END:
            return (
                f"Everything up to version {self.version} has been read; "
                f"version {self.version + 1} comes next."
            )
        before = f"Everything before version {self.version} has been read"
        if self.index == BEGIN:
            read = before if self.version else "Nothing has been read"
            return f"{read}, and nothing of version {self.version} yet."
        if self.index == SCHEMA_CHANGE:
            return (
                f"{before}; version {self.version} changes the schema, which is recorded before "
                "any of its files is read."
            )
        if self.index == AFTER_SCHEMA_CHANGE:
            return (
                f"{before}, and the change of schema in version {self.version} has been passed; "
                "its files come next."
            )
        return f"{before}, and {_first(self.index)} of version {self.version}."

    def _explain_snapshot(self) -> str:
        inside = f"Inside the initial snapshot, which is the table at version {self.version}: "
        if self.index < 0:
            return f"{inside}nothing of it has been read yet."
        read = "all" if self.index == END else _first(self.index)
        return (
            f"{inside}{read} of it {'have' if 0 < self.index < END else 'has'} been read; "
            f"the commits from version {self.version + 1} on come after it."
        )


def _first(index: int) -> str:
    return f"the first {index + 1} files" if index else "the first file"


def _values(text: str) -> Mapping[str, Any]:
    try:
        values: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedOffsetError(f"{shown(text)} is no JSON: {_ADVICE}") from error
    if not isinstance(values, dict):
        raise MalformedOffsetError(f"{shown(text)} is no offset: {_ADVICE}")
    return cast("dict[str, Any]", values)


def _require_known_form(values: Mapping[str, Any]) -> None:
    form = _typed(values, "sourceVersion", int)
    if form > max(_FORMS):
        raise NewerOffsetError(
            f"the offset is of form {shown(form)}, this package knows forms up to {max(_FORMS)}: "
            "read it with a newer deltasource"
        )
    if form not in _FORMS:
        raise MalformedOffsetError(f"no source writes offsets of form {shown(form)}: {_ADVICE}")


def _typed(values: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    if name not in values:
        raise MalformedOffsetError(f"{shown(dict(values))} has no {name}: {_ADVICE}")
    value = values[name]
    # True is an int to Python, and no number to a source.
    if type(value) is not kind:
        raise MalformedOffsetError(f"{name} = {shown(value)} is of the wrong type: {_ADVICE}")
    return value
