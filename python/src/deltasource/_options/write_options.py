# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The options for writing a stream into a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from deltasource._options import keys
from deltasource._options.validation import validate

OutputMode: TypeAlias = Literal["append", "complete"]
"""Whether a batch appends its rows to the table or replaces all rows in it."""

MODE_ALLOWED = "must be one of " + ", ".join(map(repr, get_args(OutputMode)))
FLAG_ALLOWED = "must be True or False"
OVERWRITE_ALLOWED = 'needs mode="complete": only that mode replaces rows and their schema'
METADATA_ALLOWED = "must be a string"


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How a stream is written into a Delta table.

    Args:
        mode: "append", or "complete" to replace all rows with each batch, as aggregations need.
        merge_schema: True adds columns that the table does not have yet.
        overwrite_schema: True makes each batch replace the schema too; needs mode "complete".
        user_metadata: Text that is stored with each commit.

    Raises:
        OptionsError: An argument is invalid; the error lists all of them.

    Example:
        >>> from deltasource import WriteOptions
        >>> WriteOptions(merge_schema=True).mode
        'append'
    """

    mode: OutputMode = "append"
    merge_schema: bool = False
    overwrite_schema: bool = False
    user_metadata: str | None = None

    def __post_init__(self) -> None:
        """Report all invalid arguments at once."""
        merge, overwrite, metadata = self.merge_schema, self.overwrite_schema, self.user_metadata
        replaces = overwrite is not True or self.mode != "append"
        validate(
            ("mode", self.mode, self.mode in get_args(OutputMode), MODE_ALLOWED),
            ("merge_schema", merge, isinstance(merge, bool), FLAG_ALLOWED),
            ("overwrite_schema", overwrite, isinstance(overwrite, bool), FLAG_ALLOWED),
            ("overwrite_schema", overwrite, replaces, OVERWRITE_ALLOWED),
            ("user_metadata", metadata, isinstance(metadata, str | None), METADATA_ALLOWED),
        )

    def to_spark(self) -> dict[str, str]:
        """Return the options under Spark's names, without the mode, which is not an option.

        Returns:
            Option names and values, for `DataStreamWriter.options`.

        Example:
            >>> from deltasource import WriteOptions
            >>> WriteOptions(merge_schema=True, user_metadata="load 7").to_spark()
            {'mergeSchema': 'true', 'userMetadata': 'load 7'}
        """
        spark: dict[str, str] = {}
        if self.merge_schema:
            spark[keys.MERGE_SCHEMA] = "true"
        if self.overwrite_schema:
            spark[keys.OVERWRITE_SCHEMA] = "true"
        if self.user_metadata is not None:
            spark[keys.USER_METADATA] = self.user_metadata
        return spark
