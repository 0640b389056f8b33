# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Which test shows each error condition."""

from docs.rows import Rows

ERRORS: Rows = {
    "`DELTA_MISSING_FILES_UNEXPECTED_VERSION`": ("the next commit is lost while stopped",),
    "`DELTA_STREAMING_TRAILING_COMMIT_MISSING`": ("the last commit of a planned batch is lost",),
    "`DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE`": ("the half-read snapshot is cleaned up",),
    "`DELTA_SOURCE_IGNORE_DELETE`": ("a delete without permission",),
    "`DELTA_SOURCE_TABLE_IGNORE_CHANGES`": ("an update without permission",),
    "`DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE`": (
        "an offset of another table",
        "a table recreated with $versions versions while a stream has read two stops the stream",
    ),
    "`DELTA_INVALID_SOURCE_OFFSET_FORMAT`": ("a truncated offset is refused",),
    "`DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION`": ("an offset of the fourth source version",),
    "`DELTA_TIMESTAMP_GREATER_THAN_COMMIT`": ("from a time after the last commit",),
    "`DELTA_VERSION_NOT_FOUND`": ("from the next version",),
    "`DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET`": ("from a version and a time",),
    "`DELTA_ILLEGAL_OPTION`": (
        "$option = $value is refused with the option's name when the source is created",
    ),
    "`DELTA_REGEX_OPT_SYNTAX_ERROR`": ("no expression",),
    "`DELTA_UNKNOWN_READ_LIMIT`": ("S11: an unknown kind of limit is refused",),
    "`DELTA_MISSING_CHANGE_DATA`": (
        "changes of a table without a change feed",
        "the feed is turned off while it runs",
    ),
    "`DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS`": (
        "D5: time travel in path or options is refused with Delta's and the documented message",
    ),
    "`DELTA_SCHEMA_NOT_SET`": ("a table without a schema",),
    "`DELTA_READ_SOURCE_SCHEMA_CONFLICT`": (
        "D4: a schema equal to the table's is accepted in a direct call, any other is refused",
    ),
    "`DELTA_UNSUPPORTED_OUTPUT_MODE`": (
        "D6: createSink checks the path, then the output mode, then the options",
    ),
    "`DELTASOURCE_UNREADABLE_COMMIT`": ("a truncated commit",),
    "`DELTASOURCE_UNREADABLE_LOG_FILE`": (
        "B91: a damaged checkpoint of the table is named if no older one replaces it",
    ),
    "`DELTASOURCE_FILE_VACUUMED`": ("a data file is missing",),
    "`DELTASOURCE_UNREADABLE_DATA_FILE`": ("a data file is damaged",),
    "`DELTASOURCE_EMPTY_COMMIT`": ("an empty commit file",),
    "`DELTASOURCE_COMMIT_REPLACED`": (
        "a commit replaced after it was planned stops the stream (listInterval $interval)",
    ),
    "`DELTASOURCE_MALFORMED_OFFSET`": ("an invalid offset",),
    "`DELTASOURCE_UNREADABLE_START`": (
        "a file that cannot be read fails with its path, and is left unchanged: '$text'",
    ),
    "`DELTASOURCE_UNSAFE_TRACKING_ID`": (
        "M8: a tracking id that points outside the location is refused before anything is written",
    ),
    "`DELTASOURCE_UNSAFE_TABLE_ID`": (
        "M8: a table id in the log that points outside the location is refused",
    ),
    "`DELTASOURCE_OFFSET_BEYOND_TABLE`": ("an offset beyond the table, from the snapshot",),
    "`DELTASOURCE_OTHER_RUN`": (
        "W2: a second run on a copy of the checkpoint fails, instead of losing its batch",
    ),
    "`DELTASOURCE_OTHER_APPLY_CHANGES`": (
        "W16: a query that appends to a target of apply_changes is refused until the table has no "
        "keys",
    ),
    "`DELTASOURCE_OTHER_TARGET`": (
        "W15: a query that continues in another table is refused, or warned about once per run",
    ),
    "`DELTASOURCE_NOT_YET_SUPPORTED`": (
        "a commit that lists its files in a manifest is not supported",
    ),
    "`DELTA_SCHEMA_CHANGED_WITH_VERSION`": ("a column added while running",),
    "`DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS`": (
        "a column replaced by another type, starting before it",
    ),
    "`DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG`": (
        "a column renamed while running",
    ),
    "`DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE`": ("a column dropped, tracking disabled",),
    "`DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT`": ("a start whose schema is lost",),
    "`DELTA_STREAMING_METADATA_EVOLUTION`": ("tracked: a column added while running",),
    "`DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION`": (
        "tracked: a column renamed, not acknowledged, then acknowledged",
    ),
    "`DELTA_STREAMING_SCHEMA_LOG_INIT_FAILED_INCOMPATIBLE_METADATA`": (
        "without one schema that reads everything planned, the stream fails and writes no entry",
    ),
    "`DELTA_STREAMING_SCHEMA_LOCATION_NOT_UNDER_CHECKPOINT`": (
        "tracked, with a location outside the checkpoint",
    ),
    "`DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT`": (
        "tracked: two streams of one query with one schema log",
        "tracked: another stream has written the next entry",
    ),
    "`DELTA_STREAMING_SCHEMA_LOG_PARSE_SCHEMA_FAILED`": (
        "tracked: an entry with an invalid schema",
    ),
    "`DELTA_STREAMING_SCHEMA_LOG_INCOMPATIBLE_DELTA_TABLE_ID`": (
        "tracked: an entry of another table",
    ),
    "`DELTA_PATH_BASED_ACCESS_TO_CATALOG_MANAGED_TABLE_BLOCKED`": (
        "catalog-managed commits, read by path, rows",
    ),
}
