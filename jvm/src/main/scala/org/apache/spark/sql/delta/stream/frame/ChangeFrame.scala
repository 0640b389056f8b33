// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import java.sql.Timestamp

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
import org.apache.spark.sql.delta.stream.CanonicalPath
import org.apache.spark.sql.delta.stream.plan.{PlannedFile, Step}
import org.apache.spark.sql.delta.{DeltaLog, RowIndexFilterType, SnapshotDescriptor}

/**
 * The changes of planned files: the rows of change files as they are, those of added files as inserts, of removed ones
 * as deletes; of a file that only got another deletion vector, the rows between the two. At most five scans, over
 * however many versions.
 */
final class ChangeFrame(spark: SparkSession, deltaLog: DeltaLog, table: SnapshotDescriptor)
    extends BatchFrame {
  import ChangeFrame._

  private lazy val canonical = CanonicalPath.of(deltaLog, deltaLog.newDeltaHadoopConf())

  override def of(files: Seq[PlannedFile]): DataFrame = {
    val versions = files.groupBy(_.segment).toSeq.sortBy(_._1.version)
    val pairs = versions.map { case (segment, files) =>
      segment -> FilePairs.of(files.map(_.action), canonical)
    }
    val differences = new DeletionVectorDiff(deltaLog).of(pairs.flatMap(_._2.both))

    def each[A](of: FilePairs => Seq[A]) = pairs.map { case (segment, pairs) => segment -> of(pairs) }
    val deleted = each(_.both.flatMap(differences(_).deleted))
    val restored = each(_.both.flatMap(differences(_).restored))
    val scans = Seq(
      specs(each(_.changes)).map(found => scan(changeIndex(found))),
      specs(each(_.adds)).map(found => scan(addIndex(found, None))),
      specs(each(_.removes)).map(found => scan(removeIndex(found, None))),
      specs(restored).map(found => scan(addIndex(found, Some(onlyIn(restored))))),
      specs(deleted).map(found => scan(removeIndex(found, Some(onlyIn(deleted)))))
    )
    scans.flatten.reduceOption(_ union _).getOrElse(scan(changeIndex(Nil)))
  }

  private def changeIndex(found: Seq[CDCDataSpec[AddCDCFile]]) =
    new TahoeChangeFileIndex(spark, found, deltaLog, deltaLog.dataPath, table)

  private def addIndex(found: Seq[CDCDataSpec[AddFile]], filters: Filters) =
    new CdcAddFileIndex(spark, found, deltaLog, deltaLog.dataPath, table, filters)

  private def removeIndex(found: Seq[CDCDataSpec[RemoveFile]], filters: Filters) =
    new TahoeRemoveFileIndex(spark, found, deltaLog, deltaLog.dataPath, table, filters)

  private def scan(index: TahoeFileIndexWithSnapshotDescriptor): DataFrame =
    Reader.scan(spark, index)

  /** The vector of such a file names the rows to read, not those to leave out. */
  private def onlyIn(versions: Seq[(Step.Segment, Seq[FileAction])]): Map[String, RowIndexFilterType] =
    versions.flatMap(_._2).map(_.path -> RowIndexFilterType.IF_NOT_CONTAINED).toMap

  private def specs[A <: FileAction](versions: Seq[(Step.Segment, Seq[A])]): Option[Seq[CDCDataSpec[A]]] = {
    val found = versions.collect {
      case (segment, actions) if actions.nonEmpty =>
        new CDCDataSpec[A](segment.version, new Timestamp(segment.committed.milliseconds), actions, None)
    }
    Option.when(found.nonEmpty)(found)
  }
}

object ChangeFrame {

  /** By path, how the deletion vector of a file is to be read. */
  private type Filters = Option[Map[String, RowIndexFilterType]]

  /** Delta's own scan of the files of an index, which only its readers may use. */
  private object Reader extends CDCReaderImpl {
    def scan(spark: SparkSession, index: TahoeFileIndexWithSnapshotDescriptor): DataFrame =
      scanIndex(spark, index, isStreaming = true)
  }
}
