# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The names of the options in Spark; no other module spells them out."""

from collections.abc import Mapping
from typing import Final

ALLOW_DROP: Final = "allowSourceColumnDrop"
ALLOW_RENAME: Final = "allowSourceColumnRename"
ALLOW_TYPE_CHANGE: Final = "allowSourceColumnTypeChange"
CHECKPOINT_LOCATION: Final = "checkpointLocation"
ENDING_TIMESTAMP: Final = "endingTimestamp"
ENDING_VERSION: Final = "endingVersion"
EXCLUDE_REGEX: Final = "excludeRegex"
FAIL_ON_DATA_LOSS: Final = "failOnDataLoss"
IGNORE_CHANGES: Final = "ignoreChanges"
IGNORE_DELETES: Final = "ignoreDeletes"
IGNORE_FILE_DELETION: Final = "ignoreFileDeletion"
MAX_BYTES: Final = "maxBytesPerTrigger"
MAX_FILES: Final = "maxFilesPerTrigger"
MERGE_SCHEMA: Final = "mergeSchema"
OVERWRITE_SCHEMA: Final = "overwriteSchema"
READ_CHANGE_DATA: Final = "readChangeData"
READ_CHANGE_FEED: Final = "readChangeFeed"
SCHEMA_LOCATION: Final = "schemaLocation"
SCHEMA_TRACKING_LOCATION: Final = "schemaTrackingLocation"
SKIP_CHANGE_COMMITS: Final = "skipChangeCommits"
SOURCE_TRACKING_ID: Final = "streamingSourceTrackingId"
STARTING_TIMESTAMP: Final = "startingTimestamp"
STARTING_VERSION: Final = "startingVersion"
USER_METADATA: Final = "userMetadata"

READ_FIELDS: Final[Mapping[str, str]] = {
    ALLOW_DROP: "schema_tracking",
    ALLOW_RENAME: "schema_tracking",
    ALLOW_TYPE_CHANGE: "schema_tracking",
    EXCLUDE_REGEX: "exclude_regex",
    FAIL_ON_DATA_LOSS: "fail_on_data_loss",
    IGNORE_CHANGES: "on_change",
    IGNORE_DELETES: "on_change",
    MAX_BYTES: "max_bytes",
    MAX_FILES: "max_files",
    SCHEMA_TRACKING_LOCATION: "schema_tracking",
    SKIP_CHANGE_COMMITS: "on_change",
    STARTING_TIMESTAMP: "start",
    STARTING_VERSION: "start",
    SOURCE_TRACKING_ID: "schema_tracking",
}
"""The options that ReadOptions sets, and the field for each."""

OLD_NAMES: Final[Mapping[str, str]] = {
    IGNORE_FILE_DELETION: IGNORE_CHANGES,
    SCHEMA_LOCATION: SCHEMA_TRACKING_LOCATION,
}
"""Older names that ReadOptions accepts and never sets."""

FILE_SYSTEM_PREFIXES: Final = ("fs.", "dfs.")
"""Options whose names start with these are for file systems, as for Delta."""

FUNCTIONS: Final[Mapping[str, str]] = {
    ENDING_TIMESTAMP: "read_changes",
    ENDING_VERSION: "read_changes",
    READ_CHANGE_DATA: "stream_changes",
    READ_CHANGE_FEED: "stream_changes",
}
"""Options without a field, and the function of ours that sets each."""

KNOWN: Final = (*READ_FIELDS, *OLD_NAMES, *FUNCTIONS)
"""All options of a reader."""

IN_ANY_CASE: Final[Mapping[str, str]] = {name.lower(): name for name in KNOWN}
"""The canonical name of each option by its lower-case name: Spark ignores case."""

WRITE_FIELDS: Final[Mapping[str, str]] = {
    MERGE_SCHEMA: "merge_schema",
    OVERWRITE_SCHEMA: "overwrite_schema",
    USER_METADATA: "user_metadata",
}
"""The options that WriteOptions sets, and the field for each."""

