// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.SparkSession

import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.sources.{
  DeltaSourceMetadataEvolutionSupport,
  DeltaSourceMetadataTrackingLog,
  PersistedMetadata
}

/** How a stream judges changes of schema and, if it tracks them, what writes them to its schema log. */
final case class Tracking(schema: StreamSchema, tracker: Option[SchemaTracker])

object Tracking {

  def of(
      spark: SparkSession,
      analysed: AnalysedTable,
      log: Option[DeltaSourceMetadataTrackingLog],
      metadataPath: String,
      settings: SchemaSettings,
      changeFeed: Boolean
  ): Tracking = log match {
    case Some(log) if analysed.enforced =>
      val table = analysed.table
      def changes(metadata: Option[Metadata], protocol: Option[Protocol], version: Long): Boolean =
        DeltaSourceMetadataEvolutionSupport.hasMetadataOrProtocolChangeComparedToStreamMetadata(
          metadata,
          protocol,
          version,
          // A stream that did not track its schema before gets its first entry when its run begins.
          analysed.entry.orElse(log.getCurrentTrackedMetadata),
          table.protocol,
          table.metadata,
          spark
        )
      val schema = TableSchema(table.metadata, table.protocol)
      val tracker = new SchemaTracker(new Entries(log), schema, changes, metadataPath)
      Tracking(TrackedSchema(table.metadata, changes), Some(tracker))
    case _ =>
      val schema = UntrackedSchema(
        analysed.snapshot.metadata,
        analysed.snapshot.version,
        analysed.readSchema(spark, changeFeed),
        settings.of(analysed.snapshot),
        changeFeed,
        settings.startOption
      )
      Tracking(schema, None)
  }

  private final class Entries(log: DeltaSourceMetadataTrackingLog) extends SchemaLog {
    override def current: Option[PersistedMetadata] = log.getCurrentTrackedMetadata
    override def add(entry: PersistedMetadata, replacing: Boolean): Unit = {
      val _ = log.writeNewMetadata(entry, replacing)
    }
  }
}
