# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table with a commit on each day since 1970, and the backlog of a stream of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, TypeAlias

from deltasource import Checkpoint, Lag
from support.checkpoint_samples import TABLE, checkpoint, commit, offset

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
WEEK: Final = 7 * 24.0
"""Delta's default retention of removed files, in hours."""

Actions: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Backlog:
    """Writes a table into a folder and computes the backlog of a stream."""

    folder: Path

    @property
    def table(self) -> Path:
        """The folder of the table."""
        return self.folder / "table"

    def __call__(
        self,
        *commits: Sequence[Actions],
        read: str = offset(1),
        exist: tuple[str, ...] = ("a", "b", "c"),
        days: float = 3,
        properties: Mapping[str, str] | None = None,
        change_feed: bool = False,
    ) -> Lag:
        """Compute a backlog after some days.

        Version 0 has the metadata, and each list of actions is a later version, made on its day.
        Only the files that are named exist.
        """
        feed = {"delta.enableChangeDataFeed": "true"} if change_feed else {}
        metadata = {"metaData": {"id": TABLE, "configuration": {**feed, **(properties or {})}}}
        for version, actions in enumerate([[metadata], *commits]):
            info = {"commitInfo": {"operation": "WRITE"}}
            commit(self.table, version, info, *actions, seconds=version * DAY)
        for file in [one for one in self.table.rglob("*") if one.is_file()]:
            if "_delta_log" not in file.parts:
                file.unlink()
        for name in exist:
            (self.table / name).parent.mkdir(parents=True, exist_ok=True)
            (self.table / name).touch()
        read_until = checkpoint(self.folder / "checkpoint", read, done=[0])
        now = datetime.fromtimestamp(days * DAY, timezone.utc)
        return Checkpoint(read_until).backlog(self.table, now=now, change_feed=change_feed)
