# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads a commit of a Delta table, as far as a backlog needs it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deltasource._checkpoint.paths import ReadablePath, unreadable
from deltasource._checkpoint.stored_files import stored_files
from deltasource._errors import CommitError, LogReadError
from deltasource._text import parse_int, short_repr

# Other lines, such as those of transactions, need not be parsed.
_WANTED: Final = ('"add"', '"remove"', '"cdc"', '"commitInfo"', '"metaData"')
_RETENTIONS: Final = ("specifiedRetentionMillis", "defaultRetentionMillis")


class EmptyCommitError(CommitError):
    """A commit of the table has no action; the jar uses the same condition.

    Example:
        >>> from deltasource import EmptyCommitError
        >>> EmptyCommitError.condition
        'DELTASOURCE_EMPTY_COMMIT'
    """

    condition = "DELTASOURCE_EMPTY_COMMIT"


@dataclass(frozen=True)
class Metadata:
    """The id and the properties of a table."""

    id: str
    properties: Mapping[str, str]


@dataclass(frozen=True)
class AddedFile:
    """A file that a commit adds: its size in bytes, whether it changes data, what is stored."""

    size: int
    data_change: bool
    stored: Sequence[str]


@dataclass(frozen=True)
class ReadFile:
    """A file that a stream reads of a commit.

    Args:
        size: Its size, in bytes.
        stored: What is stored.
        unneeded_since: Since when the table does not need it, in seconds since 1970; None if it
            is a part of the table.
    """

    size: int
    stored: Sequence[str]
    unneeded_since: float | None = None


@dataclass(frozen=True)
class Commit:
    """A commit.

    Args:
        seconds: Its time, in seconds since 1970.
        added: The files that it adds. Those that change data are numbered in this order.
        removed: The stored files that it removes, and when, in seconds since 1970.
        changes: The files that a change feed reads: the change files, or else the files that are
            added and removed with data. They are numbered in this order.
        metadata: The metadata that it sets.
        vacuum_retention: If it says that VACUUM starts, how long that keeps removed files, in
            seconds.
        operation: What made it, such as "WRITE"; None if it does not say.
        removes_data: Whether it removes or rewrites rows.
    """

    seconds: float
    added: Sequence[AddedFile]
    removed: Mapping[str, float]
    changes: Sequence[ReadFile]
    metadata: Metadata | None
    vacuum_retention: float | None
    operation: str | None = None
    removes_data: bool = False

    @property
    def rows(self) -> Sequence[ReadFile]:
        """The files that a row stream reads."""
        return [ReadFile(file.size, file.stored) for file in self.added if file.data_change]

    def read_by(self, *, change_feed: bool) -> Sequence[ReadFile]:
        """Return the files that a stream reads, by their numbers."""
        return self.changes if change_feed else self.rows


def read_commit(file: ReadablePath, version: int) -> Commit | None:
    """Read a commit; None if it does not exist.

    Raises CommitError if it is damaged or empty, LogReadError if the file system fails.
    """
    try:
        return _commit(file, version)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(LogReadError, file, error) from error
    except KeyError as error:
        why = f"an action has no {error.args[0]}"
        raise damaged(file, version, why) from error
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        why = f"a value has the wrong type or format: {error}"
        raise damaged(file, version, why) from error


def parse_metadata(action: Mapping[str, Any]) -> Metadata:
    """Return the metadata of an action; KeyError, TypeError, AttributeError if it is damaged."""
    properties: Mapping[str, object] = action.get("configuration") or {}
    return Metadata(str(action["id"]), {name: str(value) for name, value in properties.items()})


def _commit(file: ReadablePath, version: int) -> Commit:
    added: list[AddedFile] = []
    removed: dict[str, float] = {}
    change_files: list[Mapping[str, Any]] = []
    data: list[ReadFile] = []
    metadata: Metadata | None = None
    vacuum: float | None = None
    operation: object = None
    removes_data = False
    seconds = file.stat().st_mtime
    for action in _actions(file, version):
        if (add := action.get("add")) is not None:
            one = AddedFile(int(add["size"]), bool(add["dataChange"]), stored_files(add))
            added.append(one)
            if one.data_change:
                data.append(ReadFile(one.size, one.stored))
        elif (remove := action.get("remove")) is not None:
            # VACUUM deletes a file at once if its removal has no time.
            time = int(remove.get("deletionTimestamp") or 0) / 1000
            removed.update(dict.fromkeys(stored_files(remove), time))
            if remove.get("dataChange"):
                removes_data = True
                data.append(ReadFile(int(remove.get("size") or 0), stored_files(remove), time))
        elif (cdc := action.get("cdc")) is not None:
            change_files.append(cdc)
        elif (set_here := action.get("metaData")) is not None:
            metadata = parse_metadata(set_here)
        elif (info := action.get("commitInfo")) is not None:
            vacuum = _vacuum_retention(info)
            operation = info.get("operation")
            if "inCommitTimestamp" in info:
                seconds = int(info["inCommitTimestamp"]) / 1000
    changes = [ReadFile(int(cdc["size"]), stored_files(cdc), seconds) for cdc in change_files]
    return Commit(
        seconds,
        added,
        removed,
        changes or data,
        metadata,
        vacuum,
        operation=operation if isinstance(operation, str) else None,
        removes_data=removes_data,
    )


def _vacuum_retention(info: Mapping[str, Any]) -> float | None:
    """Return the retention of a VACUUM that starts, in seconds; what commitInfo says is optional.

    `VACUUM t RETAIN 24 HOURS` specifies it; otherwise it is that of the table.
    """
    parameters = info.get("operationParameters")
    if info.get("operation") != "VACUUM START" or not isinstance(parameters, dict):
        return None
    millis = (parse_int(str(parameters.get(name))) for name in _RETENTIONS)
    return next((one / 1000 for one in millis if one is not None and one >= 0), None)


def _actions(file: ReadablePath, version: int) -> Iterator[dict[str, dict[str, Any]]]:
    is_empty = True
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            is_empty = is_empty and not line.strip()
            if any(word in line for word in _WANTED) or not _is_whole(line):
                yield _action(file, version, number, line)
    if is_empty:
        raise empty(file, version)


def empty(file: ReadablePath, version: int) -> EmptyCommitError:
    """Return the error for a commit without an action."""
    return EmptyCommitError(
        f"the commit of version {version} is empty, because its writer failed or a copy did. "
        f"Restore {file} from a copy"
    )


def _is_whole(line: str) -> bool:
    """Whether a line that is not parsed is empty, or looks like an action."""
    text = line.strip()
    return text == "" or (text.startswith('{"') and text.endswith("}"))


def _action(file: ReadablePath, version: int, number: int, line: str) -> dict[str, dict[str, Any]]:
    try:
        action = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise damaged(file, version, f"line {number} is not JSON: {short_repr(line)}") from error
    if not isinstance(action, dict) or not all(isinstance(one, dict) for one in action.values()):
        raise damaged(file, version, f"line {number} is not an action: {short_repr(line)}")
    return action


def damaged(file: ReadablePath, version: int, why: str) -> CommitError:
    """Return the error for a commit that cannot be read."""
    return CommitError(
        f"cannot read the commit of version {version}: {why}. Restore {file} from a copy"
    )
