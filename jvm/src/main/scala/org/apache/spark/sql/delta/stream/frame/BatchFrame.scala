// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import scala.util.matching.Regex

import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.files.TahoeBatchFileIndex
import org.apache.spark.sql.delta.stream.plan.PlannedFile
import org.apache.spark.sql.delta.{DataFrameUtils, DeltaLog, SnapshotDescriptor}

/** Planned files as a streaming frame. */
trait BatchFrame {
  def of(files: Seq[PlannedFile]): DataFrame
}

/**
 * The rows of added files: Delta's own relation over just these files, read with the schema the stream was analysed
 * with (`StreamSchema` sees to it that they can be). One scan, for each file brings its own deletion vector.
 *
 * @param excludeRegex files whose path it finds itself in are planned, numbered and paid for, but not read
 */
final class AppendFrame(
    spark: SparkSession,
    deltaLog: DeltaLog,
    table: SnapshotDescriptor,
    excludeRegex: Option[Regex]
) extends BatchFrame {

  /** Delta's own plan, of no files, with its one scan. */
  private lazy val (empty, scan) = {
    val plan = deltaLog.createDataFrame(table, Nil, isStreaming = true).queryExecution.analyzed
    plan.collect { case relation: LogicalRelation => relation } match {
      case Seq(relation) => (plan, relation)
      case other => throw new IllegalStateException(s"Delta reads a batch by ${other.size} scans")
    }
  }

  override def of(files: Seq[PlannedFile]): DataFrame = {
    val added = files.map(_.action).collect { case add: AddFile => add }
    val read = added.filter(file => excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    val over = scan.copy(relation = relation(read))
    val plan = empty.transform { case _: LogicalRelation => over }
    // Analysis has seen all of it but the files.
    plan.setAnalyzed()
    DataFrameUtils.ofRows(spark, plan)
  }

  private def relation(files: Seq[AddFile]): HadoopFsRelation = scan.relation match {
    case relation @ HadoopFsRelation(index: TahoeBatchFileIndex, _, _, _, _, _) =>
      relation.copy(location = new BatchFileIndex(index, files))(relation.sparkSession)
    case other => throw new IllegalStateException(s"Delta reads a batch by $other")
  }
}
