// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.SnapshotDescriptor
import org.apache.spark.sql.delta.sources.{
  DeltaSourceMetadataEvolutionSupport,
  DeltaSourceMetadataTrackingLog,
  PersistedMetadata
}

/**
 * The table as one query reads it. The analysis of the query and the execution of its source must agree on it, because
 * Spark matches their columns by position: both make it by [[AnalysedTable.of]] and take schemas from nowhere else.
 *
 * @param snapshot the table when the query was analysed
 * @param entry    the newest entry of the schema log, if the stream has one: files are read with it
 * @param enforced whether a change of schema stops the stream and adds an entry. Without a schema log it does not, nor
 *                 under Delta's conf for unsafe reads over column mapping changes: then `entry` only says how files are
 *                 read
 */
final case class AnalysedTable private (
    snapshot: SnapshotDescriptor,
    entry: Option[PersistedMetadata],
    enforced: Boolean
) {

  /** The table with the schema, partitioning, properties and protocol that files are read with. */
  val table: SnapshotDescriptor = entry.fold(snapshot)(ReadTable.tracked(snapshot, _))

  val schema: StructType = table.schema

  /** The columns of the stream; those of a change feed have three more. */
  def readSchema(spark: SparkSession, changeFeed: Boolean): StructType =
    SourceSchema.of(spark, schema, changeFeed)
}

object AnalysedTable {

  /** @param log the schema log, if the options of the stream ask for one */
  def of(
      snapshot: SnapshotDescriptor,
      log: Option[DeltaSourceMetadataTrackingLog],
      settings: SchemaSettings
  ): AnalysedTable = AnalysedTable(
    snapshot,
    log.flatMap(_.getCurrentTrackedMetadata),
    DeltaSourceMetadataEvolutionSupport.shouldTrackMetadataChange(settings.of(snapshot), log) ||
      DeltaSourceMetadataEvolutionSupport.shouldInitializeMetadataTrackingEagerly(settings.of(snapshot), log)
  )
}
