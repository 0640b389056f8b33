# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The batches of a query, and the files of the offset log that record them, in both formats.

v1 (every Spark so far):     v1, a line about the batch, then an offset for each source, by position
v2 (Spark 4.3, with source   v2, a line about the batch, then `name:offset` for each source
evolution):

A source without an offset has `-` instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Final

from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.paths import ReadablePath, unreadable
from deltasource._errors import CheckpointError, MalformedOffsetError, NewerOffsetError
from deltasource._session.checksum_error import ChecksumError
from deltasource._text import short_repr

NONE_YET: Final = "-"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_YEAR_9999: Final = 253_370_764_800_000
OR_NEW_CHECKPOINT: Final = "or use a new checkpoint, and a new or emptied target"
QUERY_ID: Final = '{"id":"..."}'
_ADVICE: Final = f"Stop the query and restore the file from a copy, {OR_NEW_CHECKPOINT}"


@dataclass(frozen=True)
class Batch:
    """A batch of a query, as recorded in its checkpoint.

    Args:
        id: The number of the batch, from 0.
        committed: Whether the batch is done. If not, it is only planned, and a restart runs it.
        sources: The end offset for each source that has one: an `Offset` for a Delta source, the
            text as it is for any other. The key is the position of the source, from "0", or its
            name if Spark's source evolution is enabled.
        planned_at: When Spark planned the batch, in UTC; None if the checkpoint does not say.

    Example:
        >>> from deltasource import Batch, Offset
        >>> Batch(3, committed=True, sources={"0": Offset(7, 2)}).sources["0"].version
        7
    """

    id: int
    committed: bool
    sources: Mapping[str, Offset | str]
    planned_at: datetime | None = None

    def __str__(self) -> str:
        """Return one line: batch 3, committed; source 0: Everything before version 7 ..."""
        done = "committed" if self.committed else "planned, not committed"
        ends = (f"; source {name}: {_explained(end)}" for name, end in self.sources.items())
        return f"batch {self.id}, {done}{''.join(ends)}"


@dataclass(frozen=True)
class Entry:
    """A file: when its batch was planned, and the offset of each source that has one.

    Args:
        planned_at: When the batch was planned.
        sources: The offsets.
        count: How many sources the query has, with and without an offset; None if they have names,
            because a query may then get more.
    """

    planned_at: datetime | None
    sources: Mapping[str, Offset | str]
    count: int | None


def read(file: ReadablePath) -> Entry:
    """Read a file; CheckpointError if it is damaged, FileNotFoundError if it was deleted."""
    lines = read_lines(file)
    form = re.fullmatch(r"v([1-9][0-9]{0,8})", lines[0])
    if form is None:
        raise damaged(file, f"its first line must be v1 or v2, got {short_repr(lines[0])}")
    if int(form[1]) > 2:
        raise CheckpointError(
            f"the format of {file} must be v1 or v2, got {lines[0]}: use a newer deltasource"
        )
    if len(lines) < 3:
        raise damaged(file, f"it ends at line {len(lines)}, before the first offset")
    has_names = form[1] == "2"
    named = _by_name(file, lines[2:]) if has_names else _by_position(lines[2:])
    sources = {name: _offset(file, text) for name, text in named if text != NONE_YET}
    return Entry(_planned_at(file, lines[1]), sources, None if has_names else len(lines) - 2)


def read_batch(latest_committed: int, numbered: tuple[int, ReadablePath]) -> Batch | None:
    """Read the batch of a number from its file; None if a running query has deleted the file."""
    number, file = numbered
    try:
        entry = read(file)
    except FileNotFoundError:
        return None
    # With asynchronous progress tracking, a commit file covers the batches before it, too.
    return Batch(number, number <= latest_committed, entry.sources, entry.planned_at)


def damaged_offsets(batches: Sequence[Batch], checkpoint: object) -> Iterator[CheckpointError]:
    """Return an error for each offset that is not JSON, which those of all sources are.

    Also for each that is none of Delta's, of a source that has others.
    """
    of_delta = {
        name
        for batch in batches
        for name, offset in batch.sources.items()
        if isinstance(offset, Offset)
    }
    for batch in batches:
        for name, offset in batch.sources.items():
            if isinstance(offset, Offset) or (name not in of_delta and _is_json(offset)):
                continue
            why = "none of a Delta table" if name in of_delta else "not JSON"
            yield CheckpointError(
                f"{checkpoint}/offsets/{batch.id} is damaged: the offset of source {name} is "
                f"{why}: {short_repr(offset)}. Restore it from a copy"
            )


