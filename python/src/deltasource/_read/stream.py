# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads a table as a stream."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from deltasource._errors import TableError
from deltasource._options import keys
from deltasource._options.keyword_hints import with_option_hints
from deltasource._options.read_options import ReadOptions
from deltasource._options.schema_tracking import SchemaTracking, is_location, spark_path_rule
from deltasource._options.short_calls import with_keywords
from deltasource._options.start import StartLike
from deltasource._options.validation import TABLE_ALLOWED, OnChange, Rule, validate, validated
from deltasource._read.damaged_files import named_if_damaged
from deltasource._read.excluded_files import require_java_regex
from deltasource._read.missing_table import named_if_missing, named_if_not_in_catalog
from deltasource._read.other_formats import require_delta
from deltasource._read.recorded_schema import require_readable
from deltasource._read.unopened_table import named_if_unopened
from deltasource._session.connect_errors import named_connect_errors
from deltasource._session.file_systems import named_if_unknown
from deltasource._session.requirements import require_our_jar_in
from deltasource._text import is_path
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SOURCE_NAME_ALLOWED = 'must be one or more ASCII letters, digits and "_"'
SOURCE_EVOLUTION: Final = "spark.sql.streaming.queryEvolution.enableSourceEvolution"
EVOLUTION_NEEDED = (
    "must be None unless Spark is set to name sources: call "
    f'spark.conf.set("{SOURCE_EVOLUTION}", True)'
)

CONNECT: Final = "pyspark.sql.connect."

_SOURCE_NAME: Final = re.compile(r"[A-Za-z0-9_]+")


@with_option_hints(ReadOptions)
def read_stream(
    spark: SessionLike,
    path_or_table: str | os.PathLike[str],
    *,
    options: ReadOptions = ReadOptions(),
    start: StartLike | None = None,
    max_files: int | None = None,
    max_bytes: int | str | None = None,
    on_change: OnChange | None = None,
    exclude_regex: str | None = None,
    fail_on_data_loss: bool | None = None,
    schema_tracking: SchemaTracking | None = None,
    extra: Mapping[str, str] | None = None,
    source_name: str | None = None,
) -> DataFrame:
    """Read a Delta table as a stream.

    Give options as keywords, or as `ReadOptions` if several streams share them. A keyword replaces
    the option of the same name in `options`.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        path_or_table: The table. An `os.PathLike` is a path, and so is text with a slash or a
            scheme; any other text is the name of a table.
        options: Where to start, how much to read in a batch, and what to do at commits that delete
            or rewrite rows.
        start: Where to start if the checkpoint is new: a version such as 7, a `datetime` with a
            time zone, "snapshot" (the default), "latest", or one of `Snapshot()`, `Latest()`,
            `Version(7)` and `Time(at)`.
        max_files: Maximum number of files in a batch. This argument and the next ones, up to
            `extra`, are fields of `ReadOptions`.
        max_bytes: Size after which a batch ends, in bytes or as text such as "512mb".
        on_change: What to do at a commit that deletes or rewrites rows: "fail" (the default),
            "skip_commits", "ignore_deletes" or "reemit".
        exclude_regex: A Java regular expression; files whose path contains a match are not read.
        fail_on_data_loss: False skips commits that are missing from the log, provided that Delta
            can open the table from a later checkpoint of the table.
        schema_tracking: Records the schemas of the table, to continue after schema changes.
        extra: Options for Spark, Delta or a file system under their names in Spark.
        source_name: Name that identifies this source in checkpoints instead of its position, as
            with `DataStreamReader.name` in Spark 4.2: ASCII letters, digits and "_". Needs
            `spark.conf.set("spark.sql.streaming.queryEvolution.enableSourceEvolution", True)`.

    Returns:
        A streaming DataFrame with the columns of the table.

    Raises:
        OptionsError: An option is invalid, or a source name is given and Spark is older than 4.2,
            or does not allow it. A classic session also checks `exclude_regex` with Java.
        TableError: There is no Delta table at the path or of this name, or Spark cannot parse the
            name. Over Connect, the format of a table with a name is not checked.
        MissingCommitError: The log lacks a commit that Delta needs to open the table.
        CommitError: A commit that Delta needs to open the table is damaged.
        UnsupportedReadFeatureError: Delta Lake does not know a feature of the table.
        SchemaLogError: A recorded schema is damaged.
        RemotePathError: Spark does not have the file system of the path.
        ConnectError: The Spark Connect server cannot be reached, or has closed the session.
        SessionRunningError: A classic session has been stopped.
        NotLoadedError: A classic session runs without our jar.
        ShadowedError: A classic session runs with another Delta.

    Example:
        >>> import deltasource
        >>> orders = deltasource.read_stream(
        ...     spark, "/tables/orders", start=7, max_files=100
        ... )  # doctest: +SKIP
    """
    chosen = stream_options(
        spark,
        path_or_table,
        source_name,
        options=options,
        start=start,
        max_files=max_files,
        max_bytes=max_bytes,
        on_change=on_change,
        exclude_regex=exclude_regex,
        fail_on_data_loss=fail_on_data_loss,
        schema_tracking=schema_tracking,
        extra=extra,
    )
    reader = stream_reader(spark, chosen.to_spark(), source_name)
    rows = load_stream(reader, path_or_table, spark, chosen.schema_tracking)
    require_delta(spark, rows, path_or_table)
    require_readable(rows, chosen.schema_tracking, path_or_table)
    return rows


