// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.connector.read.streaming.ReportsSinkMetrics
import org.apache.spark.sql.execution.streaming.Sink
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.streaming.OutputMode
import org.apache.spark.sql.{DataFrame, SQLContext}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.stream.applychanges.ApplyChangesWriter
import org.apache.spark.sql.delta.stream.conf.ApplyChangesSettings
import org.apache.spark.sql.delta.stream.model.ApplyChangesErrors
import org.apache.spark.sql.delta.stream.sink.{AppendWriter, Batch, BatchWriter, TableSink, Target}
import org.apache.spark.sql.delta.util.Utils
import org.apache.spark.sql.delta.{DeltaLog, DeltaOptions}

/**
 * The streaming sink of `delta`. Commits each batch as one version, exactly once. Delta's analysis links to
 * this signature and copies the sink to add the catalog table, so making one must be cheap: it lists the
 * offsets of the checkpoint, and opens the table with its first batch.
 *
 * @param outputMode append or complete; in complete mode each batch replaces all rows of the table
 */
case class DeltaSink(
    sqlContext: SQLContext,
    path: Path,
    partitionColumns: Seq[String],
    outputMode: OutputMode,
    options: DeltaOptions,
    catalogTable: Option[CatalogTable] = None
) extends Sink
    with ReportsSinkMetrics {

  /** The query's id, stored in its checkpoint. Spark sets it as a local property of the query's thread. */
  lazy val queryId: String = sqlContext.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY)

  private val sink = {
    val target = Target(path, catalogTable, partitionColumns, outputMode, options)
    new TableSink(queryId, deltaLog, target, writer(target))
  }

  override def addBatch(batchId: Long, data: DataFrame): Unit = sink.add(Batch.of(batchId, data))

  /** Returns the last batch's metrics. Spark calls this once after each trigger, even without a batch. */
  override def metrics(): JMap[String, String] = sink.report().asJava

  override def toString: String = s"DeltaSink[$path]"

  private def writer(target: Target): BatchWriter =
    ApplyChangesSettings.of(options.options) match {
      case None => new AppendWriter(deltaLog, target)
      case Some(Right(settings)) =>
        new ApplyChangesWriter(
          settings,
          target,
          sqlContext.sparkSession.sessionState.conf.adaptiveExecutionEnabled)
      case Some(Left(mistakes)) => throw ApplyChangesErrors.invalid(mistakes, path.toString)
    }

  private def deltaLog: DeltaLog =
    Utils.getDeltaLogFromTableOrPath(sqlContext.sparkSession, catalogTable, path, options.options)
}
