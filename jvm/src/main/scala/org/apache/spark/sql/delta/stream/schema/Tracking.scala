// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.SparkSession

import org.apache.spark.sql.delta.SnapshotDescriptor
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.{
  DeltaSourceMetadataEvolutionSupport,
  DeltaSourceMetadataTrackingLog,
  PersistedMetadata
}

/**
 * A stream's schema and, if it tracks schemas, the tracker: both from what it was analysed with.
 *
 * @param table the table as the stream reads it
 */
final case class Tracking(table: SnapshotDescriptor, schema: StreamSchema, tracker: Option[SchemaTracker])

object Tracking {

  def of(
      spark: SparkSession,
      snapshot: SnapshotDescriptor,
      log: Option[DeltaSourceMetadataTrackingLog],
      metadataPath: String,
      settings: SchemaSettings,
      changeFeed: Boolean
  ): Tracking = log match {
    case Some(log) if !settings.unsafeColumnMapping =>
      val entry = log.getCurrentTrackedMetadata
      val table = entry.fold(snapshot)(ReadTable.tracked(snapshot, _))
      def changes(metadata: Option[Metadata], protocol: Option[Protocol], version: Long): Boolean =
        DeltaSourceMetadataEvolutionSupport.hasMetadataOrProtocolChangeComparedToStreamMetadata(
          metadata,
          protocol,
          version,
          entry,
          table.protocol,
          table.metadata,
          spark
        )
      val analysed = TableSchema(table.metadata, table.protocol)
      val tracker = new SchemaTracker(new Entries(log), analysed, changes, metadataPath)
      Tracking(table, TrackedSchema(table.metadata, changes), Some(tracker))
    case _ =>
      val schema = UntrackedSchema(
        snapshot.metadata,
        snapshot.version,
        SourceSchema.of(spark, snapshot.schema, changeFeed),
        settings.of(snapshot),
        changeFeed,
        settings.startOption
      )
      Tracking(snapshot, schema, None)
  }

  private final class Entries(log: DeltaSourceMetadataTrackingLog) extends SchemaLog {
    override def current: Option[PersistedMetadata] = log.getCurrentTrackedMetadata
    override def add(entry: PersistedMetadata, replacing: Boolean): Unit = {
      val _ = log.writeNewMetadata(entry, replacing)
    }
  }
}
