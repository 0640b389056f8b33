# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How a stream is written, as values that are checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from deltasource._options import keys
from deltasource._options.rules import check

OutputMode: TypeAlias = Literal["append", "complete"]
"""Whether a batch adds its rows to the table or replaces all that are in it."""

MODE_ALLOWED = "one of " + ", ".join(map(repr, get_args(OutputMode)))
FLAG_ALLOWED = "True or False"
OVERWRITE_ALLOWED = 'only mode="complete" replaces rows, and with them their schema'
METADATA_ALLOWED = "a text"


@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How a stream is written into a Delta table.

    mode               "append", or "complete": each batch replaces all rows, as aggregations need
    merge_schema       True: columns that the table lacks are added to it
    overwrite_schema   True: a batch replaces the schema as well as the rows
    user_metadata      a text that is kept with every commit
    """

    mode: OutputMode = "append"
    merge_schema: bool = False
    overwrite_schema: bool = False
    user_metadata: str | None = None

    def __post_init__(self) -> None:
        """Report every mistake at once."""
        check(
            ("mode", self.mode, self.mode in get_args(OutputMode), MODE_ALLOWED),
            (
                "merge_schema",
                self.merge_schema,
                isinstance(self.merge_schema, bool),
                FLAG_ALLOWED,
            ),
            (
                "overwrite_schema",
                self.overwrite_schema,
                isinstance(self.overwrite_schema, bool),
                FLAG_ALLOWED,
            ),
            (
                "overwrite_schema",
                self.overwrite_schema,
                self.overwrite_schema is not True or self.mode != "append",
                OVERWRITE_ALLOWED,
            ),
            (
                "user_metadata",
                self.user_metadata,
                isinstance(self.user_metadata, str | None),
                METADATA_ALLOWED,
            ),
        )

    def to_spark(self) -> dict[str, str]:
        """Give the options in Spark's spelling; the mode is none, Spark's writer is told it."""
        spark: dict[str, str] = {}
        if self.merge_schema:
            spark[keys.MERGE_SCHEMA] = "true"
        if self.overwrite_schema:
            spark[keys.OVERWRITE_SCHEMA] = "true"
        if self.user_metadata is not None:
            spark[keys.USER_METADATA] = self.user_metadata
        return spark
