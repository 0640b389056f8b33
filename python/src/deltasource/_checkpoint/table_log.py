# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The log of a Delta table, as far as a backlog needs it.

Commits that only a catalog knows (`_staged_commits`) are not seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deltasource._checkpoint.places import Place, children, told
from deltasource._text import shown
from deltasource.errors import CommitError, TableError

_COMMIT: Final = re.compile(r"([0-9]{20})\.json")
_CHECKPOINT: Final = re.compile(r"([0-9]{20})\.checkpoint\..*(?:parquet|json)")
# A line without any of these, a remove with its statistics for one, is not worth parsing.
_WANTED: Final = ('"add"', '"commitInfo"', '"metaData"')


@dataclass(frozen=True)
class Metadata:
    """The id of a table, and its properties."""

    id: str
    properties: Mapping[str, str]


@dataclass(frozen=True)
class Commit:
    """One commit: its time, the sizes of the files it adds with data, the metadata it sets."""

    seconds: float
    sizes: Sequence[int]
    metadata: Metadata | None


@dataclass(frozen=True)
class TableLog:
    """What the log folder of a table listed when it was looked at."""

    folder: Place
    newest: int
    files: Mapping[int, Place]

    @classmethod
    def of(cls, table: Place) -> TableLog:
        """List the log of a table; TableError where there is none."""
        folder = table / "_delta_log"
        with told(TableError, folder):
            names = [file.name for file in children(folder)]
        commits = {int(one[1]): folder / one[0] for one in map(_COMMIT.fullmatch, names) if one}
        checkpoints = [int(one[1]) for one in map(_CHECKPOINT.fullmatch, names) if one]
        versions = [*commits, *checkpoints]
        if not versions:
            raise TableError(
                f"{table} is no Delta table: {folder} holds no commit. Give the folder of the table"
            )
        return cls(folder, max(versions), commits)

    def commit(self, version: int) -> Commit | None:
        """Read one commit; None if it was cleaned up, CommitError if it is damaged."""
        file = self.files.get(version)
        if file is None:
            return None
        try:
            return _commit(file, version)
        except FileNotFoundError:
            # Cleaned up since the log was listed.
            return None
        except (OSError, KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise _damaged(file, version, repr(error)) from error

    def metadata(self) -> Metadata | None:
        """Answer the table's metadata, from the newest checksum file or the newest commit with it.

        None where neither is there: then it stands in a checkpoint, which is not read here.
        """
        checksum = self.folder / f"{self.newest:020}.crc"
        named = _metadata_of(checksum)
        read = (self.commit(version) for version in sorted(self.files, reverse=True))
        return named or next((one.metadata for one in read if one and one.metadata), None)


def _metadata_of(checksum: Place) -> Metadata | None:
    """Answer what a checksum file says of the table; not every writer leaves one, or says it."""
    try:
        return _metadata(json.loads(checksum.read_text("utf-8"))["metadata"])
    except (FileNotFoundError, KeyError):
        return None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CommitError(
            f"{checksum} cannot be read: {error}. Delete it: Delta does without"
        ) from error


def _metadata(action: Mapping[str, Any]) -> Metadata:
    properties: Mapping[str, object] = action.get("configuration") or {}
    return Metadata(str(action["id"]), {name: str(value) for name, value in properties.items()})


def _commit(file: Place, version: int) -> Commit:
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


def _actions(file: Place, version: int) -> Iterator[dict[str, dict[str, Any]]]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if any(word in line for word in _WANTED):
                yield _action(file, version, number, line)


def _action(file: Place, version: int, number: int, line: str) -> dict[str, dict[str, Any]]:
    try:
        action = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(file, version, f"line {number} is no JSON: {shown(line)}") from error
    if not isinstance(action, dict) or not all(isinstance(one, dict) for one in action.values()):
        raise _damaged(file, version, f"line {number} is no action: {shown(line)}")
    return action


def _damaged(file: Place, version: int, why: str) -> CommitError:
    return CommitError(
        f"the commit of version {version} cannot be read: {why}. The file is {file}. "
        "Restore it from a copy"
    )
