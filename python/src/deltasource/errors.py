# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Every error of this package.

DeltaSourceError            the base; `condition` is a name that never changes
├── OptionsError            options that cannot be served, all of them at once
├── BuilderError            this is not a session builder
├── JarError                the jar is not where it belongs
├── SparkVersionError       the jar is made for another Spark
├── SecondDeltaError        the settings ask for another Delta beside ours
├── SubmitArgumentsError    PYSPARK_SUBMIT_ARGS would put another jar before ours
├── ConnectError            this needs a Spark in this process, and it is elsewhere
├── SessionRunningError     Spark runs already and cannot take the jar any more
├── NotLoadedError          Spark runs without the jar
├── ShadowedError           another Delta stands in front of the jar
├── MalformedOffsetError    text that is no offset of a Delta source
├── NewerOffsetError        an offset in a form made after this package
├── ProgressError           what is no progress of a query
├── RemotePathError         a path that only a session can reach
├── CheckpointError         a checkpoint that is not there, or damaged
├── StartError              a remembered start that is damaged
├── NoOffsetError           a checkpoint that does not say how far a table was read
├── SchemaError             text that is no schema
├── SchemaChangeError       a change of schema that a run may not go past
├── SchemaLogError          a log of tracked schemas that is not there, or damaged
├── TableError              a path where no Delta table is
├── CommitError             a commit of a table that is damaged
├── OtherTableError         the checkpoint has read another table
└── BeyondTableError        the checkpoint has read more than the table holds
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


class DeltaSourceError(Exception):
    """The base of every error of this package."""

    condition: ClassVar[str] = "DELTASOURCE_ERROR"

    def __str__(self) -> str:
        """Start with the condition, as Spark's own errors do."""
        return f"[{self.condition}] {super().__str__()}"


@dataclass(frozen=True)
class Problem:
    """One mistake in the options: which one, what was given, what is allowed."""

    option: str
    given: str
    allowed: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.option} = {self.given}: {self.allowed}"


class OptionsError(DeltaSourceError, ValueError):
    """Options that cannot be served; `problems` holds every mistake that was made."""

    condition = "DELTASOURCE_INVALID_OPTIONS"

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(
            "\n".join(["these options cannot be served:", *map("- {}".format, problems)])
        )
        self.problems = tuple(problems)

    def __reduce__(self) -> tuple[type[OptionsError], tuple[tuple[Problem, ...]]]:
        """Travel between processes with the problems, not with the text made of them."""
        return type(self), (self.problems,)


class BuilderError(DeltaSourceError, TypeError):
    """What was given is not a session builder."""

    condition = "DELTASOURCE_NOT_A_BUILDER"


class JarError(DeltaSourceError):
    """The jar of this package is not where it belongs."""

    condition = "DELTASOURCE_JAR"


class SparkVersionError(DeltaSourceError):
    """The jar of this package is made for another line of Spark."""

    condition = "DELTASOURCE_SPARK_VERSION"


class SecondDeltaError(DeltaSourceError):
    """The settings ask for another Delta; the jar of this package holds all of Delta already."""

    condition = "DELTASOURCE_SECOND_DELTA"


class SubmitArgumentsError(DeltaSourceError):
    """PYSPARK_SUBMIT_ARGS wins over the builder, and names jars without ours in front."""

    condition = "DELTASOURCE_SUBMIT_ARGUMENTS"


class ConnectError(DeltaSourceError):
    """The Spark in question runs elsewhere, behind Spark Connect."""

    condition = "DELTASOURCE_CONNECT"


class SessionRunningError(DeltaSourceError):
    """Spark runs already, and what it would need can only be given before it starts."""

    condition = "DELTASOURCE_SESSION_RUNNING"


class NotLoadedError(DeltaSourceError):
    """Spark runs without the jar of this package."""

    condition = "DELTASOURCE_NOT_LOADED"


class ShadowedError(DeltaSourceError):
    """Another Delta stands in front of the jar of this package."""

    condition = "DELTASOURCE_SHADOWED"


class MalformedOffsetError(DeltaSourceError, ValueError):
    """What was given is no offset of a Delta source; the jar has the same condition."""

    condition = "DELTASOURCE_MALFORMED_OFFSET"


class NewerOffsetError(DeltaSourceError, ValueError):
    """An offset in a form that this package does not know yet; the condition is Delta's."""

    condition = "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION"


class ProgressError(DeltaSourceError, ValueError):
    """What was given is no progress of a query as Spark has it, or a value in it is not."""

    condition = "DELTASOURCE_MALFORMED_PROGRESS"


class RemotePathError(DeltaSourceError, ValueError):
    """A path that is not local, given without a session, or that the given one does not reach."""

    condition = "DELTASOURCE_REMOTE_PATH"


class CheckpointError(DeltaSourceError):
    """A checkpoint of a query that is not there, or a file in it that is damaged."""

    condition = "DELTASOURCE_UNREADABLE_CHECKPOINT"


class StartError(DeltaSourceError):
    """The file in which a checkpoint remembers where a stream began is damaged."""

    condition = "DELTASOURCE_UNREADABLE_START"


class NoOffsetError(DeltaSourceError, LookupError):
    """The checkpoint does not say, or not clearly, how far it has read a table."""

    condition = "DELTASOURCE_NO_OFFSET"


class SchemaError(DeltaSourceError, ValueError):
    """What was given is no schema in Spark's JSON form."""

    condition = "DELTASOURCE_MALFORMED_SCHEMA"


class SchemaChangeError(DeltaSourceError):
    """A change of a table's schema that a run may not go past, or one too many."""

    condition = "DELTASOURCE_SCHEMA_CHANGE"


class SchemaLogError(DeltaSourceError):
    """A log of tracked schemas that is not there, or damaged; the condition is Delta's."""

    condition = "DELTA_STREAMING_SCHEMA_LOG_DESERIALIZE_FAILED"


class TableError(DeltaSourceError):
    """There is no Delta table at a path; the condition is Delta's."""

    condition = "DELTA_TABLE_NOT_FOUND"


class CommitError(DeltaSourceError):
    """A commit in the log of a table is damaged; the jar has the same condition."""

    condition = "DELTASOURCE_UNREADABLE_COMMIT"


class OtherTableError(DeltaSourceError):
    """The checkpoint has read another table; the condition is Delta's."""

    condition = "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE"


class BeyondTableError(DeltaSourceError):
    """The checkpoint has read more versions than the table has; the jar has the same condition."""

    condition = "DELTASOURCE_OFFSET_BEYOND_TABLE"
