// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.datasource

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import org.apache.spark.sql.delta.sources.{DeltaSourceMetadataTrackingLog, UpstreamDeltaDataSource}
import org.apache.spark.sql.delta.stream.schema.SchemaLogName
import org.apache.spark.sql.delta.{DeltaOptions, SnapshotDescriptor}

/** Opens the schema log of a stream, where Delta records the schemas of a stream with schema tracking. */
private[delta] object SchemaLogFactory {

  /**
   * Opens the schema log of a stream over this table, or returns None if the options do not set one. Fails if
   * schema tracking is disabled in the session. Also fails, before anything is read or written, if the log
   * would lie outside the location in the options.
   *
   * @param table        the table at its latest version
   * @param parameters   the options of the stream
   * @param metadataPath the source's own folder in the checkpoint, once there is one
   * @param mergeChanges treat consecutive commits that only change the schema as one change
   */
  def open(
      spark: SparkSession,
      table: SnapshotDescriptor,
      catalogTable: Option[CatalogTable],
      parameters: Map[String, String],
      metadataPath: Option[String],
      mergeChanges: Boolean): Option[DeltaSourceMetadataTrackingLog] = {
    if (UpstreamDeltaDataSource.extractSchemaTrackingLocationConfig(spark, parameters).nonEmpty) {
      val sourceId = CaseInsensitiveMap(parameters).get(DeltaOptions.STREAMING_SOURCE_TRACKING_ID)
      SchemaLogName.verify(table.dataPath.toString, table.metadata.id, sourceId)
    }
    UpstreamDeltaDataSource.getMetadataTrackingLogForDeltaSource(
      spark,
      table,
      catalogTable,
      parameters,
      metadataPath,
      mergeChanges)
  }
}
