// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.datasource

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap
import org.apache.spark.sql.types.{DataType, StructType}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.sources.{DeltaSourceMetadataTrackingLog, UpstreamDeltaDataSource}
import org.apache.spark.sql.delta.stream.conf.{SchemaSettings, StreamConf}
import org.apache.spark.sql.delta.stream.log.{LatestSnapshotProvider, UnreadableLogFile}
import org.apache.spark.sql.delta.stream.model.FileSystemErrors
import org.apache.spark.sql.delta.stream.schema.AnalyzedTable
import org.apache.spark.sql.delta.util.Utils
import org.apache.spark.sql.delta.{
  DeltaAnalysisException,
  DeltaErrors,
  DeltaTableUtils,
  DeltaThrowableHelper,
  Snapshot
}

/**
 * The table of a stream that is starting. What a stream does not allow is rejected with Delta's own error
 * condition and the sentence from Delta's documentation.
 *
 * @param snapshot  the latest snapshot
 * @param schemaLog the schema log, if the options set one
 * @param analyzed  the table as the query reads it
 */
private[delta] final case class StreamTable(
    snapshot: Snapshot,
    schemaLog: Option[DeltaSourceMetadataTrackingLog],
    analyzed: AnalyzedTable
) {

  /**
   * Fails if the table has no schema, or if the requested schema is not the table's, ignoring nullability. A
   * requested schema without columns is accepted, because a catalog that knows only the location of the table
   * passes one.
   */
  def verify(requested: Option[StructType]): Unit = {
    val schema = analyzed.schema
    if (requested.exists(other =>
        other.nonEmpty && !DataType.equalsIgnoreCompatibleNullability(schema, other)))
      throw StreamTable.documentedError(
        "DELTA_READ_SOURCE_SCHEMA_CONFLICT",
        "Delta does not support specifying the schema at read time.")
    if (schema.isEmpty) throw DeltaErrors.schemaNotSetException
  }
}

private[delta] object StreamTable {

  /** Returns the table's path from the options. Fails if there is none. */
  def path(parameters: Map[String, String]): Path =
    new Path(CaseInsensitiveMap(parameters).getOrElse("path", throw DeltaErrors.pathNotSpecifiedException))

  /**
   * Reads the table as it is now. `metadataPath` and `mergeChanges` are explained in [[SchemaLogFactory]].
   * Fails with `DELTASOURCE_LOG_READ_FAILED` if the file system fails, and with the errors of
   * [[UnreadableLogFile]] if a file of the log is damaged.
   */
  def of(
      spark: SparkSession,
      path: Path,
      catalogTable: Option[CatalogTable],
      parameters: Map[String, String],
      metadataPath: Option[String],
      mergeChanges: Boolean): StreamTable = {
    val conf = spark.sessionState.conf
    val snapshot =
      FileSystemErrors.naming(FileSystemErrors.logReadFailedAtStart(path.toString, _, _)) {
        UnreadableLogFile.namingAtStart(spark.sessionState.newHadoopConfWithOptions(parameters)) {
          val log = Utils.getDeltaLogFromTableOrPath(spark, catalogTable, path, parameters)
          new LatestSnapshotProvider(log, catalogTable, conf.getConf(StreamConf.listInterval)).get()
        }
      }
    val schemaLog =
      SchemaLogFactory.open(spark, snapshot, catalogTable, parameters, metadataPath, mergeChanges)
    StreamTable(snapshot, schemaLog, AnalyzedTable.of(snapshot, schemaLog, SchemaSettings.forAnalysis(conf)))
  }

  /**
   * Fails if the path or the options contain time travel: a stream follows the table to its latest version.
   */
  def rejectTimeTravel(spark: SparkSession, path: String, parameters: Map[String, String]): Unit = {
    val inPath = DeltaTableUtils.extractIfPathContainsTimeTravel(spark, path, Map.empty)._2
    if (inPath.orElse(UpstreamDeltaDataSource.getTimeTravelVersion(parameters)).isDefined)
      throw documentedError(
        "DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS",
        "Cannot time travel views, subqueries or streams.")
  }

  /** Returns an exception with Delta's message for the condition, followed by the documented sentence. */
  private def documentedError(condition: String, documented: String): Throwable = {
    val message = DeltaThrowableHelper.getMessage(condition, Array.empty)
    new DeltaAnalysisException(condition, Array.empty, None, None, Some(s"$message $documented"), None)
  }
}
