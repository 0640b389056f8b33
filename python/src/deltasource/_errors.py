# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors of this package; there are others in `_log_gaps`, `_checkpoint`, `_write` and `_read`.

DeltaSourceError            the base class; `condition` is a name that stays when the text changes
├── OptionsError            invalid options or arguments; the error lists all of them
├── BuilderError            the argument is not a session builder
├── MissingLibraryError     an optional library is not installed
├── JarError                the jar of this package is missing, or Spark cannot use its path
├── SparkVersionError       there is no jar for this Spark, or PySpark and SPARK_HOME differ
├── SecondDeltaError        the settings add a second Delta next to the one in our jar
├── SubmitArgumentsError    PYSPARK_SUBMIT_ARGS puts another jar before ours
├── ConnectError            this needs a local Spark, or a running Spark Connect server with our jar
├── SessionRunningError     Spark is running already and cannot load the jar, or was stopped
├── NotLoadedError          Spark is running without our jar
├── ShadowedError           another Delta comes before our jar on the class path
├── MalformedOffsetError    this is not an offset of a Delta source
├── NewerOffsetError        the offset has a format that this version does not know
├── ProgressError           this is not the progress or another event of a query
├── RemotePathError         the path is not local, and neither fsspec nor a session can read it
├── CheckpointError         the checkpoint is missing or damaged
├── CheckpointInUseError    a query that is running uses the checkpoint
├── StartError              the file that records where a stream started is damaged
├── NoOffsetError           the checkpoint does not say how far it has read a table
├── SchemaError             this is not a schema in Spark's JSON format
├── SchemaChangeError       a schema change that `run_until` must not continue after
├── SchemaLogError          the log of tracked schemas is missing or damaged
├── TableError              there is no Delta table at this path
├── LogReadError            the file system failed while the log of a table was read
├── CommitError             a commit of the table is damaged
├── OtherTableError         the checkpoint belongs to another table
└── BeyondTableError        the checkpoint has read more versions than the table has
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from deltasource._invalid_option import InvalidOption
from deltasource._schema_change import SchemaChange
from deltasource._text import with_page


class DeltaSourceError(Exception):
    """The base class: match on the class or on `condition`, as the text may change.

    Example:
        >>> from deltasource import DeltaSourceError, Offset
        >>> try:
        ...     Offset.parse("seven")
        ... except DeltaSourceError as error:
        ...     print(error.condition)
        DELTASOURCE_MALFORMED_OFFSET
    """

    condition: ClassVar[str] = "DELTASOURCE_ERROR"

    def __str__(self) -> str:
        """Return the condition, as in Spark's own errors, the message, and the condition's page."""
        return with_page(f"[{self.condition}] {super().__str__()}", self.condition)


class OptionsError(DeltaSourceError, ValueError):
    """Invalid options or arguments; the error lists all of them.

    Args:
        problems: Each invalid option; also the attribute `problems`.

    Example:
        >>> from deltasource import InvalidOption, OptionsError
        >>> OptionsError([InvalidOption("max_files", "0", "must be positive")]).problems[0].option
        'max_files'
    """

    condition = "DELTASOURCE_INVALID_OPTIONS"

    def __init__(self, problems: Sequence[InvalidOption]) -> None:
        super().__init__("\n".join(["invalid options:", *map("- {}".format, problems)]))
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[OptionsError], tuple[tuple[InvalidOption, ...]]]:
        """Pickle the problems, not the message made from them."""
        return type(self), (self.problems,)


class BuilderError(DeltaSourceError, TypeError):
    """The argument is not a session builder."""

    condition = "DELTASOURCE_NOT_A_BUILDER"


class MissingLibraryError(DeltaSourceError, ImportError):
    """An optional library is not installed."""

    condition = "DELTASOURCE_MISSING_LIBRARY"


class JarError(DeltaSourceError):
    """The jar of this package is missing, or Spark cannot use its path."""

    condition = "DELTASOURCE_JAR"


class SparkVersionError(DeltaSourceError):
    """There is no jar for the installed Spark, or PySpark and `SPARK_HOME` differ."""

    condition = "DELTASOURCE_SPARK_VERSION"


