# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How far a stream has read a table, parsed from the JSON in its checkpoint.

The format is that of docs/internals/design/0001-offsets.md, the same as in delta-spark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast, overload

from deltasource._errors import MalformedOffsetError, NewerOffsetError
from deltasource._text import MAX_LONG, short_repr

BEGIN: Final = -100
"""The index before the first file of a version; -1 on disk."""
SCHEMA_CHANGE: Final = -20
"""The index of a schema change, which comes before the files of its version."""
AFTER_SCHEMA_CHANGE: Final = -19
"""The index after a schema change, still before the first file."""
END: Final = MAX_LONG - 100
"""The index after the last file of a version; on disk, the beginning of the next version."""

_POSITIONS: Final = {
    BEGIN: "start",
    SCHEMA_CHANGE: "schema change",
    AFTER_SCHEMA_CHANGE: "after schema change",
    END: "end",
}
_BEGIN_ON_DISK: Final = -1
_ALLOWED: Final = {  # the valid values below 0, and what a value must be
    "version": ((), "at least 0"),
    "index": ((BEGIN, SCHEMA_CHANGE, AFTER_SCHEMA_CHANGE), "at least 0, -100, -20 or -19"),
}
# The second of the three formats was never released.
_FORMATS: Final = (1, 3)
_ADVICE: Final = (
    'give the JSON of a Delta source, such as {"sourceVersion":1,"reservoirId":"...",'
    '"reservoirVersion":7,"index":-1,"isStartingVersion":false}'
)


@dataclass(frozen=True, order=True)
class Offset:
    """How far a stream has read a table.

    Offsets of one table are ordered by version and then index.

    Args:
        version: The version of the table, from 0.
        index: The number of the last file that was read in the version, from 0; -100 before the
            first file, -20 at a schema change, -19 after a schema change.
        is_initial_snapshot: Whether the files are those of the initial snapshot rather than those
            of the commit.
        table_id: The id in the metadata of the table; "" if unknown.

    Raises:
        MalformedOffsetError: A value is out of bounds.

    Example:
        >>> from deltasource import Offset
        >>> print(Offset(7, 2).explain())
        Everything before version 7 has been read, and the first 3 files of version 7.
    """

    version: int
    index: int
    is_initial_snapshot: bool = field(default=False, kw_only=True)
    table_id: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        """Refuse values that no source writes."""
        if mistakes := [*_mistakes("version", self.version), *_mistakes("index", self.index)]:
            raise MalformedOffsetError("; ".join(mistakes))

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
        """Parse the JSON of an offset.

        Args:
            given: The JSON as text or as a mapping. Unknown fields are ignored, as in delta-spark.

        Returns:
            The offset. None for None, "null" and "None", which Spark's progress reports for a
            stream that has not started.

        Raises:
            MalformedOffsetError: This is not an offset of a Delta source.
            NewerOffsetError: The offset has a format that this version does not know.

        Example:
            >>> from deltasource import Offset
            >>> Offset.parse(Offset(7, 2).to_json()) == Offset(7, 2)
            True
        """
        if given is None or (isinstance(given, str) and given.strip() in ("null", "None")):
            return None
        values = _values(given) if isinstance(given, str) else given
        if not isinstance(values, Mapping):
            raise MalformedOffsetError(f"{short_repr(values)} is not a JSON object: {_ADVICE}")
        _require_known_format(values)
        stored = _typed(values, "index", int)
        version = _typed(values, "reservoirVersion", int)
        is_initial_snapshot = _typed(values, "isStartingVersion", bool)
        table_id = _typed(values, "reservoirId", str)
        index = BEGIN if stored == _BEGIN_ON_DISK else stored
        try:
            return cls(version, index, is_initial_snapshot=is_initial_snapshot, table_id=table_id)
        except MalformedOffsetError as error:
            raise MalformedOffsetError(f"{error.args[0]}: {_ADVICE}") from error

    @property
    def normalized(self) -> Offset:
        """The offset as checkpoints store it, with the end of a version as the next one's start."""
        if self.index != END:
            return self
        return Offset(self.version + 1, BEGIN, table_id=self.table_id)

    @property
    def position(self) -> str:
        """The index in words, such as "start", "schema change", "file 2" or "end"."""
        return _POSITIONS.get(self.index, f"file {self.index}")

    def to_json(self) -> str:
        """Return the JSON that a Delta source writes, byte for byte.

        Returns:
            The JSON text of the `normalized` offset.

        Example:
            >>> from deltasource import Offset
            >>> Offset(7, 2, table_id="a").to_json()
            '{"sourceVersion":1,"reservoirId":"a","reservoirVersion":7,"index":2,"isStartingVersion":false}'
        """
        stored = self.normalized
        values = {
            "sourceVersion": 3 if stored.index in (SCHEMA_CHANGE, AFTER_SCHEMA_CHANGE) else 1,
            "reservoirId": stored.table_id,
            "reservoirVersion": stored.version,
            "index": _BEGIN_ON_DISK if stored.index == BEGIN else stored.index,
            "isStartingVersion": stored.is_initial_snapshot,
        }
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

    def explain(self) -> str:
        """Explain the offset: what has been read, and what comes next.

        Returns:
            One sentence.

        Example:
            >>> from deltasource import Offset
            >>> print(Offset(7, -100).explain())
            Everything before version 7 has been read, and nothing of version 7 yet.
        """
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
                "its files are read."
            )
        if self.index == AFTER_SCHEMA_CHANGE:
            return (
                f"{before}, and the schema change in version {self.version} is before this "
                "position; its files come next, once the schema log contains the new schema."
            )
        return f"{before}, and {_first(self.index)} of version {self.version}."

    def _explain_snapshot(self) -> str:
        inside = f"In the initial snapshot, which is the table at version {self.version}: "
        if self.index < 0:
            return f"{inside}nothing of it has been read yet."
        read = "all" if self.index == END else _first(self.index)
        return (
            f"{inside}{read} of it {'have' if 0 < self.index < END else 'has'} been read; "
            f"the commits from version {self.version + 1} on come next."
        )


