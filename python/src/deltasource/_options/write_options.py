# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The options for writing a stream into a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from deltasource._errors import OptionsError
from deltasource._options import keys
from deltasource._options.column_names import are_names, as_names
from deltasource._options.hints import nearest_flag, nearest_word, with_hint
from deltasource._options.keyword_hints import with_field_hints
from deltasource._options.validation import Rule, broken, invalid_extra_options

OutputMode: TypeAlias = Literal["append", "complete"]
"""Whether a batch appends its rows to the table or replaces all rows in it."""

UPDATE_ALLOWED = 'must not be "update", which is a mode of `apply_changes`'
MODE_ALLOWED = "must be one of " + ", ".join(map(repr, get_args(OutputMode)))
FLAG_ALLOWED = "must be True or False"
_OTHER_MODES = {
    "update": UPDATE_ALLOWED,
    "overwrite": (
        'must not be "overwrite", which is a mode of batches: "append" adds the rows of each '
        'batch, and "complete" replaces the table with the result of an aggregation'
    ),
}
OVERWRITE_ALLOWED = 'needs mode="complete": only that mode replaces rows and their schema'
METADATA_ALLOWED = "must be a string"
COLUMNS_ALLOWED = 'must be a column name, or a list of them such as ["day"]'


@with_field_hints
@dataclass(frozen=True, kw_only=True)
class WriteOptions:
    """How a stream is written into a Delta table.

    Args:
        mode: "append", or "complete" to replace all rows with each batch, as aggregations need.
        merge_schema: True adds columns that the table does not have yet.
        overwrite_schema: True makes each batch replace the schema too; needs mode "complete".
        user_metadata: Text that is stored with each commit.
        partition_by: The partition columns, a name or a list of names, if the query creates the
            table.
        extra: Options for Spark, Delta or a file system that have no argument here, under their
            names in Spark. They are passed on, and their values are neither checked nor printed. A
            misspelled name of an option of Delta is refused, and so is one that only batch writes
            have.

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
    partition_by: Sequence[str] = ()
    # Not in repr: it may contain credentials. Not hashed: a dict is not hashable.
    extra: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Report all invalid arguments at once."""
        invalid = broken(*self._rules())
        invalid += invalid_extra_options(
            self.extra, keys.WRITE_ARGUMENTS, keys.WRITE_IGNORED, keys.WRITE_KEYWORDS
        )
        if invalid:
            raise OptionsError(invalid)
        # The caller may go on changing these.
        object.__setattr__(self, "partition_by", tuple(as_names(self.partition_by)))
        object.__setattr__(self, "extra", dict(self.extra))

    def _rules(self) -> Iterator[Rule]:
        merge, overwrite, metadata = self.merge_schema, self.overwrite_schema, self.user_metadata
        replaces = overwrite is not True or self.mode not in ("append", "update")
        modes = get_args(OutputMode)
        allowed = with_hint(MODE_ALLOWED, "mode", nearest_word(self.mode, modes))
        given: object = self.mode
        allowed = _OTHER_MODES.get(given, allowed) if isinstance(given, str) else allowed
        yield "mode", self.mode, self.mode in modes, allowed
        for name, flag in (("merge_schema", merge), ("overwrite_schema", overwrite)):
            allowed = with_hint(FLAG_ALLOWED, name, nearest_flag(flag))
            yield name, flag, isinstance(flag, bool), allowed
        yield "overwrite_schema", overwrite, replaces, OVERWRITE_ALLOWED
        yield "user_metadata", metadata, isinstance(metadata, str | None), METADATA_ALLOWED
        columns = self.partition_by
        yield "partition_by", columns, _are_columns(columns), COLUMNS_ALLOWED

    def to_spark(self) -> dict[str, str]:
        """Return the options under Spark's names.

        The mode and the columns are not options; `DataStreamWriter` has methods for them.

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
        return spark | dict(self.extra)


def _are_columns(columns: object) -> bool:
    names = as_names(columns)
    return are_names(names) or (isinstance(names, Sequence) and not names)
