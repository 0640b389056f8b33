# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Delta's session confs that concern a stream."""

from shown.rows import Rows

CONFS: Rows = {
    "`streaming.offsetValidation.enabled`": (
        "S4: an offset that moves back is refused while offsets are validated",
    ),
    "`streaming.trailingCommitValidation.enabled`": (
        "the last commit of a planned batch is lost, and may be",
    ),
    "`changeDataFeed.timestampOutOfRange.enabled`": ("from a time after the last commit, allowed",),
    "`tableFeatures.fastDropFeature.alwaysValidateProtocolInStreaming.enabled`": (
        "from a version that asked for more, unlooked",
    ),
    "`streaming.schemaTracking.enabled`": ("tracked, though forbidden",),
    "`streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled`": (
        "tracked: two changes in a row, one by one",
    ),
    "`streaming.schemaTracking.metadataPathCheck.enabled`": (
        "tracked: an entry of another checkpoint, allowed",
    ),
    "`streaming.allowSchemaLocationOutsideCheckpointLocation`": (
        "tracked outside the checkpoint, allowed",
    ),
    "`streaming.ignoreInternalMetadataForSchemaChange.enabled`": (
        "tracked: an identity column's mark",
    ),
    "`streaming.allowSourceColumnRename`, …": (
        "tracked: a column dropped, acknowledged by the session",
    ),
    "`streaming.unsafeReadOnIncompatibleColumnMappingSchemaChanges.enabled`": (
        "a column dropped, read on unsafely",
    ),
    "`streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled`": (
        "a start that is not to be compared",
    ),
    "`streaming.unsafeReadOnPartitionColumnChanges.enabled`": (
        "a table replaced with another partitioning, allowed",
    ),
    "`streaming.unsafeReadOnNullabilityChange.enabled`": (
        "a column that may be null from now on, allowed",
    ),
    "`typeWidening.allowTypeChangeStreamingDeltaSource`": ("a column widened, not allowed",),
    "`typeWidening.enableStreamingSchemaTracking`": ("a column widened, to be tracked",),
    "`typeWidening.bypassStreamingTypeChangeCheck`": (
        "tracked: a column of another type, allowed",
    ),
    "`streaming.createDataFrame.dropNullColumns`": ("a column of no type, left out",),
    "`loadFileSystemConfigsFromDataFrameOptions`": (
        "D2: options reach the table's file system unless the conf says no",
    ),
}