def missing_offsets(
    commits: Mapping[int, ReadablePath],
    offsets: Mapping[int, ReadablePath],
    checkpoint: ReadablePath,
    *,
    is_synchronous: bool = False,
) -> Iterator[CheckpointError]:
    """Return an error for each file that a restart needs and that is missing.

    Spark reads the offsets of the latest batch and of the one before. Only with asynchronous
    progress tracking, which no Delta table supports as a target, the one before may have neither
    offsets nor a commit.
    """
    before = max(offsets, default=-1) - 1
    for batch in sorted({max(commits, default=-1), before}):
        if batch < 0 or batch in offsets:
            continue
        committed = batch in commits
        if committed or is_synchronous:
            file = checkpoint / ("commits" if committed else "offsets")
            why = "the batch is committed" if committed else "the query has planned the next batch"
            other = file / str(batch if committed else batch + 1)
            yield CheckpointError(
                f"{checkpoint / 'offsets' / str(batch)} is missing, but {why}: {other} exists. "
                f"Restore the missing file from a copy, {OR_NEW_CHECKPOINT}"
            )


def read_lines(file: ReadablePath) -> Sequence[str]:
    """Read the lines of a file of a log; CheckpointError if that fails, unless it was deleted."""
    try:
        return file.read_text("utf-8").removesuffix("\n").split("\n")
    except FileNotFoundError:
        raise
    except ChecksumError:
        raise damaged(file, checksum_differs(file)) from None  # The Java stack says nothing else.
    except OSError as error:
        raise unreadable(CheckpointError, file, error) from error
    except UnicodeDecodeError as error:
        raise damaged(file, str(error)) from error


def checksum_differs(file: ReadablePath) -> str:
    """Say why Spark does not read a file on a local disk."""
    return (
        f"it was truncated or changed, because it does not match its checksum, .{file.name}.crc, "
        "which must be deleted if the file is written again"
    )


def _explained(end: Offset | str) -> str:
    return short_repr(end) if isinstance(end, str) else end.explain().removesuffix(".")


def _by_position(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((str(position), line) for position, line in enumerate(lines))


def _by_name(file: ReadablePath, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        name, colon, text = line.partition(":")
        if not colon:
            raise damaged(file, f"{short_repr(line)} has no source name")
        yield name, text


def _offset(file: ReadablePath, text: str) -> Offset | str:
    """Parse the offset of a Delta source; return the text of any other source unchanged."""
    if not text.strip():
        raise damaged(file, "the line of a source is empty")
    if not text.startswith("{"):
        return text
    values = _json(file, text)
    if "reservoirVersion" not in values and "reservoirId" not in values:
        return text
    try:
        return Offset.parse(values)
    except MalformedOffsetError as error:
        raise damaged(file, error.args[0]) from error
    except NewerOffsetError as error:
        raise NewerOffsetError(f"in {file}, {error.args[0]}") from error


def _planned_at(file: ReadablePath, text: str) -> datetime | None:
    # Spark leaves the line empty if there is no metadata.
    millis = _json(file, text).get("batchTimestampMs", 0) if text.strip() else 0
    if type(millis) is not int or millis >= _YEAR_9999:
        raise damaged(
            file, f"batchTimestampMs must be a time in milliseconds, got {short_repr(millis)}"
        )
    return _EPOCH + timedelta(milliseconds=millis) if millis > 0 else None


def _json(file: ReadablePath, text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged(file, f"{short_repr(text)} is truncated or not JSON") from error
    if not isinstance(values, dict):
        raise damaged(file, f"{short_repr(text)} is not a JSON object")
    return values


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def damaged(file: ReadablePath, why: str, advice: str = _ADVICE) -> CheckpointError:
    """Return the error for a file of a log that Spark cannot read."""
    return CheckpointError(f"cannot read {file}: {why}. {advice}")
