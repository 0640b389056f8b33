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
import org.apache.spark.sql.delta.stream.conf.SchemaSettings
import org.apache.spark.sql.delta.stream.model.MetadataAndProtocol

/**
 * How a stream handles schema changes.
 *
 * @param schemaPolicy decides what a schema change means for the stream
 * @param tracker      writes schema changes to the schema log; None if the stream does not track them
 */
private[stream] final case class SchemaHandling(
    schemaPolicy: SchemaChangePolicy,
    tracker: Option[SchemaTracker])

private[stream] object SchemaHandling {

  /** Returns a policy and a tracker if the stream tracks schema changes, otherwise only a policy. */
  def of(
      spark: SparkSession,
      analyzed: AnalyzedTable,
      log: Option[DeltaSourceMetadataTrackingLog],
      metadataPath: String,
      settings: SchemaSettings,
      changeFeed: Boolean
  ): SchemaHandling = log match {
    case Some(log) if analyzed.tracksSchemaChanges =>
      val table = analyzed.table
      def isChange(metadata: Option[Metadata], protocol: Option[Protocol], version: Long): Boolean =
        DeltaSourceMetadataEvolutionSupport.hasMetadataOrProtocolChangeComparedToStreamMetadata(
          metadata,
          protocol,
          version,
          // A stream that did not track schemas before gets its first entry only when its run starts.
          analyzed.entry.orElse(log.getCurrentTrackedMetadata),
          table.protocol,
          table.metadata,
          spark
        )
      val schema = MetadataAndProtocol(table.metadata, table.protocol)
      val tracker = new SchemaTracker(new DeltaSchemaLog(log), schema, isChange, metadataPath)
      SchemaHandling(TrackedSchemaPolicy(table.metadata, isChange), Some(tracker))
    case _ =>
      val schema = UntrackedSchemaPolicy(
        analyzed.snapshot.metadata,
        analyzed.snapshot.version,
        analyzed.readSchema(spark, changeFeed),
        readsEntry = analyzed.entry.nonEmpty,
        settings.toReadOptions(analyzed.snapshot),
        changeFeed,
        settings.hasStartOption
      )
      SchemaHandling(schema, None)
  }

  private final class DeltaSchemaLog(log: DeltaSourceMetadataTrackingLog) extends SchemaLog {
    override def current: Option[PersistedMetadata] = log.getCurrentTrackedMetadata
    override def add(entry: PersistedMetadata, replacing: Boolean): Unit = {
      val _ = log.writeNewMetadata(entry, replacing)
    }
  }
}
