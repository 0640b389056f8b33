# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the log of a Delta table, as far as a backlog needs it.

Ignores staged commits (`_staged_commits`), which only a catalog lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deltasource._checkpoint.paths import ReadablePath, list_children, os_errors_as, unreadable
from deltasource._errors import CommitError, LogReadError, TableError
from deltasource._text import short_repr

_COMMIT: Final = re.compile(r"([0-9]{20})\.json")
_CHECKPOINT: Final = re.compile(r"([0-9]{20})\.checkpoint\..*(?:parquet|json)")
# Other lines, such as a remove with its statistics, need not be parsed.
_WANTED: Final = ('"add"', '"commitInfo"', '"metaData"')


@dataclass(frozen=True)
class Metadata:
    """The id and the properties of a table."""

    id: str
    properties: Mapping[str, str]


@dataclass(frozen=True)
class Commit:
    """A commit: its time in seconds since 1970, the sizes of the data files it adds, metadata."""

    seconds: float
    sizes: Sequence[int]
    metadata: Metadata | None


@dataclass(frozen=True)
class TableLog:
    """The listing of the log folder of a table."""

    folder: ReadablePath
    latest: int
    files: Mapping[int, ReadablePath]

    @classmethod
    def of(cls, table: ReadablePath) -> TableLog:
        """List the log of a table; TableError if there is none, LogReadError if that fails."""
        folder = table / "_delta_log"
        with os_errors_as(LogReadError, folder):
            names = [file.name for file in list_children(folder)]
        commits = {int(one[1]): folder / one[0] for one in map(_COMMIT.fullmatch, names) if one}
        checkpoints = [int(one[1]) for one in map(_CHECKPOINT.fullmatch, names) if one]
        versions = [*commits, *checkpoints]
        if not versions:
            raise TableError(
                f"{table} is not a Delta table: {folder} has no commits. Give the folder of a table"
            )
        return cls(folder, max(versions), commits)

    def commit(self, version: int) -> Commit | None:
        """Read a commit; None if it was cleaned up.

        Raises CommitError if it is damaged, LogReadError if the file system fails.
        """
        file = self.files.get(version)
        if file is None:
            return None
        try:
            return _commit(file, version)
        except FileNotFoundError:
            # Cleaned up since the log was listed.
            return None
        except OSError as error:
            raise unreadable(LogReadError, file, error) from error
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise _damaged(file, version, repr(error)) from error

    def metadata(self) -> Metadata | None:
        """Return the table's metadata, from the latest checksum file or the latest commit with it.

        None if neither exists: then it is in a checkpoint, which is not read here.
        """
        checksum = self.folder / f"{self.latest:020}.crc"
        metadata = _metadata_of(checksum)
        read = (self.commit(version) for version in sorted(self.files, reverse=True))
        return metadata or next((one.metadata for one in read if one and one.metadata), None)


def _metadata_of(checksum: ReadablePath) -> Metadata | None:
    """Read the metadata of a checksum file; not every writer writes one, or includes it."""
    try:
        return _metadata(json.loads(checksum.read_text("utf-8"))["metadata"])
    except (FileNotFoundError, KeyError):
        return None
    except OSError as error:
        raise unreadable(LogReadError, checksum, error) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CommitError(
            f"cannot read {checksum}: {error}. Delete it: Delta does not need it"
        ) from error


def _metadata(action: Mapping[str, Any]) -> Metadata:
    properties: Mapping[str, object] = action.get("configuration") or {}
    return Metadata(str(action["id"]), {name: str(value) for name, value in properties.items()})


def _commit(file: ReadablePath, version: int) -> Commit:
    sizes: list[int] = []
    metadata: Metadata | None = None
    seconds = file.stat().st_mtime
    for action in _actions(file, version):
        if (add := action.get("add")) is not None:
            if add["dataChange"]:
                sizes.append(int(add["size"]))
        elif (set_here := action.get("metaData")) is not None:
            metadata = _metadata(set_here)
        elif (info := action.get("commitInfo")) is not None and "inCommitTimestamp" in info:
            seconds = int(info["inCommitTimestamp"]) / 1000
    return Commit(seconds, sizes, metadata)


def _actions(file: ReadablePath, version: int) -> Iterator[dict[str, dict[str, Any]]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if any(word in line for word in _WANTED):
                yield _action(file, version, number, line)


def _action(file: ReadablePath, version: int, number: int, line: str) -> dict[str, dict[str, Any]]:
    try:
        action = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(file, version, f"line {number} is not JSON: {short_repr(line)}") from error
    if not isinstance(action, dict) or not all(isinstance(one, dict) for one in action.values()):
        raise _damaged(file, version, f"line {number} is not an action: {short_repr(line)}")
    return action


def _damaged(file: ReadablePath, version: int, why: str) -> CommitError:
    return CommitError(
        f"cannot read the commit of version {version}: {why}. Restore {file} from a copy"
    )
