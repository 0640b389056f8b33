// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.{DeltaLog, SnapshotDescriptor}

/** A table as an entry of the log of schemas has it; what older entries do not say is as in the newest snapshot. */
final class TrackedTable(snapshot: SnapshotDescriptor, entry: PersistedMetadata) extends SnapshotDescriptor {
  override val deltaLog: DeltaLog = snapshot.deltaLog
  override val version: Long = snapshot.version
  override val metadata: Metadata = snapshot.metadata.copy(
    schemaString = entry.dataSchemaJson,
    partitionColumns = entry.partitionSchema.fieldNames.toIndexedSeq,
    configuration = entry.tableConfigurations.getOrElse(snapshot.metadata.configuration)
  )
  override val protocol: Protocol = entry.protocol.getOrElse(snapshot.protocol)
  override def logPath: Path = snapshot.logPath
  override def numOfFilesIfKnown: Option[Long] = None
  override def sizeInBytesIfKnown: Option[Long] = None
}
