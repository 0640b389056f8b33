# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Schema tracking: a stream that keeps a log of the schemas it comes through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeGuard

from deltasource import starting
from deltasource._options import keys
from deltasource._options.rules import Rule, check

Acknowledged: TypeAlias = Literal["always"] | int
"""Changes of schema a stream may go on from: all of a kind, or that of one version."""

LOCATION_ALLOWED = "the path of a folder below the checkpoint of the stream"
SOURCE_ID_ALLOWED = "a text, not empty"
ACKNOWLEDGED_ALLOWED = f'"always" or the version of one change, {starting.VERSION_ALLOWED}'


@dataclass(frozen=True, kw_only=True)
class SchemaTracking:
    """How a stream keeps track of its table's schema (docs/design/0008-schema-tracking.md).

    A change of schema ends the run, and the next one goes on with the new schema. Where columns
    were renamed or dropped, it goes on only once that is acknowledged; where a column got a wider
    type, only if Delta is configured to ask for that.

    location            the folder of the log of schemas, below the checkpoint of the stream
    source_id           a name for this source in that log, where a query reads one table twice
    allow_rename        renamed columns are acknowledged: "always", or those of one version
    allow_drop          dropped columns, likewise
    allow_type_change   columns with a wider type, likewise
    """

    location: str
    source_id: str | None = None
    allow_rename: Acknowledged | None = None
    allow_drop: Acknowledged | None = None
    allow_type_change: Acknowledged | None = None

    def __post_init__(self) -> None:
        """Report every mistake at once."""
        check(
            ("location", self.location, is_text(self.location), LOCATION_ALLOWED),
            (
                "source_id",
                self.source_id,
                self.source_id is None or is_text(self.source_id),
                SOURCE_ID_ALLOWED,
            ),
            *self._acknowledgements(),
        )

    def to_spark(self) -> dict[str, str]:
        """Give the options in Spark's spelling."""
        spark = {keys.SCHEMA_TRACKING_LOCATION: self.location}
        if self.source_id is not None:
            spark[keys.SOURCE_TRACKING_ID] = self.source_id
        for name, key in _ALLOW_KEYS.items():
            value = getattr(self, name)
            if value is not None:
                spark[key] = str(value)
        return spark

    def _acknowledgements(self) -> Iterator[Rule]:
        for name in _ALLOW_KEYS:
            value = getattr(self, name)
            fine = value is None or is_acknowledged(value)
            yield name, value, fine, ACKNOWLEDGED_ALLOWED


_ALLOW_KEYS: Final = {
    "allow_rename": keys.ALLOW_RENAME,
    "allow_drop": keys.ALLOW_DROP,
    "allow_type_change": keys.ALLOW_TYPE_CHANGE,
}


def is_text(value: object) -> TypeGuard[str]:
    """Whether this is a text that says something."""
    return isinstance(value, str) and value.strip() != ""


def is_acknowledged(value: object) -> TypeGuard[Acknowledged]:
    """Whether changes of schema can be acknowledged like this."""
    return value == "always" or starting.is_version(value)
