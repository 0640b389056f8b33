# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How far a stream is behind its table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from deltasource import _html as html
from deltasource._format import format_count, format_seconds, format_size

DataLossLimit: TypeAlias = Literal["log", "data_files"]
"""What is deleted first of what a stream still has to read."""


@dataclass(frozen=True, kw_only=True)
class Lag:
    """How much of a table a stream has not read yet.

    `Checkpoint.backlog` computes it from the log of the table. `Progress` takes it from the metrics
    of the source, which leaves out what it does not know. Unknown values are None.

    Args:
        versions: Commits that have not been read to the end, including a partly read one. 0 if the
            stream has caught up, even if its offset is the last file of the latest commit.
        files: Data files that these commits add and that have not been read, without files that
            changed no data. Counted as for a row stream, or with `change_feed=True` as for a
            change feed. Unknown for a checkpoint if commits were cleaned up, and inside the initial
            snapshot.
        bytes: Total size of these files, in bytes. Unknown when `files` is.
        seconds: Age of the oldest of these commits, in seconds: from its in-commit timestamp if it
            has one, otherwise from the modification time of its file. 0.0 if the stream has caught
            up; unknown if that commit was cleaned up.
        hours_to_data_loss: Hours until the stream may lose data: the smaller of what the log and
            the data files allow. Unknown for a `Progress`, if only a Parquet checkpoint contains
            the table's properties, and if the commit of an initial snapshot was cleaned up.

            The log: the time of the oldest of these commits, plus the table's
            `delta.logRetentionDuration` (30 days by default), minus now. 0.0 if it was cleaned up
            already, the whole retention if the stream has caught up, infinity if
            `delta.enableExpiredLogCleanup` is false. It is a lower bound: Delta cleans up whole
            days, and only before a checkpoint.

            The data files: if a later commit has removed a file that the stream still has to read
            (OPTIMIZE, DELETE, UPDATE, MERGE, overwriting), the time of the removal, plus the
            table's `delta.deletedFileRetentionDuration` (1 week by default), minus now. If the
            latest VACUUM in the log after the offset kept files for a shorter time, that time
            counts; with Delta 4.4.0, only `RETAIN 0 HOURS` does. 0.0 if the file is gone. Other
            files are not limited until they are removed. With `change_feed=True`, the change files
            of these commits count from the time of their commit, and the files that commits without
            change files remove count as well.
        lost_file: The path of a file that the stream still has to read and that is gone. At most
            three files are looked for, those that were removed first. None if they exist, or if
            nothing was removed.
        data_loss_limit: Which of the two `hours_to_data_loss` comes from: "log" or "data_files".
            "log" if both are 0.0, unless a file is lost. None if the hours are unknown or infinite.

    Example:
        >>> from deltasource import Lag
        >>> lag = Lag(versions=3, files=12, bytes=1_048_576, seconds=90.0)
        >>> lag.files
        12
    """

    versions: int | None
    files: int | None
    bytes: int | None
    seconds: float | None
    hours_to_data_loss: float | None = None
    lost_file: str | None = None
    data_loss_limit: DataLossLimit | None = None

    def __str__(self) -> str:
        """Return the known numbers on one line: 3 versions, 12 files, 1.0 MiB, 2 min behind."""
        left = data_loss_text(self)
        return lag_text(self) if left is None else f"{lag_text(self)}; until data loss: {left}"

    def _repr_html_(self) -> str:
        """Return the lag as a table, for notebooks."""
        rows: list[tuple[str, html.Cell]] = [
            ("versions behind", self.versions),
            ("files", self.files),
            ("size", None if self.bytes is None else format_size(self.bytes)),
            ("age of the oldest", None if self.seconds is None else format_seconds(self.seconds)),
            ("until data loss", data_loss_text(self)),
        ]
        if self.lost_file is not None:
            rows.append(("lost file", html.colored(self.lost_file, html.RED)))
        return html.page(html.facts(rows))


@dataclass(frozen=True, kw_only=True)
class CheckpointLag(Lag):
    """The `Lag` of a checkpoint, as `Checkpoint.backlog` returns it: its versions are always known.

    Example:
        >>> from deltasource import Checkpoint
        >>> lag = Checkpoint("/checkpoints/orders").backlog("/tables/orders")  # doctest: +SKIP
        >>> print(lag)  # doctest: +SKIP
        3 versions, 12 files, 1.0 MiB, 2 min behind; until data loss: 29 d 23 h
    """

    versions: int


def format_lag(lag: Lag | None) -> str | None:
    """Format the known numbers of a lag in their units; None is unknown."""
    if lag is None:
        return None
    seconds = None if lag.seconds is None else round(lag.seconds, 1)
    numbers = {"versions": lag.versions, "files": lag.files, "bytes": lag.bytes, "seconds": seconds}
    known = [f"{number} {unit}" for unit, number in numbers.items() if number is not None]
    return f"{', '.join(known)} behind"


def data_loss_text(lag: Lag) -> str | None:
    """Return the time until data may be lost, for people: 29 d 3 h, never; None if unknown."""
    if lag.lost_file is not None:
        return "none, because a file that was not read yet is gone"
    hours = lag.hours_to_data_loss
    if hours is None or math.isinf(hours):
        return None if hours is None else "never"
    return format_seconds(hours * 3600)


def lag_text(lag: Lag) -> str:
    """Return what is known of a lag, for people: 3 versions, 12 files, 1.0 MiB, 2 min behind."""
    if lag.versions == 0 and not lag.files:
        return "caught up"
    parts = [
        None if lag.versions is None else _counted(lag.versions, "version"),
        None if lag.files is None else _counted(lag.files, "file"),
        None if lag.bytes is None else format_size(lag.bytes),
        None if lag.seconds is None else format_seconds(lag.seconds),
    ]
    return f"{', '.join(part for part in parts if part)} behind"


def _counted(number: int, noun: str) -> str:
    return f"{format_count(number)} {noun}{'' if number == 1 else 's'}"
