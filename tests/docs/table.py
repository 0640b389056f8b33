# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a stream supports, and the tests that cover it: rendered as docs/internals/coverage.md."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docs.confs import CONFS
from docs.errors import ERRORS
from docs.rows import Rows
from docs.tracking import TRACKING

OPTIONS: Rows = {
    "`maxFilesPerTrigger`": ("one file a batch", "two files a batch", "an invalid number of files"),
    "`maxBytesPerTrigger`": ("a byte a batch", "files and bytes, bytes first"),
    "`ignoreDeletes`": ("deletes ignored", "deletes ignored, a file rewritten"),
    "`ignoreChanges`": ("changes ignored", "changes ignored, with deletion vectors"),
    "`ignoreFileDeletion`": ("file deletion ignored",),
    "`skipChangeCommits`": ("change commits skipped", "commits with deletion vectors skipped"),
    "`excludeRegex`": ("files excluded by name", "change files excluded by name", "no expression"),
    "`failOnDataLoss`": (
        "a commit in the middle is missing",
        "a commit in the middle is missing, allowed",
    ),
    "`startingVersion`": ("from a version in the middle", "from the next version", "from latest"),
    "`startingTimestamp`": ("from the time of a commit", "from an invalid time"),
    "both start options": (
        "from a version and a time",
        "startingVersion and startingTimestamp together are refused",
    ),
    "`readChangeFeed`": ("every change from version 0",),
    "`readChangeData`": ("every change, with the old option name",),
    "`endingVersion`, `endingTimestamp`": (
        "D2: the five change feed options reach the relation, and the older name turns it on too",
    ),
    "`schemaTrackingLocation`, `schemaLocation`": (
        "tracked: a column added while running",
        "tracked, with a location outside the checkpoint",
    ),
    "`streamingSourceTrackingId`": ("tracked: the old option name and a source id",),
    "`allowSourceColumnRename`, `allowSourceColumnDrop`, `allowSourceColumnTypeChange`": (
        "tracked: a column renamed, not acknowledged, then acknowledged",
        "tracked: a column dropped, acknowledged by its version",
        "tracked: a column widened",
    ),
    "`versionAsOf`, `timestampAsOf`, `path@v1`": (
        "D5: time travel in path or options is refused with Delta's and the documented message",
    ),
    "a user-specified schema": (
        "D4: a schema equal to the table's is accepted in a direct call, any other is refused",
        "D4: through readStream Spark refuses even the table's own schema",
    ),
    "`path`": ("D5: sourceSchema reports a missing path, and a table without a schema",),
}

STARTS: Rows = {
    "no option, a new stream": ("no limit given", "from the snapshot of a cleaned log"),
    "no option, a table without a version": (
        "S5: getStartingOffset is None without a version, and if no file or sentinel follows",
    ),
    "a version": ("from a version in the middle", "from the last version"),
    "a version after the latest one": (
        "from the next version",
        "a startingVersion after the latest one is refused, or waits if the conf allows it",
    ),
    "a version whose snapshot cannot be reconstructed": ("from a version that was cleaned up",),
    "`latest`": ("from latest", "the start is resolved once"),
    "`latest`, stopped before it saw any commit": (
        "from latest, stopped before the first batch",
        "a stream from latest that read nothing keeps its start after a restart",
    ),
    "a time": ("from a time between two commits", "from a date before the first commit"),
    "a time after the last commit": ("from a time after the last commit",),
    "a restart with offsets in the checkpoint": ("other start options after a restart",),
    "replay of the first batch, from a version": (
        "stopped before the first batch from a version was committed",
    ),
    "replay of the first batch, from `latest`": (
        "from latest, stopped during the first batch",
        "a first batch from latest is replayed with the rows it was planned with",
    ),
    "replay of the first batch, from the snapshot": (
        "stopped before the first batch was committed",
        "a first batch from a snapshot is replayed from that snapshot, and not from a newer one",
    ),
    "replay of a first batch that delta-spark planned": (
        "a first batch planned by delta-spark is replayed as delta-spark does",
    ),
}

FEED: Rows = {
    "only change files, if a commit has any": (
        "a change feed reads only the change files if there are any, and a row stream none of them",
    ),
    "otherwise `add` and `remove` with `dataChange`": (
        "a change feed reads added and removed files in the order of the commit",
    ),
    "a MERGE that changed nothing": (
        "a MERGE that changed no row is skipped, with split rule $cut",
        "a merge that changed nothing, with vectors",
    ),
    "the change files of a commit are admitted all or none": (
        "change files are not split, and a batch ends at the last",
    ),
    "so are the files of a commit with a deletion vector": (
        "a pair with vectors is not split, and its sentinels count",
    ),
    "other commits are split at any file": ("a commit of appends is split",),
    "the initial snapshot is split at any file, as inserts": (
        "stopped inside the snapshot of a feed",
        "the initial snapshot is returned as inserts of its version, followed by the changes",
    ),
    "a commit that does not fit ends the batch": ("change files between plain commits",),
    "a batch ends at the last change file": ("stopped after change files",),
    "the change feed must be on at the version where a batch begins": (
        "changes of a table without a change feed",
        "a batch that begins where the change feed was off is refused with the range",
    ),
    "commit time: from the commit, or the file's time made monotonic": (
        "changes with in-commit timestamps",
        "_commit_timestamp is monotonic over the previous hundred versions, or the in-commit time",
    ),
    "AvailableNow": (
        "changes with AvailableNow",
        "changes with AvailableNow while the table is written",
    ),
    "Once": ("changes with Once",),
    "options for deletes and changes have no effect": ("skip and ignore options with a feed",),
}

SECTIONS: Mapping[str, Rows] = {
    "Options of the reader": OPTIONS,
    "Where a stream starts": STARTS,
    "Change feed": FEED,
    "Schema tracking, by state": TRACKING,
    "Session confs of Delta": CONFS,
    "Error conditions": ERRORS,
}

HEAD = """# What is shown by which test

Which test covers each option, start, state and error. Each name is a Scala test or a parity script;
`…` stands for the values that a test is repeated with.
Generated from the modules of `tests/docs` by `UPDATE=1 python -m pytest tests/docs`.
"""


def shown(tests: tuple[str, ...]) -> str:
    """List the titles; a variable in the title of a repeated test is shown as `…`."""
    return re.sub(r"\$\w+", "…", "; ".join(tests))


def page() -> str:
    """Render the sections as tables."""
    parts = [HEAD]
    for title, rows in SECTIONS.items():
        lines = [f"| {what} | {shown(tests)} |" for what, tests in rows.items()]
        parts.append(
            "\n".join([f"## {title}", "", "| what | shown by |", "| --- | --- |", *lines, ""])
        )
    return "\n".join(parts)
