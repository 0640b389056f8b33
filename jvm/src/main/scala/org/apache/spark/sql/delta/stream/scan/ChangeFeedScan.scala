// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import java.sql.Timestamp

import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.sources.BaseRelation
import org.apache.spark.sql.{DataFrame, SparkSession}

import org.apache.spark.sql.delta.actions.{AddCDCFile, AddFile, FileAction, RemoveFile}
import org.apache.spark.sql.delta.commands.cdc.CDCReader.CDCDataSpec
import org.apache.spark.sql.delta.commands.cdc.CDCReaderImpl
import org.apache.spark.sql.delta.files.{
  CdcAddFileIndex,
  TahoeChangeFileIndex,
  TahoeFileIndexWithSnapshotDescriptor,
  TahoeRemoveFileIndex
}
import org.apache.spark.sql.delta.stream.model.CanonicalPath
import org.apache.spark.sql.delta.stream.plan.{PlannedFile, ScanStep}
import org.apache.spark.sql.delta.{DataFrameUtils, DeltaLog, RowIndexFilterType, SnapshotDescriptor}

/**
 * Reads the changes of planned files: the rows of change files as they are, the rows of added files as
 * inserts and those of removed files as deletes. If a commit only replaced the deletion vector of a file,
 * reads the rows in which the two vectors differ. Uses at most five scans, however many versions the files
 * belong to.
 *
 * @param table        the version whose schema the files are read with
 * @param fileErrors names the errors of files that cannot be read
 */
private[stream] final class ChangeFeedScan(
    spark: SparkSession,
    deltaLog: DeltaLog,
    table: SnapshotDescriptor,
    fileErrors: DataFileErrors
) extends BatchScan {
  import ChangeFeedScan._

  private lazy val canonical = CanonicalPath.of(deltaLog, deltaLog.newDeltaHadoopConf())

  /** Also reads the deletion vectors that were replaced. */
  override def frame(files: Seq[PlannedFile]): DataFrame = {
    val versions = files.groupBy(_.step).toSeq.sortBy(_._1.version)
    val pairsByVersion = versions.map { case (step, files) =>
      step -> FilePairs.of(step.version, files.map(_.action), canonical)
    }
    val differences = new DeletionVectorDiff(deltaLog, fileErrors).diff(pairsByVersion.flatMap(_._2.paired))

    def byVersion[A](select: FilePairs => Seq[A]) =
      pairsByVersion.map { case (step, pairs) => step -> select(pairs) }
    val deleted = byVersion(_.paired.flatMap(differences(_).deleted))
    val restored = byVersion(_.paired.flatMap(differences(_).restored))
    val scans = Seq(
      specs(byVersion(_.changes)).map(specs => scan(changeIndex(specs))),
      specs(byVersion(_.adds)).map(specs => scan(addIndex(specs, None))),
      specs(byVersion(_.removes)).map(specs => scan(removeIndex(specs, None))),
      specs(restored).map(specs => scan(addIndex(specs, Some(onlyVectorRows(restored))))),
      specs(deleted).map(specs => scan(removeIndex(specs, Some(onlyVectorRows(deleted)))))
    )
    scans.flatten.reduceOption(_ union _).getOrElse(scan(changeIndex(Nil)))
  }

  private def changeIndex(specs: Seq[CDCDataSpec[AddCDCFile]]) =
    new TahoeChangeFileIndex(spark, specs, deltaLog, deltaLog.dataPath, table) with VersionedChanges

  private def addIndex(specs: Seq[CDCDataSpec[AddFile]], filters: RowIndexFilters) =
    new CdcAddFileIndex(spark, specs, deltaLog, deltaLog.dataPath, table, filters) with VersionedChanges

  private def removeIndex(specs: Seq[CDCDataSpec[RemoveFile]], filters: RowIndexFilters) =
    new TahoeRemoveFileIndex(spark, specs, deltaLog, deltaLog.dataPath, table, filters) with VersionedChanges

  /**
   * Returns Delta's scan, with our file format.
   *
   * @param index evaluated twice: to Spark, a plan with another format is the same plan, and is not replaced, unless
   *              its index is another one, too
   */
  private def scan(index: => TahoeFileIndexWithSnapshotDescriptor): DataFrame = {
    val plan = CDCScan.scan(spark, index).queryExecution.analyzed.transform {
      case scan: LogicalRelation => scan.copy(relation = relation(scan.relation, index))
    }
    plan.setAnalyzed()
    DataFrameUtils.ofRows(spark, plan)
  }

  private def relation(scanned: BaseRelation, index: FileIndex): HadoopFsRelation = scanned match {
    case files: HadoopFsRelation => StreamFileFormat.relation(files, index, fileErrors)
    case other => throw new IllegalStateException(s"expected a scan of files, got $other")
  }

  /** Reads the rows that the deletion vectors of these files contain, instead of the rows they do not. */
  private def onlyVectorRows(
      versions: Seq[(ScanStep.VersionFiles, Seq[FileAction])]): Map[String, RowIndexFilterType] =
    versions.flatMap(_._2).map(_.path -> RowIndexFilterType.IF_NOT_CONTAINED).toMap

  /** Returns None if there are no actions, so that nothing is scanned. */
  private def specs[A <: FileAction](versions: Seq[(ScanStep.VersionFiles, Seq[A])])
      : Option[Seq[CDCDataSpec[A]]] = {
    val nonEmpty = versions.collect {
      case (step, actions) if actions.nonEmpty =>
        new CDCDataSpec[A](
          step.version,
          new Timestamp(step.commitTime.milliseconds),
          actions,
          None)
    }
    Option.when(nonEmpty.nonEmpty)(nonEmpty)
  }
}

private[stream] object ChangeFeedScan {

  /** How to read the deletion vector of each file, by the file's path. */
  private type RowIndexFilters = Option[Map[String, RowIndexFilterType]]

  /** Gives access to `scanIndex`, which Delta provides to its own readers only. */
  private object CDCScan extends CDCReaderImpl {
    def scan(spark: SparkSession, index: TahoeFileIndexWithSnapshotDescriptor): DataFrame =
      scanIndex(spark, index, isStreaming = true)
  }
}