class SecondDeltaError(DeltaSourceError):
    """The settings add a second Delta; our jar already contains all of Delta."""

    condition = "DELTASOURCE_SECOND_DELTA"


class SubmitArgumentsError(DeltaSourceError):
    """PYSPARK_SUBMIT_ARGS puts another jar before ours; it overrides the builder."""

    condition = "DELTASOURCE_SUBMIT_ARGUMENTS"


class ConnectError(DeltaSourceError):
    """This needs a local Spark, or a Spark Connect server that has our jar and can be reached."""

    condition = "DELTASOURCE_CONNECT"


class SessionRunningError(DeltaSourceError):
    """Spark is running already and cannot load the jar, or the session has been stopped."""

    condition = "DELTASOURCE_SESSION_RUNNING"


class NotLoadedError(DeltaSourceError):
    """Spark is running without our jar."""

    condition = "DELTASOURCE_NOT_LOADED"


class ShadowedError(DeltaSourceError):
    """Another Delta comes before our jar on the class path."""

    condition = "DELTASOURCE_SHADOWED"


class MalformedOffsetError(DeltaSourceError, ValueError):
    """This is not an offset of a Delta source; the jar uses the same condition."""

    condition = "DELTASOURCE_MALFORMED_OFFSET"


class NewerOffsetError(DeltaSourceError, ValueError):
    """The offset has a format that this version does not know; the condition is Delta's."""

    condition = "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION"


class ProgressError(DeltaSourceError, ValueError):
    """This is not the progress or another event of a query."""

    condition = "DELTASOURCE_MALFORMED_PROGRESS"


class RemotePathError(DeltaSourceError, ValueError):
    """The path is not local, and neither fsspec nor a session that was given can read it."""

    condition = "DELTASOURCE_REMOTE_PATH"


class CheckpointError(DeltaSourceError):
    """The checkpoint is missing or damaged."""

    condition = "DELTASOURCE_UNREADABLE_CHECKPOINT"


class CheckpointInUseError(DeltaSourceError):
    """A query that is running uses the checkpoint."""

    condition = "DELTASOURCE_CHECKPOINT_IN_USE"


class StartError(DeltaSourceError):
    """The file that records where a stream started is damaged."""

    condition = "DELTASOURCE_UNREADABLE_START"


class NoOffsetError(DeltaSourceError, LookupError):
    """The checkpoint does not say how far it has read a table."""

    condition = "DELTASOURCE_NO_OFFSET"


class SchemaError(DeltaSourceError, ValueError):
    """This is not a schema in Spark's JSON format."""

    condition = "DELTASOURCE_MALFORMED_SCHEMA"


class SchemaChangeError(DeltaSourceError):
    """A schema change that `run_until` must not continue after.

    Args:
        message: What changed, and how to continue.
        changes: The changes that are not allowed, also the attribute `changes`; () if unknown.
    """

    condition = "DELTASOURCE_SCHEMA_CHANGE"

    def __init__(self, message: str, changes: Sequence[SchemaChange] = ()) -> None:
        super().__init__(message)
        self.changes = tuple(changes)


class SchemaLogError(DeltaSourceError):
    """The log of tracked schemas is missing or damaged; the condition is Delta's."""

    condition = "DELTA_STREAMING_SCHEMA_LOG_DESERIALIZE_FAILED"


class TableError(DeltaSourceError):
    """There is no Delta table at this path; the condition is Delta's."""

    condition = "DELTA_TABLE_NOT_FOUND"


class LogReadError(DeltaSourceError):
    """The file system failed while the log of a table was read; the jar uses the same condition."""

    condition = "DELTASOURCE_LOG_READ_FAILED"


class CommitError(DeltaSourceError):
    """A commit of the table is damaged; the jar uses the same condition."""

    condition = "DELTASOURCE_UNREADABLE_COMMIT"


class OtherTableError(DeltaSourceError):
    """The checkpoint belongs to another table; the condition is Delta's."""

    condition = "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE"


class BeyondTableError(DeltaSourceError):
    """The checkpoint has read more versions than the table has; the jar uses the same condition."""

    condition = "DELTASOURCE_OFFSET_BEYOND_TABLE"
