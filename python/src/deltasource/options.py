# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The options of a stream, as values that are checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, TypeGuard, get_args

from deltasource._options import extra as _extra
from deltasource._options import keys
from deltasource._text import MAX_LONG, shown, size
from deltasource.errors import OptionsError, Problem
from deltasource.schema_tracking import SchemaTracking
from deltasource.starting import Latest, Snapshot, Start, Time, Version, bound

Change: TypeAlias = Literal["fail", "skip_commits", "ignore_deletes", "reemit"]
"""What a stream of rows does at a commit that takes rows away or rewrites them."""

MAX_INT: Final = 2**31 - 1

MAX_FILES_ALLOWED = f"a whole number from 1 to {MAX_INT}"
MAX_BYTES_ALLOWED = (
    'a number of bytes above 0, or a whole number with a unit such as "512mb" or "1g"'
)
REGEX_ALLOWED = "a regular expression of Java, not empty"
FLAG_ALLOWED = "True or False"
START_ALLOWED = "Snapshot(), Latest(), Version(number) or Time(at)"
CHANGE_ALLOWED = "one of " + ", ".join(map(repr, get_args(Change)))
TRACKING_ALLOWED = "SchemaTracking(location=...)"
TRACKED_LOSS = "no loss can be allowed with schema tracking: a lost commit could hold a change"

_CHANGE_KEYS: Final[Mapping[Change, str]] = {
    "skip_commits": keys.SKIP_CHANGE_COMMITS,
    "ignore_deletes": keys.IGNORE_DELETES,
    "reemit": keys.IGNORE_CHANGES,
}


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How a table is read as a stream.

    start               where to begin when the checkpoint is new
    max_files           at most so many files in one batch (1000 unless max_bytes is given)
    max_bytes           a batch ends with the file that passes so many bytes: 1048576, "512mb"
    on_change           at a commit that takes rows away or rewrites them: "fail",
                        "skip_commits" (leave such a commit out), "ignore_deletes" (pass over mere
                        deletes), "reemit" (pass over deletes, and read rewritten files again,
                        unchanged rows included)
    exclude_regex       files whose path matches this Java expression are left out
    fail_on_data_loss   False: pass over commits that have vanished from the log
    schema_tracking     keep a log of the schemas the stream comes through, to go on behind changes
    extra               options for Spark, Delta or a file system that have no name here, in
                        Spark's spelling; nobody checks them
    """

    start: Start = Snapshot()
    max_files: int | None = None
    max_bytes: int | str | None = None
    on_change: Change = "fail"
    exclude_regex: str | None = None
    fail_on_data_loss: bool = True
    schema_tracking: SchemaTracking | None = None
    # Not shown: it is where the credentials of a file system stand. Not hashed: a dict cannot be.
    extra: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, hash=False)

    def __post_init__(self) -> None:
        """Report every mistake at once."""
        rules = (
            ("start", isinstance(self.start, Snapshot | Latest | Version | Time), START_ALLOWED),
            (
                "max_files",
                self.max_files is None or is_max_files(self.max_files),
                MAX_FILES_ALLOWED,
            ),
            (
                "max_bytes",
                self.max_bytes is None or is_max_bytes(self.max_bytes),
                MAX_BYTES_ALLOWED,
            ),
            ("on_change", self.on_change in get_args(Change), CHANGE_ALLOWED),
            (
                "exclude_regex",
                self.exclude_regex is None or is_regex(self.exclude_regex),
                REGEX_ALLOWED,
            ),
            ("fail_on_data_loss", isinstance(self.fail_on_data_loss, bool), FLAG_ALLOWED),
            (
                "fail_on_data_loss",
                self.fail_on_data_loss is not False or self.schema_tracking is None,
                TRACKED_LOSS,
            ),
            (
                "schema_tracking",
                isinstance(self.schema_tracking, SchemaTracking | None),
                TRACKING_ALLOWED,
            ),
        )
        problems = [
            Problem(name, shown(getattr(self, name)), allowed)
            for name, fine, allowed in rules
            if not fine
        ]
        problems += _extra.problems(self.extra)
        if problems:
            raise OptionsError(problems)
        # The caller may go on changing what was handed in.
        object.__setattr__(self, "extra", dict(self.extra))

    @classmethod
    def from_dict(cls, options: Mapping[str, object]) -> ReadOptions:
        """Take options in Spark's spelling, in any case, as text or as values.

        What is unknown, doubled, contradictory or out of bounds is refused, all of it at once.
        Options that are meant for others than Delta go into `extra`.
        """
        from deltasource._options.spark_options import arguments

        return cls(**arguments(options))

    def to_spark(self) -> dict[str, str]:
        """Give the options in Spark's spelling; what is left at its default is left out."""
        spark = _starting(self.start)
        if self.max_files is not None:
            spark[keys.MAX_FILES] = str(self.max_files)
        if self.max_bytes is not None:
            spark[keys.MAX_BYTES] = f"{_bytes(self.max_bytes)}b"
        if self.on_change != "fail":
            spark[_CHANGE_KEYS[self.on_change]] = "true"
        if self.exclude_regex is not None:
            spark[keys.EXCLUDE_REGEX] = self.exclude_regex
        if not self.fail_on_data_loss:
            spark[keys.FAIL_ON_DATA_LOSS] = "false"
        if self.schema_tracking is not None:
            spark |= self.schema_tracking.to_spark()
        return spark | dict(self.extra)


def is_max_files(value: object) -> TypeGuard[int]:
    """Whether a batch can be limited to so many files."""
    return type(value) is int and 1 <= value <= MAX_INT


def is_max_bytes(value: object) -> TypeGuard[int | str]:
    """Whether a batch can be limited to so many bytes."""
    number = _bytes(value) if isinstance(value, int | str) and type(value) is not bool else None
    return number is not None and 1 <= number <= MAX_LONG


def is_regex(value: object) -> TypeGuard[str]:
    """Whether this may be an expression; only Java can tell, since its dialect is its own."""
    return isinstance(value, str) and value != ""


def _bytes(value: int | str) -> int | None:
    return size(value) if isinstance(value, str) else value


def _starting(start: Start) -> dict[str, str]:
    match start:
        case Latest():
            return {keys.STARTING_VERSION: "latest"}
        case Snapshot():
            return {}
        case _:
            return bound(start, version=keys.STARTING_VERSION, time=keys.STARTING_TIMESTAMP)