def stream_options(
    spark: object,
    path_or_table: object,
    source_name: object,
    *rules: Rule,
    options: ReadOptions,
    **keywords: object,
) -> ReadOptions:
    """Return the options of a stream; one OptionsError for them, the other arguments and rules."""
    return validated(
        lambda: with_keywords(options, ReadOptions, **keywords),
        ("path_or_table", path_or_table, is_location(path_or_table), TABLE_ALLOWED),
        spark_path_rule("path_or_table", path_or_table),
        ("spark", spark, is_session(spark), SESSION_ALLOWED),
        ("source_name", source_name, _is_source_name(source_name), SOURCE_NAME_ALLOWED),
        *rules,
    )


def stream_reader(spark: SessionLike, options: Mapping[str, str], source_name: str | None) -> Any:
    """Return Spark's stream reader with options and a name, after checking for our jar."""
    require_our_jar_in(spark)
    require_java_regex(spark, options.get(keys.EXCLUDE_REGEX))
    reader = spark.readStream.options(**options)
    if source_name is None:
        return reader
    validate(("source_name", source_name, hasattr(reader, "name"), "must be None before Spark 4.2"))
    session: Any = spark
    evolves = session.conf.get(SOURCE_EVOLUTION).lower() == "true"
    validate(("source_name", source_name, evolves, EVOLUTION_NEEDED))
    return reader.name(source_name)


def load_stream(
    reader: Any,
    path_or_table: str | os.PathLike[str],
    spark: SessionLike,
    tracking: SchemaTracking | None,
) -> DataFrame:
    """Load a table with Spark's reader of streams; damaged files have errors of our own."""
    with named_if_damaged(None if tracking is None else os.fspath(tracking.location)):
        return load(reader, path_or_table, spark)


def load(
    reader: Any, path_or_table: str | os.PathLike[str], spark: SessionLike | None = None
) -> DataFrame:
    """Load a table with Spark's reader of batches or of streams.

    An error for a name that does not exist has the nearest one in the catalog of `spark`.
    """
    rows: DataFrame
    given = is_location(path_or_table)
    rule = ("path_or_table", path_or_table, given, TABLE_ALLOWED)
    validate(rule, spark_path_rule("path_or_table", path_or_table))
    table = os.fspath(path_or_table)
    by_path = is_path(path_or_table)
    with (
        named_if_unopened(table),
        named_if_missing(table) if by_path else named_if_not_in_catalog(table, spark),
        named_if_unknown(),
    ):
        rows = reader.format("delta").load(table) if by_path else reader.table(table)
        if type(reader).__module__.startswith(CONNECT):
            # Otherwise the server looks for the table only when the query starts.
            with named_connect_errors():
                _ = rows.schema
    return rows


def load_if_exists(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> DataFrame | None:
    """Load a table as a batch DataFrame; None if there is none."""
    try:
        return load(spark.read, path_or_table)
    except TableError:
        return None


def _is_source_name(name: object) -> bool:
    return name is None or (isinstance(name, str) and bool(_SOURCE_NAME.fullmatch(name)))
