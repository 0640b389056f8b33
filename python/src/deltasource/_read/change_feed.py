# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the change feed of a table, as a stream or with a batch query."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options import keys
from deltasource._options.hints import nearest_bound, with_hint
from deltasource._options.keyword_hints import with_keyword_hints, with_option_hints
from deltasource._options.read_options import ReadOptions
from deltasource._options.schema_tracking import SchemaTracking
from deltasource._options.start import StartLike, Time, Version, bound_option, to_start
from deltasource._options.validation import validate
from deltasource._read.feed_property import require_enabled, require_recorded
from deltasource._read.other_formats import require_feed
from deltasource._read.recorded_schema import require_readable
from deltasource._read.stream import load, load_stream, stream_options, stream_reader
from deltasource._session.requirements import require_our_jar_in
from deltasource._text import short_repr
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Bound: TypeAlias = Version | Time | int | datetime
"""A commit of a table: its version, or a time with a time zone."""

ON_CHANGE_ALLOWED = "must be left out: a change feed returns all changes"
BOUND_ALLOWED = "must be a version such as 7, a time with a time zone, Version(number) or Time(at)"
END_ALLOWED = f"{BOUND_ALLOWED}, or None for the latest version"
ORDER = "must not be before the start"
TOO_LATE = "must not be after the latest version of the table"
_TOO_LATE: Final = ("DELTA_CDC_START_VERSION_AFTER_LATEST", "DELTA_TIMESTAMP_GREATER_THAN_COMMIT")


class ChangeType(str, Enum):
    """The values of the column `_change_type` in a change feed.

    Example:
        >>> from deltasource import ChangeType
        >>> ChangeType.UPDATE_POSTIMAGE == "update_postimage"
        True
    """

    INSERT = "insert"
    """A new row."""
    DELETE = "delete"
    """A deleted row, with its last values."""
    UPDATE_PREIMAGE = "update_preimage"
    """An updated row, with its values before the update."""
    UPDATE_POSTIMAGE = "update_postimage"
    """The same row, with its values after the update."""

    # Enum would format the name of the member, and Spark formats literals.
    __str__ = str.__str__


@with_option_hints(ReadOptions)
def stream_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
    start: StartLike | None = None,
    max_files: int | None = None,
    max_bytes: int | str | None = None,
    exclude_regex: str | None = None,
    fail_on_data_loss: bool | None = None,
    schema_tracking: SchemaTracking | None = None,
    extra: Mapping[str, str] | None = None,
    source_name: str | None = None,
) -> DataFrame:
    """Read the change feed of a Delta table as a stream.

    The table needs `delta.enableChangeDataFeed = true`. An update returns two rows, the old one and
    the new one. With `Snapshot()`, the default start, the rows of the snapshot come first, as
    inserts of its version.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table, as for `read_stream`.
        options: Where to start and how much to read in a batch, as for `read_stream`; a keyword
            replaces the option of the same name. Leave `on_change` out: a change feed returns all
            changes.
        start: Where to start if the checkpoint is new: a version, a `datetime` with a time zone,
            "snapshot" (the default), "latest", or a `Snapshot()`, `Latest()`, `Version(7)` or
            `Time(at)`.
        max_files: Maximum number of files in a batch. This argument and the next ones, up to
            `extra`, are fields of `ReadOptions`.
        max_bytes: Size after which a batch ends, in bytes or as text such as "512mb".
        exclude_regex: A Java regular expression; files whose path contains a match are not read.
        fail_on_data_loss: False skips commits that are missing from the log, provided that Delta
            can open the table from a later checkpoint of the table.
        schema_tracking: Records the schemas of the table, to continue after schema changes.
        extra: Options for Spark, Delta or a file system under their names in Spark.
        source_name: Name that identifies this source in checkpoints, as for `read_stream`.

    Returns:
        A streaming DataFrame with the columns of the table, followed by `_change_type` (string, a
        `ChangeType`), `_commit_version` (long) and `_commit_timestamp` (timestamp).

    Raises:
        OptionsError: An option or the source name is invalid, or `options` has `on_change`.
        TableError: There is no such Delta table, as for `read_stream`.
        NoChangeFeedError: The table has no change feed. Over Connect, that is not checked for a
            relative path.
        MissingCommitError, CommitError, SchemaLogError, UnsupportedReadFeatureError: As for
            `read_stream`.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> from deltasource import ChangeType
        >>> feed = deltasource.stream_changes(
        ...     spark, "/tables/orders", start="latest"
        ... )  # doctest: +SKIP
        >>> deletes = feed.where(feed["_change_type"] == ChangeType.DELETE)  # doctest: +SKIP
    """
    # What is no ReadOptions is refused by its type.
    on_change = getattr(options, "on_change", "fail")
    chosen = stream_options(
        spark,
        path_or_table,
        source_name,
        ("on_change", on_change, on_change == "fail", ON_CHANGE_ALLOWED),
        options=options,
        start=start,
        max_files=max_files,
        max_bytes=max_bytes,
        exclude_regex=exclude_regex,
        fail_on_data_loss=fail_on_data_loss,
        schema_tracking=schema_tracking,
        extra=extra,
    )
    given = {keys.READ_CHANGE_FEED: "true"} | chosen.to_spark()
    reader = stream_reader(spark, given, source_name)
    rows = load_stream(reader, path_or_table, spark, chosen.schema_tracking)
    require_feed(rows, path_or_table)
    require_enabled(spark, rows, path_or_table)
    require_readable(rows, chosen.schema_tracking, path_or_table)
    return rows