def _first(index: int) -> str:
    return f"the first {index + 1} files" if index else "the first file"


def _mistakes(name: str, value: object) -> Iterator[str]:
    sentinels, allowed = _ALLOWED[name]
    if type(value) is not int or abs(value) > MAX_LONG:
        yield f"{name} must be an integer, got {short_repr(value)}"
    elif value < 0 and value not in sentinels:
        yield f"{name} must be {allowed}, got {value}"


def _values(text: str) -> Mapping[str, Any]:
    try:
        values: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedOffsetError(f"{short_repr(text)} is not JSON: {_ADVICE}") from error
    if not isinstance(values, dict):
        raise MalformedOffsetError(f"{short_repr(text)} is not an offset: {_ADVICE}")
    return cast("dict[str, Any]", values)


def _require_known_format(values: Mapping[str, Any]) -> None:
    number = _typed(values, "sourceVersion", int)
    if number > max(_FORMATS):
        raise NewerOffsetError(
            f"sourceVersion must be at most {max(_FORMATS)}, got {short_repr(number)}: use a newer "
            "deltasource"
        )
    if number not in _FORMATS:
        raise MalformedOffsetError(
            f"sourceVersion must be 1 or 3, got {short_repr(number)}: {_ADVICE}"
        )


def _typed(values: Mapping[str, Any], name: str, kind: type[Any]) -> Any:
    if name not in values:
        raise MalformedOffsetError(f"{short_repr(dict(values))} has no {name}: {_ADVICE}")
    value = values[name]
    # True is an int in Python, but not a number in JSON.
    if type(value) is not kind:
        raise MalformedOffsetError(
            f"{name} must be of type {kind.__name__}, got {short_repr(value)}: {_ADVICE}"
        )
    return value
