// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.actions.{FileAction, Metadata, Protocol}
import org.apache.spark.sql.delta.commands.DeletionVectorUtils
import org.apache.spark.sql.delta.sources.PersistedMetadata
import org.apache.spark.sql.delta.{DeletionVectorsTableFeature, DeltaLog, SnapshotDescriptor}

/** A table that is read with a schema or protocol other than those of its snapshot. */
private[stream] final class TableWithSchema(
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

private[stream] object TableWithSchema {

  /**
   * Returns the table with the schema of a log entry. Fields that older entries lack come from the snapshot.
   */
  def fromSchemaLog(snapshot: SnapshotDescriptor, entry: PersistedMetadata): SnapshotDescriptor = {
    val metadata = snapshot.metadata.copy(
      schemaString = entry.dataSchemaJson,
      partitionColumns = entry.partitionSchema.fieldNames.toIndexedSeq,
      configuration = entry.tableConfigurations.getOrElse(snapshot.metadata.configuration)
    )
    new TableWithSchema(snapshot, metadata, entry.protocol.getOrElse(snapshot.protocol))
  }

  /**
   * Returns the table with a protocol that can read `files`. A table may get its first deletion vectors while
   * a stream is running; the protocol of the stream's snapshot does not include them then.
   */
  def withProtocolFor(snapshot: SnapshotDescriptor, files: Seq[FileAction]): SnapshotDescriptor =
    if (files.forall(file => Option(file.deletionVector).isEmpty) ||
      DeletionVectorUtils.deletionVectorsReadable(snapshot.protocol, snapshot.metadata)) snapshot
    else {
      val vectors = Protocol.forTableFeature(DeletionVectorsTableFeature)
      new TableWithSchema(snapshot, snapshot.metadata, snapshot.protocol.merge(vectors))
    }
}
