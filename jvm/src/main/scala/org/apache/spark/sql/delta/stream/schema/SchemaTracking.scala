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
import org.apache.spark.sql.delta.stream.model.TableSchema

/**
 * How a stream handles schema changes.
 *
 * @param schema  decides what a schema change means for the stream
 * @param tracker writes schema changes to the schema log; None if the stream does not track them
 */
private[stream] final case class SchemaTracking(schema: StreamSchema, tracker: Option[SchemaTracker])

private[stream] object SchemaTracking {

  /** Returns a tracked schema if the stream tracks schema changes, otherwise a fixed schema. */
  def of(
      spark: SparkSession,
      analyzed: AnalyzedTable,
      log: Option[DeltaSourceMetadataTrackingLog],
      metadataPath: String,
      settings: SchemaSettings,
      changeFeed: Boolean
  ): SchemaTracking = log match {
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
      val schema = TableSchema(table.metadata, table.protocol)
      val tracker = new SchemaTracker(new DeltaSchemaLog(log), schema, isChange, metadataPath)
      SchemaTracking(TrackedSchema(table.metadata, isChange), Some(tracker))
    case _ =>
      val schema = UntrackedSchema(
        analyzed.snapshot.metadata,
        analyzed.snapshot.version,
        analyzed.readSchema(spark, changeFeed),
        settings.of(analyzed.snapshot),
        changeFeed,
        settings.hasStartOption
      )
      SchemaTracking(schema, None)
  }

  private final class DeltaSchemaLog(log: DeltaSourceMetadataTrackingLog) extends SchemaLog {
    override def current: Option[PersistedMetadata] = log.getCurrentTrackedMetadata
    override def add(entry: PersistedMetadata, replacing: Boolean): Unit = {
      val _ = log.writeNewMetadata(entry, replacing)
    }
  }
}
