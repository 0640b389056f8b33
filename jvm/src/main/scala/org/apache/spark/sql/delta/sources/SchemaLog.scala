// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import org.apache.spark.sql.delta.stream.schema.SchemaLogName
import org.apache.spark.sql.delta.{DeltaOptions, SnapshotDescriptor}

/** Opens the schema log of a stream. */
private[sources] object SchemaLog {

  /**
   * The log of this table's stream, if the options ask for one. Fails when the conf forbids it, and before anything is
   * read or written when the log would lie outside the location that the options give.
   *
   * @param sourceFolder the source's own folder in the checkpoint, once there is one
   * @param mergeChanges take consecutive commits that only change the schema as one change
   */
  def open(
      spark: SparkSession,
      table: SnapshotDescriptor,
      catalogTable: Option[CatalogTable],
      parameters: Map[String, String],
      sourceFolder: Option[String],
      mergeChanges: Boolean): Option[DeltaSourceMetadataTrackingLog] = {
    if (PublishedDeltaDataSource.extractSchemaTrackingLocationConfig(spark, parameters).nonEmpty) {
      val sourceId = CaseInsensitiveMap(parameters).get(DeltaOptions.STREAMING_SOURCE_TRACKING_ID)
      SchemaLogName.verify(table.dataPath.toString, table.metadata.id, sourceId)
    }
    PublishedDeltaDataSource.getMetadataTrackingLogForDeltaSource(
      spark,
      table,
      catalogTable,
      parameters,
      sourceFolder,
      mergeChanges)
  }
}