@with_keyword_hints
def read_changes(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    start: Bound,
    end: Bound | None = None,
) -> DataFrame:
    """Read the change feed of a table between two commits, both included, as a batch DataFrame.

    The table needs `delta.enableChangeDataFeed = true`. An update returns two rows, the old one and
    the new one.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table, as for `read_stream`.
        start: The first commit to read: a version such as 7, a `datetime` with a time zone,
            `Version(7)` or `Time(at)`.
        end: The last commit to read, in the same forms; None, or a later one than the latest, reads
            up to the latest version.

    Returns:
        A DataFrame with the columns of the table, followed by `_change_type` (string, a
        `ChangeType`), `_commit_version` (long) and `_commit_timestamp` (timestamp).

    Raises:
        OptionsError: `start` or `end` is invalid, `end` is before `start`, or `start` is after the
            latest version.
        TableError: There is no such Delta table, as for `read_stream`.
        NoChangeFeedError: The change feed is off, and was off at one of the commits. If it is on
            now, but was off at one of the commits, the query fails when it runs.
        MissingCommitError, UnsupportedReadFeatureError: As for `read_stream`.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> changes = deltasource.read_changes(
        ...     spark, "/tables/orders", start=3, end=5
        ... )  # doctest: +SKIP
    """
    first, last = to_start(start), to_start(end)
    start_allowed = with_hint(BOUND_ALLOWED, "start", nearest_bound(start))
    end_allowed = with_hint(END_ALLOWED, "end", nearest_bound(end))
    validate(
        ("spark", spark, is_session(spark), SESSION_ALLOWED),
        ("start", start, isinstance(first, Version | Time), start_allowed),
        ("end", end, isinstance(last, Version | Time | None), end_allowed),
        ("end", end, not _is_before(last, first), ORDER),
    )
    given = {keys.READ_CHANGE_FEED: "true"}
    if isinstance(first, Version | Time):
        given |= bound_option(
            first, version_key=keys.STARTING_VERSION, time_key=keys.STARTING_TIMESTAMP
        )
    if isinstance(last, Version | Time):
        given |= bound_option(last, version_key=keys.ENDING_VERSION, time_key=keys.ENDING_TIMESTAMP)
    require_our_jar_in(spark)
    with _named_if_too_late(start):
        rows = load(spark.read.options(**given), path_or_table, spark)
    require_feed(rows, path_or_table)
    require_recorded(spark, rows, path_or_table)
    return rows


@contextmanager
def _named_if_too_late(start: Bound) -> Generator[None, None, None]:
    """Raise OptionsError if the table has no commit at the start or later."""
    try:
        yield
    except Exception as error:
        if not any(f"[{one}" in str(error) for one in _TOO_LATE):
            raise
        raise OptionsError([InvalidOption("start", short_repr(start), TOO_LATE)]) from None


def _is_before(one: object, other: object) -> bool:
    # Only the table can compare a version with a time.
    match one, other:
        case Version(end), Version(start):
            return end < start
        case Time(until), Time(since):
            return until < since
        case _:
            return False
