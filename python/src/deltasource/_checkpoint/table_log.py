# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Lists the log of a Delta table, and reads what a backlog needs of it.

Ignores staged commits (`_staged_commits`), which only a catalog lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deltasource._checkpoint.commit import Commit, Metadata, parse_metadata, read_commit
from deltasource._checkpoint.paths import (
    ReadablePath,
    absolute,
    list_children,
    not_a_folder,
    os_errors_as,
    unreadable,
)
from deltasource._errors import CommitError, LogReadError, TableError
from deltasource._log_gaps import Gap, MissingCommitError, gaps_between
from deltasource._session.table_names import nearest_table

_COMMIT: Final = re.compile(r"([0-9]{20})\.json")
_CHECKPOINT: Final = re.compile(r"([0-9]{20})\.checkpoint\..*(?:parquet|json)")


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
            with os_errors_as(LogReadError, table):
                why = not_a_folder(table)
            near = nearest_table(table.absolute()) if isinstance(table, Path) else None
            raise TableError(
                f"{absolute(table)} is not a Delta table: it {why or 'has no commits'}. "
                + ("Give the folder of a table" if near is None else f"Did you mean {near}?")
            )
        return cls(folder, max(versions), commits)

    def commit(self, version: int) -> Commit | None:
        """Read a commit; None if it was cleaned up, also since the log was listed.

        Raises CommitError if it is damaged, LogReadError if the file system fails.
        """
        file = self.files.get(version)
        return None if file is None else read_commit(file, version)

    def gaps(self, first: int) -> Sequence[Gap]:
        """Return the commits from a version on that are missing between others, which is damage.

        Delta's cleanup deletes the oldest commits, and leaves no gap.
        """
        return [gap for gap in gaps_between(self.files) if first < gap.after]

    def require_unbroken(self, first: int) -> None:
        """Raise MissingCommitError if there is a gap in the commits from a version on."""
        for gap in self.gaps(first):
            raise MissingCommitError(
                f"{gap}: the log {self.folder} is damaged, because Delta's own cleanup deletes "
                f"only the oldest commits. Restore {gap.before + 1:020}.json from a copy"
            )

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
        return parse_metadata(json.loads(checksum.read_text("utf-8"))["metadata"])
    except (FileNotFoundError, KeyError):
        return None
    except OSError as error:
        raise unreadable(LogReadError, checksum, error) from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CommitError(
            f"cannot read {checksum}: {error}. Delete it: Delta does not need it"
        ) from error
