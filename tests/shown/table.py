# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What a stream supports, and the tests that cover it: rendered as docs/coverage.md."""

from __future__ import annotations

from collections.abc import Mapping

from shown.confs import CONFS
from shown.rows import Rows
from shown.tracking import TRACKING

OPTIONS: Rows = {
    "`maxFilesPerTrigger`": ("one file a batch", "two files a batch", "no number of files"),
    "`maxBytesPerTrigger`": ("a byte a batch", "files and bytes, bytes first"),
    "`ignoreDeletes`": ("deletes ignored", "deletes ignored, a file rewritten"),
    "`ignoreChanges`": ("changes ignored", "changes ignored over vectors"),
    "`ignoreFileDeletion`": ("file deletion ignored",),
    "`skipChangeCommits`": ("change commits skipped", "marking commits skipped"),
    "`excludeRegex`": ("files excluded by name", "change files excluded by name", "no expression"),
    "`failOnDataLoss`": (
        "a commit in the middle is missing",
        "a commit in the middle is missing and may be",
    ),
    "`startingVersion`": ("from a version in the middle", "from the next version", "from latest"),
    "`startingTimestamp`": ("from the time of a commit", "from no time"),
    "both start options": ("from a version and a time", "both starts are refused"),
    "`readChangeFeed`": ("every change from version 0",),
    "`readChangeData`": ("every change under the old name",),
    "`endingVersion`, `endingTimestamp`": (
        "D2: the five change-feed keys reach the relation, and its older name turns the feed on "
        "too",
    ),
    "`schemaTrackingLocation`, `schemaLocation`": (
        "tracked: a column added while running",
        "tracked outside the checkpoint",
    ),
    "`streamingSourceTrackingId`": ("tracked: under two names",),
    "`allowSourceColumnRename`, `allowSourceColumnDrop`, `allowSourceColumnTypeChange`": (
        "tracked: a column renamed, not acknowledged, then acknowledged",
        "tracked: a column dropped, acknowledged by its version",
        "tracked: a column widened",
    ),
    "`versionAsOf`, `timestampAsOf`, `path@v1`": (
        "D5: time travel in the path or in the options is refused in both words",
    ),
    "a user-specified schema": (
        "D4: a schema equal to the table's is accepted when called directly, and no other",
        "D4: through readStream Spark refuses even the table's own schema",
    ),
    "`path`": ("D5: sourceSchema names a missing path, and a table without a schema",),
}

STARTS: Rows = {
    "no option, a new stream": ("no limit given", "from the snapshot of a cleaned log"),
    "no option, a table without a version": (
        "S5: getStartingOffset is none for a table without a version, and with neither "
        "file nor marker",
    ),
    "a version": ("from a version in the middle", "from the last version"),
    "a version later than the newest": (
        "from the next version",
        "a start beyond the table is refused, unless the conf allows it; then the stream waits",
    ),
    "a version whose snapshot cannot be rebuilt": ("from a version that was cleaned up",),
    "`latest`": ("from latest", "the start is resolved once"),
    "`latest`, stopped before it saw any commit": (
        "from latest, stopped before anything came",
        "a stream from latest that saw nothing waits, after a restart, where it once began",
    ),
    "a time": ("from a time between two commits", "from a date before the first commit"),
    "a time after the last commit": ("from a time after the last commit",),
    "a restart with offsets in the checkpoint": ("another start after a restart",),
    "replay of the first batch, from a version": (
        "stopped before the first batch from a version was done",
    ),
    "replay of the first batch, from `latest`": (
        "from latest, stopped in its first batch",
        "a first batch from latest is replayed with the rows it was planned with",
    ),
    "replay of the first batch, from the snapshot": (
        "stopped before the first batch was done",
        "a first batch from a snapshot is replayed from that snapshot, and not from a newer one",
    ),
    "replay of a first batch that delta-spark planned": (
        "a first batch that another has planned is replayed as delta-spark does",
    ),
}

FEED: Rows = {
    "only change files, if a commit has any": (
        "a change feed reads the change files alone where there are any; a plain stream "
        "none of them",
    ),
    "otherwise `add` and `remove` with `dataChange`": (
        "a change feed reads what was added and removed, in the order of the commit",
    ),
    "a MERGE that changed nothing": (
        "a merge that changed no row is skipped, its cut being $cut",
        "a merge that changed nothing, with vectors",
    ),
    "the change files of a commit are admitted all or none": (
        "change files are not parted, and end at the last of them",
    ),
    "so are the files of a commit with a deletion vector": (
        "a pair with vectors is not parted, and its markers cost",
    ),
    "other commits are cut at any file": ("plain files of a commit are split",),
    "the initial snapshot is cut at any file, as inserts": (
        "stopped inside the snapshot of a feed",
        "the initial snapshot comes as inserts of its version, and changes follow",
    ),
    "a commit that does not fit ends the batch": ("change files between plain commits",),
    "a batch ends at the last change file": ("stopped behind change files",),
    "the change feed must be on at the version where a batch begins": (
        "changes of a table that has none",
        "a batch that begins where no change feed was kept is refused with the range",
    ),
    "commit time: from the commit, or the file's time made monotonic": (
        "changes with times in the commits",
        "the times of versions are monotone over the hundred before the batch, or those "
        "in the commits",
    ),
    "AvailableNow": (
        "changes with AvailableNow",
        "changes with AvailableNow while the table goes on",
    ),
    "Once": ("changes with Once",),
    "options for deletes and changes have no effect": ("the policies mean nothing to a feed",),
}

