// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.actions.{FileAction, Metadata, Protocol}
import org.apache.spark.sql.delta.commands.DeletionVectorUtils
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.{DeletionVectorsTableFeature, DeltaLog, SnapshotDescriptor}

/** A table that is read with another schema or protocol than its snapshot has. */
final class ReadTable(
    snapshot: SnapshotDescriptor,
    override val metadata: Metadata,
    override val protocol: Protocol
) extends SnapshotDescriptor {
  override val deltaLog: DeltaLog = snapshot.deltaLog
  override val version: Long = snapshot.version
  override def logPath: Path = snapshot.logPath
  override def numOfFilesIfKnown: Option[Long] = None
  override def sizeInBytesIfKnown: Option[Long] = None
}

object ReadTable {

  /** As an entry of the log of schemas has it; what older entries do not say is as in the snapshot. */
  def tracked(snapshot: SnapshotDescriptor, entry: PersistedMetadata): SnapshotDescriptor = {
    val metadata = snapshot.metadata.copy(
      schemaString = entry.dataSchemaJson,
      partitionColumns = entry.partitionSchema.fieldNames.toIndexedSeq,
      configuration = entry.tableConfigurations.getOrElse(snapshot.metadata.configuration)
    )
    new ReadTable(snapshot, metadata, entry.protocol.getOrElse(snapshot.protocol))
  }

  /** A table may get its first deletion vectors while a stream runs, whose snapshot then knows of none. */
  def of(snapshot: SnapshotDescriptor, files: Seq[FileAction]): SnapshotDescriptor =
    if (files.forall(file => Option(file.deletionVector).isEmpty) ||
      DeletionVectorUtils.deletionVectorsReadable(snapshot.protocol, snapshot.metadata)) snapshot
    else {
      val vectors = Protocol.forTableFeature(DeletionVectorsTableFeature)
      new ReadTable(snapshot, snapshot.metadata, snapshot.protocol.merge(vectors))
    }
}
