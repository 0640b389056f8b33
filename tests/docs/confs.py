# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Delta's session confs that concern a stream."""

from docs.rows import Rows

CONFS: Rows = {
    "`streaming.offsetValidation.enabled`": (
        "S4: an offset that moves back is refused unless offset validation is off",
    ),
    "`streaming.trailingCommitValidation.enabled`": (
        "the last commit of a planned batch is lost, allowed",
    ),
    "`changeDataFeed.timestampOutOfRange.enabled`": ("from a time after the last commit, allowed",),
    "`tableFeatures.fastDropFeature.alwaysValidateProtocolInStreaming.enabled`": (
        "from a version with an unknown feature, unchecked",
    ),
    "`streaming.schemaTracking.enabled`": ("tracked, with tracking disabled",),
    "`streaming.schemaTracking.mergeConsecutiveSchemaChanges.enabled`": (
        "tracked: two changes in a row, not merged",
    ),
    "`streaming.schemaTracking.metadataPathCheck.enabled`": (
        "tracked: an entry of another checkpoint, allowed",
    ),
    "`streaming.allowSchemaLocationOutsideCheckpointLocation`": (
        "tracked outside the checkpoint, allowed",
    ),
    "`streaming.ignoreInternalMetadataForSchemaChange.enabled`": (
        "tracked: an identity column's high water mark",
    ),
    "`streaming.allowSourceColumnRename`, …": (
        "tracked: a column dropped, acknowledged by the session",
    ),
    "`streaming.unsafeReadOnIncompatibleColumnMappingSchemaChanges.enabled`": (
        "a column dropped, unsafe reads allowed",
    ),
    "`streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled`": (
        "a start whose schema is not compared",
    ),
    "`streaming.unsafeReadOnPartitionColumnChanges.enabled`": ("a table repartitioned, allowed",),
    "`streaming.unsafeReadOnNullabilityChange.enabled`": ("a column made nullable, allowed",),
    "`typeWidening.allowTypeChangeStreamingDeltaSource`": ("a column widened, not allowed",),
    "`typeWidening.enableStreamingSchemaTracking`": ("a column widened, tracking required",),
    "`typeWidening.bypassStreamingTypeChangeCheck`": (
        "tracked: a column of another type, allowed",
    ),
    "`streaming.createDataFrame.dropNullColumns`": ("a column of type VOID, left out",),
    "`loadFileSystemConfigsFromDataFrameOptions`": (
        "D2: options reach the table's file system unless the conf is off",
    ),
}
