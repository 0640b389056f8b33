// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.schema

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.types.StructType

import org.apache.spark.sql.delta.commands.cdc.CDCReader
import org.apache.spark.sql.delta.sources.{
  DeltaSourceMetadataEvolutionSupport,
  DeltaSourceMetadataTrackingLog,
  PersistedMetadata
}
import org.apache.spark.sql.delta.stream.conf.SchemaSettings
import org.apache.spark.sql.delta.{DeltaTableUtils, SnapshotDescriptor}

/**
 * The table as one query reads it. The analysis of the query and the execution of its source must use the
 * same schema, because Spark matches their columns by position. Therefore both create it with
 * [[AnalyzedTable.of]] and take schemas from nowhere else.
 *
 * @param snapshot            the table when the query was analyzed
 * @param entry               the latest entry of the schema log, if the stream has one; files are read with
 *                            it
 * @param tracksSchemaChanges true if a schema change stops the stream and adds an entry to the log. It is
 *                            false without a schema log, and under Delta's conf for unsafe reads after column
 *                            mapping changes: in that case `entry` only says how files are read
 */
private[stream] final case class AnalyzedTable private (
    snapshot: SnapshotDescriptor,
    entry: Option[PersistedMetadata],
    tracksSchemaChanges: Boolean
) {

  /** The table with the schema, partitioning, properties and protocol for reading its files. */
  val table: SnapshotDescriptor = entry.fold(snapshot)(TableWithSchema.fromSchemaLog(snapshot, _))

  val schema: StructType = table.schema

  /** Returns the columns of the stream. A change feed has three more columns. */
  def readSchema(spark: SparkSession, changeFeed: Boolean): StructType =
    SourceSchema.of(spark, schema, changeFeed)
}

private[stream] object AnalyzedTable {

  /** Combines the snapshot with the latest entry of the schema log, if the options of the stream set one. */
  def of(
      snapshot: SnapshotDescriptor,
      log: Option[DeltaSourceMetadataTrackingLog],
      settings: SchemaSettings
  ): AnalyzedTable = AnalyzedTable(
    snapshot,
    log.flatMap(_.getCurrentTrackedMetadata),
    DeltaSourceMetadataEvolutionSupport.shouldTrackMetadataChange(settings.toReadOptions(snapshot), log) ||
      DeltaSourceMetadataEvolutionSupport.shouldInitializeMetadataTrackingEagerly(
        settings.toReadOptions(snapshot),
        log)
  )
}

/** Converts a table's schema to the schema that a stream exposes. */
private[schema] object SourceSchema {

  /**
   * Removes the field metadata that only writers and Delta itself need. Adds the three columns of a change
   * feed if `changeFeed` is true.
   */
  def of(spark: SparkSession, table: StructType, changeFeed: Boolean): StructType = {
    val visible =
      DeltaTableUtils.removeInternalDeltaMetadata(
        spark,
        DeltaTableUtils.removeInternalWriterMetadata(spark, table)
      )
    if (changeFeed) CDCReader.cdcReadSchema(visible) else visible
  }
}
