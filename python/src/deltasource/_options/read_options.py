# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The options for reading a table as a stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, get_args

from deltasource._errors import OptionsError
from deltasource._options import hints, keys, parsing, validation
from deltasource._options.hints import with_hint
from deltasource._options.keyword_hints import with_field_hints
from deltasource._options.schema_tracking import SchemaTracking
from deltasource._options.start import (
    Latest,
    Snapshot,
    StartLike,
    Time,
    Version,
    bound_option,
    to_start,
)
from deltasource._options.validation import (
    FLAG_ALLOWED,
    OnChange,
    broken,
    invalid_extra_options,
)
from deltasource._text import MAX_INT

_ON_CHANGE_KEYS: Final[Mapping[OnChange, str]] = {
    "skip_commits": keys.SKIP_CHANGE_COMMITS,
    "ignore_deletes": keys.IGNORE_DELETES,
    "reemit": keys.IGNORE_CHANGES,
}


@with_field_hints
@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How a table is read as a stream.

    Args:
        start: Where to start if the checkpoint is new: "snapshot" (the default), "latest", a
            version or a time with a time zone; or `Snapshot()`, `Latest()`, `Version(number)` or
            `Time(at)`, as which it is kept.
        max_files: Maximum number of files in a batch; 1000 by default, no limit if only
            `max_bytes` is given.
        max_bytes: Size after which a batch ends, in bytes or as text such as "512mb". The batch
            includes the file that crosses the limit.
        on_change: What to do at a commit that deletes or rewrites rows. "fail" fails the stream,
            "skip_commits" skips the whole commit, "ignore_deletes" ignores commits that only
            remove whole files, "reemit" ignores deletes and reads rewritten files again, including
            their unchanged rows.
        exclude_regex: A Java regular expression; files whose path contains a match are not read.
        fail_on_data_loss: False skips commits that are missing from the log, provided that Delta
            can open the table from a later checkpoint of the table.
        schema_tracking: Records the schemas of the table, so that the stream can continue after
            schema changes.
        extra: Options for Spark, Delta or a file system that have no argument here, under their
            names in Spark. They are passed on, and their values are neither checked nor printed. A
            misspelled name of an option of Delta is refused.

    Raises:
        OptionsError: An argument is invalid; the error lists all of them.

    Example:
        >>> from deltasource import ReadOptions
        >>> options = ReadOptions(start=7, max_files=100, on_change="skip_commits")
        >>> options.max_files
        100
    """

    start: StartLike = Snapshot()
    max_files: int | None = None
    max_bytes: int | str | None = None
    on_change: OnChange = "fail"
    exclude_regex: str | None = None
    fail_on_data_loss: bool = True
    schema_tracking: SchemaTracking | None = None
    # Not in repr: it may contain credentials. Not hashed: a dict is not hashable.
    extra: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Report all invalid arguments at once."""
        object.__setattr__(self, "start", to_start(self.start))
        rules = self._rules()
        invalid = broken(*((name, getattr(self, name), valid, rule) for name, valid, rule in rules))
        invalid += invalid_extra_options(self.extra, keys.READ_ARGUMENTS, keys.READ_IGNORED)
        if invalid:
            raise OptionsError(invalid)
        # The caller may go on changing the mapping.
        object.__setattr__(self, "extra", dict(self.extra))

    def _rules(self) -> Iterator[tuple[str, bool, str]]:
        starts = Snapshot | Latest | Version | Time
        yield "start", isinstance(self.start, starts), _start_allowed(self.start)
        valid = self.max_files is None or validation.is_max_files(self.max_files)
        nearest = hints.nearest_integer(self.max_files, range(1, MAX_INT + 1))
        yield "max_files", valid, with_hint(validation.MAX_FILES_ALLOWED, "max_files", nearest)
        valid = self.max_bytes is None or validation.is_max_bytes(self.max_bytes)
        nearest = hints.nearest_size(self.max_bytes)
        yield "max_bytes", valid, with_hint(validation.MAX_BYTES_ALLOWED, "max_bytes", nearest)
        valid = self.on_change in get_args(OnChange)
        nearest = hints.nearest_on_change(self.on_change, get_args(OnChange))
        yield "on_change", valid, with_hint(validation.ON_CHANGE_ALLOWED, "on_change", nearest)
        valid = self.exclude_regex is None or validation.is_regex(self.exclude_regex)
        yield "exclude_regex", valid, validation.regex_allowed(self.exclude_regex)
        valid = isinstance(self.fail_on_data_loss, bool)
        nearest = hints.nearest_flag(self.fail_on_data_loss)
        yield "fail_on_data_loss", valid, with_hint(FLAG_ALLOWED, "fail_on_data_loss", nearest)
        valid = self.fail_on_data_loss is not False or self.schema_tracking is None
        yield "fail_on_data_loss", valid, validation.TRACKED_LOSS
        valid = isinstance(self.schema_tracking, SchemaTracking | None)
        yield "schema_tracking", valid, validation.TRACKING_ALLOWED

    @classmethod
    def from_dict(cls, options: Mapping[str, object]) -> ReadOptions:
        """Create ReadOptions from options under Spark's names, in any case.

        Args:
            options: Option names and values. A value may be text, as in Spark, or a Python value.
                Options of file systems, whose names start with "fs." or "dfs.", become `extra`.
                Other options that are not Delta's are refused: give them in `extra`.

        Returns:
            The options.

        Raises:
            OptionsError: An option is unknown, duplicated, contradictory or invalid; the error
                lists all of them.

        Example:
            >>> from deltasource import ReadOptions
            >>> ReadOptions.from_dict({"maxFilesPerTrigger": "5"}).max_files
            5
        """
        return cls(**parsing.read_arguments(options))

    def to_spark(self) -> dict[str, str]:
        """Return the options under Spark's names, without those left at their default.

        Returns:
            Option names and values, for `DataStreamReader.options`.

        Example:
            >>> from deltasource import ReadOptions
            >>> ReadOptions(max_bytes="1k", on_change="reemit").to_spark()
            {'maxBytesPerTrigger': '1024b', 'ignoreChanges': 'true'}
        """
        spark = _start_option(self.start)
        if self.max_files is not None:
            spark[keys.MAX_FILES] = str(self.max_files)
        if self.max_bytes is not None:
            spark[keys.MAX_BYTES] = f"{validation.to_bytes(self.max_bytes)}b"
        if self.on_change != "fail":
            spark[_ON_CHANGE_KEYS[self.on_change]] = "true"
        if self.exclude_regex is not None:
            spark[keys.EXCLUDE_REGEX] = self.exclude_regex
        if not self.fail_on_data_loss:
            spark[keys.FAIL_ON_DATA_LOSS] = "false"
        if self.schema_tracking is not None:
            spark |= self.schema_tracking.to_spark()
        return spark | dict(self.extra)


def _start_allowed(start: object) -> str:
    without_zone = isinstance(start, datetime) and start.utcoffset() is None
    if without_zone:
        return validation.ZONE_ALLOWED
    return with_hint(validation.START_ALLOWED, "start", hints.nearest_start(start))


def _start_option(start: StartLike) -> dict[str, str]:
    match start:
        case Latest():
            return {keys.STARTING_VERSION: "latest"}
        case Version() | Time():
            return bound_option(
                start, version_key=keys.STARTING_VERSION, time_key=keys.STARTING_TIMESTAMP
            )
        case _:
            return {}
