// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import scala.util.matching.Regex

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.Literal.TrueLiteral
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.files.TahoeBatchFileIndex
import org.apache.spark.sql.delta.stream.plan.PlannedFile
import org.apache.spark.sql.delta.{DataFrameUtils, DeltaLog, SnapshotDescriptor}

/** Builds the DataFrame of a streaming batch. */
private[stream] trait BatchScan {

  /** Returns a streaming DataFrame that reads the planned files. Data files are read when it is executed. */
  def frame(files: Seq[PlannedFile]): DataFrame
}

/**
 * Reads the rows of added files by Delta's own relation over just these files, with the schema the stream
 * was analyzed with (`SchemaChangePolicy` makes sure that the files can be read with it). One scan is enough,
 * since each file has its own deletion vector.
 *
 * @param table        the version whose schema the files are read with
 * @param excludeRegex files with a match anywhere in their path are planned, numbered and counted against the
 *                     rate limits, but not read
 * @param fileErrors names the errors of files that cannot be read
 */
private[stream] final class AppendScan(
    spark: SparkSession,
    deltaLog: DeltaLog,
    table: SnapshotDescriptor,
    excludeRegex: Option[Regex],
    fileErrors: DataFileErrors
) extends BatchScan {

  /** Delta's plan for no files, and the one scan in it. Fails if Delta plans another number of scans. */
  private lazy val (emptyPlan, scan) = {
    val plan = deltaLog.createDataFrame(table, Nil, isStreaming = true).queryExecution.analyzed
    plan.collect { case relation: LogicalRelation => relation } match {
      case Seq(relation) => (plan, relation)
      case other => throw new IllegalStateException(s"expected one scan in Delta's plan, got ${other.size}")
    }
  }

  override def frame(files: Seq[PlannedFile]): DataFrame = {
    val included = files.filter(file => excludeRegex.forall(_.findFirstIn(file.path).isEmpty))
    val batchScan = scan.copy(relation = relation(included))
    val plan = emptyPlan.transform { case _: LogicalRelation => batchScan }
    // Only the files differ from the plan that was analyzed already.
    plan.setAnalyzed()
    DataFrameUtils.ofRows(spark, plan)
  }

  private def relation(files: Seq[PlannedFile]): HadoopFsRelation = scan.relation match {
    case relation @ HadoopFsRelation(index: TahoeBatchFileIndex, _, _, _, _, _) =>
      val added = files.map(_.action).collect { case add: AddFile => add }
      // If two versions add a path, with different deletion vectors, this is the later one.
      lazy val versions = files.map(file => file.path -> file.version).toMap
      StreamFileFormat.relation(relation, new BatchFileIndex(index, added, versions.get), fileErrors)
    case other => throw new IllegalStateException(s"expected a TahoeBatchFileIndex in the scan, got $other")
  }
}

/**
 * Returns the files of a batch, which planning asks for twice. To filter by partition, Delta's index
 * converts the files to a Dataset and back each time. This one returns them as they are if there is no
 * partition predicate, or only the literal `true`, which is what planning passes for tables with deletion
 * vectors.
 *
 * @param base          Delta's index, whose settings this one takes over
 * @param versionOfPath returns the version that a file is read in, if known
 */
private[scan] final class BatchFileIndex(
    base: TahoeBatchFileIndex,
    files: Seq[AddFile],
    versionOfPath: String => Option[Long]
) extends TahoeBatchFileIndex(base.spark, base.actionType, files, base.deltaLog, base.path, base.snapshot)
    with VersionedFiles {

  override def matchingFiles(partitionFilters: Seq[Expression], dataFilters: Seq[Expression]): Seq[AddFile] =
    if (partitionFilters.forall(_ == TrueLiteral)) files
    else super.matchingFiles(partitionFilters, dataFilters)

  override protected def versionOf(file: AddFile): Option[Long] = versionOfPath(file.path)
}
