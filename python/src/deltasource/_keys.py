# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The names of the stream options in Spark's spelling; nobody else writes them down."""

from typing import Final

EXCLUDE_REGEX: Final = "excludeRegex"
FAIL_ON_DATA_LOSS: Final = "failOnDataLoss"
IGNORE_CHANGES: Final = "ignoreChanges"
IGNORE_DELETES: Final = "ignoreDeletes"
MAX_BYTES: Final = "maxBytesPerTrigger"
MAX_FILES: Final = "maxFilesPerTrigger"
SKIP_CHANGE_COMMITS: Final = "skipChangeCommits"
STARTING_TIMESTAMP: Final = "startingTimestamp"
STARTING_VERSION: Final = "startingVersion"

SERVED: Final = (
    EXCLUDE_REGEX,
    FAIL_ON_DATA_LOSS,
    IGNORE_CHANGES,
    IGNORE_DELETES,
    MAX_BYTES,
    MAX_FILES,
    SKIP_CHANGE_COMMITS,
    STARTING_TIMESTAMP,
    STARTING_VERSION,
)

NOT_YET: Final = (
    "allowSourceColumnDrop",
    "allowSourceColumnRename",
    "allowSourceColumnTypeChange",
    "endingTimestamp",
    "endingVersion",
    "ignoreFileDeletion",
    "readChangeData",
    "readChangeFeed",
    "schemaLocation",
    "schemaTrackingLocation",
    "streamingSourceTrackingId",
)
"""Delta has them, this version does not: said in these words rather than as "unknown"."""
