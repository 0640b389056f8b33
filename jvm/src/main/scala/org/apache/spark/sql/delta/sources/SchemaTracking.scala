// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap

import org.apache.spark.sql.delta.{DeltaOptions, SnapshotDescriptor}

/** The log in which a stream keeps the schemas it has come through. */
private[sources] object SchemaTracking {

  /** The root of the log; the longer of its two names wins. */
  def root(parameters: Map[String, String]): Option[String] = {
    val options = CaseInsensitiveMap(parameters)
    val names = Seq(DeltaOptions.SCHEMA_TRACKING_LOCATION, DeltaOptions.SCHEMA_TRACKING_LOCATION_ALIAS)
    names.flatMap(options.get).headOption
  }

  /** The log of this table's stream, if the options ask for one; fails when the conf forbids it. */
  def log(
      spark: SparkSession,
      table: SnapshotDescriptor,
      catalogTable: Option[CatalogTable],
      parameters: Map[String, String],
      sourceFolder: Option[String],
      mergeChanges: Boolean): Option[DeltaSourceMetadataTrackingLog] = root(parameters).map { location =>
    if (!spark.sessionState.conf.getConf(DeltaSQLConf.DELTA_STREAMING_ENABLE_SCHEMA_TRACKING))
      throw new UnsupportedOperationException(
        "Schema tracking location is not supported for Delta streaming source")
    DeltaSourceMetadataTrackingLog.create(
      spark,
      location,
      table.metadata.id,
      table.dataPath.toString,
      parameters,
      sourceFolder,
      mergeChanges,
      Some(DeltaSourceMetadataEvolutionSupport
        .getMergedConsecutiveMetadataChanges(spark, table.deltaLog, catalogTable, _))
    )
  }

  /** A change the stream has come to goes on only if it adds columns, or the user has said that it may. */
  def verifyAcknowledged(
      spark: SparkSession,
      parameters: Map[String, String],
      metadataPath: String,
      log: Option[DeltaSourceMetadataTrackingLog]
  ): Unit =
    for {
      entries <- log
      current <- entries.getCurrentTrackedMetadata
      previous <- entries.getPreviousTrackedMetadata
    } DeltaSourceMetadataEvolutionSupport
      .validateIfSchemaChangeCanBeUnblocked(spark, parameters, metadataPath, current, previous)
}