APPLY_KEYS: Final = "applyChanges.keys"
APPLY_SEQUENCE_BY: Final = "applyChanges.sequenceBy"
APPLY_DELETES: Final = "applyChanges.applyAsDeletes"
APPLY_TRUNCATES: Final = "applyChanges.applyAsTruncates"
APPLY_COLUMNS: Final = "applyChanges.columnList"
APPLY_EXCEPT_COLUMNS: Final = "applyChanges.exceptColumnList"
APPLY_SCD_TYPE: Final = "applyChanges.storedAsScdType"
APPLY_TRACKED: Final = "applyChanges.trackHistoryColumnList"
APPLY_EXCEPT_TRACKED: Final = "applyChanges.trackHistoryExceptColumnList"
APPLY_IGNORE_NULLS: Final = "applyChanges.ignoreNullUpdates"
APPLY_TOMBSTONES: Final = "applyChanges.tombstones"

APPLY_FIELDS: Final[Mapping[str, str]] = {
    APPLY_DELETES: "apply_as_deletes",
    APPLY_TRUNCATES: "apply_as_truncates",
    APPLY_COLUMNS: "column_list",
    APPLY_EXCEPT_COLUMNS: "except_column_list",
    APPLY_IGNORE_NULLS: "ignore_null_updates",
    APPLY_KEYS: "keys",
    APPLY_SEQUENCE_BY: "sequence_by",
    APPLY_SCD_TYPE: "stored_as_scd_type",
    APPLY_TOMBSTONES: "tombstones",
    APPLY_TRACKED: "track_history_column_list",
    APPLY_EXCEPT_TRACKED: "track_history_except_column_list",
}
"""The options of a writer that applies changes, and the argument of `apply_changes` for each."""

READ_ARGUMENTS: Final[Mapping[str, str]] = {
    **READ_FIELDS,
    **{old: READ_FIELDS[new] for old, new in OLD_NAMES.items()},
    **FUNCTIONS,
}
"""The options of a reader, and what of ours sets each: a field or a function."""

WRITE_ARGUMENTS: Final[Mapping[str, str]] = {
    **WRITE_FIELDS,
    CHECKPOINT_LOCATION: "checkpoint",
    "path": "path_or_table",
    "queryName": "name",
}
"""The options of a writer, and the argument of `write_stream` that sets each."""

WRITE_METHODS: Final[Mapping[str, str]] = {
    "outputMode": "mode",
    "partitionBy": "partition_by",
    "availableNow": "trigger",
    "processingTime": "trigger",
    "once": "trigger",
}
"""Methods of Spark's writer and arguments of its `trigger`, and the argument for each."""

WRITE_KEYWORDS: Final = tuple(dict.fromkeys(WRITE_METHODS.values()))
"""The arguments of `write_stream` that are no options in Spark."""

_BATCHES: Final = "streaming writes ignore it; write batches with foreachBatch to use it"

WRITE_IGNORED: Final[Mapping[str, str]] = {
    "partitionOverwriteMode": _BATCHES,
    "replaceWhere": _BATCHES,
    "txnAppId": _BATCHES,
    "txnVersion": _BATCHES,
}
"""Delta's options of batch writes, which a streaming write ignores, and what to do instead."""

_TRAVEL: Final = "a stream does not read one version of a table; to begin at one, use"

READ_IGNORED: Final[Mapping[str, str]] = {
    name: f"it is an option of writes: use {argument} of write_stream"
    for name, argument in WRITE_ARGUMENTS.items()
    if name != "path"
} | {
    "path": "give the table as path_or_table",
    "timestampAsOf": f"{_TRAVEL} start=Time(...)",
    "versionAsOf": f"{_TRAVEL} start=Version(...)",
}
"""The options that a stream's reader ignores or refuses, and what to do instead."""

APPLY_ARGUMENTS: Final[Mapping[str, str]] = {
    **APPLY_FIELDS,
    CHECKPOINT_LOCATION: "checkpoint",
    MERGE_SCHEMA: "merge_schema",
    "path": "target",
    "queryName": "name",
}
"""The options of a writer, and the argument of `apply_changes` that sets each."""
