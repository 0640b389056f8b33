// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.types.{DataType, StructType}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.stream.StreamConf
import org.apache.spark.sql.delta.stream.log.NewestSnapshot
import org.apache.spark.sql.delta.stream.schema.{AnalysedTable, SchemaSettings}
import org.apache.spark.sql.delta.{
  DeltaAnalysisException,
  DeltaErrors,
  DeltaLog,
  DeltaTableUtils,
  DeltaThrowableHelper,
  Snapshot
}

/**
 * A table when a stream of it starts: its newest snapshot, and its schema log if the options ask for one. What a user
 * may not ask of it is refused in the documented sentence and with Delta's own condition.
 */
private[sources] final case class StreamTable(
    snapshot: Snapshot,
    schemaLog: Option[DeltaSourceMetadataTrackingLog],
    analysed: AnalysedTable
) {

  /**
   * A schema asked for must be the table's, up to nullability, and the table must have one. A catalog that knows only
   * where the table is asks for one without columns.
   */
  def verify(asked: Option[StructType]): Unit = {
    val schema = analysed.schema
    if (asked.exists(other => other.nonEmpty && !DataType.equalsIgnoreCompatibleNullability(schema, other)))
      throw StreamTable.refusal(
        "DELTA_READ_SOURCE_SCHEMA_CONFLICT",
        "Delta does not support specifying the schema at read time.")
    if (schema.isEmpty) throw DeltaErrors.schemaNotSetException
  }
}

private[sources] object StreamTable {

  /** The table's path in the options, which must name one. */
  def path(parameters: Map[String, String]): Path =
    new Path(CaseInsensitiveMap(parameters).getOrElse("path", throw DeltaErrors.pathNotSpecifiedException))

  /** The table as it is now; see [[SchemaLog]] for the last two. */
  def of(
      spark: SparkSession,
      log: DeltaLog,
      catalogTable: Option[CatalogTable],
      parameters: Map[String, String],
      sourceFolder: Option[String],
      mergeChanges: Boolean): StreamTable = {
    val conf = spark.sessionState.conf
    val snapshot = new NewestSnapshot(log, catalogTable, conf.getConf(StreamConf.listInterval)).get()
    val schemaLog = SchemaLog.open(spark, snapshot, catalogTable, parameters, sourceFolder, mergeChanges)
    StreamTable(snapshot, schemaLog, AnalysedTable.of(snapshot, schemaLog, SchemaSettings.of(conf)))
  }

  /** A stream goes on to the newest version, so it cannot be of an older one. */
  def refuseTimeTravel(spark: SparkSession, path: String, parameters: Map[String, String]): Unit = {
    val inPath = DeltaTableUtils.extractIfPathContainsTimeTravel(spark, path, Map.empty)._2
    if (inPath.orElse(DeltaDataSource.getTimeTravelVersion(parameters)).isDefined)
      throw refusal("DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS", "Cannot time travel views, subqueries or streams.")
  }

  private def refusal(condition: String, documented: String): Throwable = {
    val message = DeltaThrowableHelper.getMessage(condition, Array.empty)
    new DeltaAnalysisException(condition, Array.empty, None, None, Some(s"$message $documented"), None)
  }
}
