# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options for schema tracking: a stream that records each schema of its table."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeGuard

from deltasource._options import keys
from deltasource._options.hints import nearest_word, with_hint
from deltasource._options.keyword_hints import with_field_hints
from deltasource._options.start import is_version
from deltasource._options.validation import Rule, validate
from deltasource._text import MAX_LONG, starts_at_home

HOME_ALLOWED: Final = (
    "must not begin with ~, which only a shell expands: give os.path.expanduser(...) of it"
)

WORKING_FOLDER: Final = (
    'must not be the working folder as ".", which Spark cannot open: give its absolute path'
)

Acknowledged: TypeAlias = Literal["always"] | int
"""The schema changes a stream may continue after: all of a kind, or the one of a version."""

LOCATION_ALLOWED = "must be a path below the checkpoint of the stream"
SOURCE_ID_ALLOWED = "must be a non-empty string without a slash"
ACKNOWLEDGED_ALLOWED = (
    f'must be "always" or the version of one schema change, an integer from 0 to {MAX_LONG}'
)


@with_field_hints
@dataclass(frozen=True, kw_only=True)
class SchemaTracking:
    """How a stream tracks the schema of its table (docs/internals/design/0008-schema-tracking.md).

    A schema change ends the query, and the next run continues with the new schema. If columns were
    renamed or dropped, it continues only after you acknowledge that, and every later start needs
    the acknowledgement as well, until the stream has recorded another change. A widened type needs
    one only if the conf `spark.databricks.delta.typeWidening.enableStreamingSchemaTracking` is on.

    Args:
        location: The folder of the schema log, below the checkpoint of the stream. Delta refuses
            any other folder with DELTA_STREAMING_SCHEMA_LOCATION_NOT_UNDER_CHECKPOINT.
        source_id: Name of this source in the log, without a slash. Needed if a query reads one
            table twice.
        allow_rename: Acknowledges renamed columns: "always", or the version that renames them.
        allow_drop: The same for dropped columns.
        allow_type_change: The same for columns with a wider type.

    Raises:
        OptionsError: An argument is invalid; the error lists all of them.

    Example:
        >>> from deltasource import ReadOptions, SchemaTracking
        >>> tracking = SchemaTracking(location="/checkpoints/orders/schemas", allow_drop="always")
        >>> options = ReadOptions(schema_tracking=tracking)
    """

    location: str | os.PathLike[str]
    source_id: str | None = None
    allow_rename: Acknowledged | None = None
    allow_drop: Acknowledged | None = None
    allow_type_change: Acknowledged | None = None

    def __post_init__(self) -> None:
        """Report all invalid arguments at once."""
        valid_id = self.source_id is None or is_source_id(self.source_id)
        validate(
            ("location", self.location, is_location(self.location), LOCATION_ALLOWED),
            ("source_id", self.source_id, valid_id, SOURCE_ID_ALLOWED),
            *self._acknowledgements(),
        )

    def to_spark(self) -> dict[str, str]:
        """Return the options under Spark's names.

        Returns:
            Option names and values, for `DataStreamReader.options`.

        Example:
            >>> from deltasource import SchemaTracking
            >>> SchemaTracking(location="c/schemas", allow_rename=7).to_spark()
            {'schemaTrackingLocation': 'c/schemas', 'allowSourceColumnRename': '7'}
        """
        spark = {keys.SCHEMA_TRACKING_LOCATION: os.fspath(self.location)}
        if self.source_id is not None:
            spark[keys.SOURCE_TRACKING_ID] = self.source_id
        for name, key in ALLOW_KEYS.items():
            value = getattr(self, name)
            if value is not None:
                spark[key] = str(value)
        return spark

    def _acknowledgements(self) -> Iterator[Rule]:
        for name in ALLOW_KEYS:
            value = getattr(self, name)
            valid = value is None or is_acknowledged(value)
            meant = '"always"' if value is True else nearest_word(value, ["always"])
            yield name, value, valid, with_hint(ACKNOWLEDGED_ALLOWED, name, meant)


ALLOW_KEYS: Final = {
    "allow_rename": keys.ALLOW_RENAME,
    "allow_drop": keys.ALLOW_DROP,
    "allow_type_change": keys.ALLOW_TYPE_CHANGE,
}


def is_location(value: object) -> TypeGuard[str | os.PathLike[str]]:
    """Whether this can be the path of a folder."""
    return isinstance(value, os.PathLike) or is_text(value)


def home_rule(argument: str, value: object) -> Rule:
    """Return the rule that a path does not begin with ~: Spark would make a folder of that name."""
    return argument, value, not starts_at_home(value), HOME_ALLOWED


def spark_path_rule(argument: str, value: object) -> Rule:
    """Return the rule for a path that Spark opens: not one of ~, nor the working folder itself."""
    if is_location(value) and os.path.normpath(os.fspath(value).strip()) == os.curdir:
        return argument, value, False, WORKING_FOLDER
    return home_rule(argument, value)


def is_source_id(value: object) -> TypeGuard[str]:
    """Whether this can be a part of the name of a schema log, which is a folder."""
    return is_text(value) and "/" not in value


def is_text(value: object) -> TypeGuard[str]:
    """Whether this is a string that is not blank."""
    return isinstance(value, str) and value.strip() != ""


def is_acknowledged(value: object) -> TypeGuard[Acknowledged]:
    """Whether this acknowledges schema changes."""
    return value == "always" or is_version(value)