ERRORS: Rows = {
    "`DELTA_MISSING_FILES_UNEXPECTED_VERSION`": ("the next commit is lost while stopped",),
    "`DELTA_STREAMING_TRAILING_COMMIT_MISSING`": ("the last commit of a planned batch is lost",),
    "`DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE`": (
        "the snapshot that is half read is cleaned up",
    ),
    "`DELTA_SOURCE_IGNORE_DELETE`": ("a delete without permission",),
    "`DELTA_SOURCE_TABLE_IGNORE_CHANGES`": ("an update without permission",),
    "`DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE`": (
        "an offset of another table",
        "a table recreated with $versions versions while the stream waits at the second stops it",
    ),
    "`DELTA_INVALID_SOURCE_OFFSET_FORMAT`": ("an offset cut short is refused",),
    "`DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION`": ("an offset of the fourth source version",),
    "`DELTA_TIMESTAMP_GREATER_THAN_COMMIT`": ("from a time after the last commit",),
    "`DELTA_VERSION_NOT_FOUND`": ("from the next version",),
    "`DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET`": ("from a version and a time",),
    "`DELTA_ILLEGAL_OPTION`": ("$option = $value is refused by name when the source is made",),
    "`DELTA_REGEX_OPT_SYNTAX_ERROR`": ("no expression",),
    "`DELTA_UNKNOWN_READ_LIMIT`": ("S11: a kind of limit the source does not know is refused",),
    "`DELTA_MISSING_CHANGE_DATA`": (
        "changes of a table that has none",
        "the feed goes off while it runs",
    ),
    "`DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS`": (
        "D5: time travel in the path or in the options is refused in both words",
    ),
    "`DELTA_SCHEMA_NOT_SET`": ("a table without a schema",),
    "`DELTA_READ_SOURCE_SCHEMA_CONFLICT`": (
        "D4: a schema equal to the table's is accepted when called directly, and no other",
    ),
    "`DELTA_UNSUPPORTED_OUTPUT_MODE`": (
        "D6: a sink names a missing path, then a mode it does not take, then a bad option",
    ),
    "`DELTASOURCE_UNREADABLE_COMMIT`": ("a torn commit",),
    "`DELTASOURCE_EMPTY_COMMIT`": ("a commit without a byte",),
    "`DELTASOURCE_COMMIT_REPLACED`": (
        "a commit replaced after it was planned stops the stream (listInterval $interval)",
    ),
    "`DELTASOURCE_MALFORMED_OFFSET`": ("no offset",),
    "`DELTASOURCE_UNREADABLE_START`": (
        "a file that cannot be read is refused by its path, and left alone: '$text'",
    ),
    "`DELTASOURCE_UNSAFE_TRACKING_ID`": (
        "M8: an id that leads out of the location is refused before anything is written",
    ),
    "`DELTASOURCE_UNSAFE_TABLE_ID`": (
        "M8: so is a table whose id does, in the log of which others may write",
    ),
    "`DELTASOURCE_OFFSET_BEYOND_TABLE`": ("an offset beyond the table, from the snapshot",),
    "`DELTASOURCE_OTHER_RUN`": (
        "W2: a second run on a copy of the checkpoint fails, instead of losing its batch",
    ),
    "`DELTASOURCE_NOT_YET_SUPPORTED`": ("a commit whose files are in a manifest is not read yet",),
    "`DELTA_SCHEMA_CHANGED_WITH_VERSION`": ("a column added while running",),
    "`DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS`": (
        "a table replaced by other columns, from before it",
    ),
    "`DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG`": (
        "a column renamed while running",
    ),
    "`DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE`": ("a column dropped, tracking forbidden",),
    "`DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT`": (
        "a start that cannot be compared any more",
    ),
    "`DELTA_STREAMING_METADATA_EVOLUTION`": ("tracked: a column added while running",),
    "`DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION`": (
        "tracked: a column renamed, not acknowledged, then acknowledged",
    ),
    "`DELTA_STREAMING_SCHEMA_LOG_INIT_FAILED_INCOMPATIBLE_METADATA`": (
        "without one schema for all that was planned the stream is refused, and nothing written",
    ),
    "`DELTA_STREAMING_SCHEMA_LOCATION_NOT_UNDER_CHECKPOINT`": ("tracked outside the checkpoint",),
    "`DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT`": (
        "tracked: two streams of one query in one log",
        "tracked: another stream has written the next entry",
    ),
    "`DELTA_STREAMING_SCHEMA_LOG_PARSE_SCHEMA_FAILED`": ("tracked: an entry whose schema is none",),
    "`DELTA_STREAMING_SCHEMA_LOG_INCOMPATIBLE_DELTA_TABLE_ID`": (
        "tracked: an entry of another table",
    ),
    "`DELTA_PATH_BASED_ACCESS_TO_CATALOG_MANAGED_TABLE_BLOCKED`": (
        "catalog-managed commits, read by path, rows",
    ),
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

Which test covers each option, start, state and error. Each name is a Scala test or a parity script.
Generated from `tests/shown/table.py` by `UPDATE=1 python -m pytest tests/shown`.
"""


def page() -> str:
    """Render the sections as tables."""
    parts = [HEAD]
    for title, rows in SECTIONS.items():
        lines = [f"| {what} | {'; '.join(tests)} |" for what, tests in rows.items()]
        parts.append(
            "\n".join([f"## {title}", "", "| what | shown by |", "| --- | --- |", *lines, ""])
        )
    return "\n".join(parts)
