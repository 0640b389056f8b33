// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import java.time.{Duration, Instant}

import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.SerializableConfiguration

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.stream.log.{FileRemoval, SnapshotRetry}
import org.apache.spark.sql.delta.stream.model.StreamErrors

/**
 * Reports data files that no longer exist, on the driver and on executors, with what the log says about them.
 * Spark gives a source no other place to name the error of a task.
 *
 * @param tablePath the path of the table
 * @param logPath   the folder of its log
 */
private[stream] final class MissingFiles(
    tablePath: String,
    logPath: String,
    hadoopConf: Broadcast[SerializableConfiguration]
) extends Serializable {
  import MissingFiles._

  /** Returns the same reader; for a file that does not exist, it fails with `DELTASOURCE_FILE_VACUUMED`. */
  def naming(read: PartitionedFile => Iterator[InternalRow]): PartitionedFile => Iterator[InternalRow] =
    file =>
      try read(file)
      catch {
        case NonFatal(e) if SnapshotRetry.isFileMissing(e) =>
          new FailingRows(toException(file.toPath, VersionedFiles.versionOf(file), e))
      }

  /**
   * Returns the exception for a file that is gone.
   *
   * @param version the version that the stream reads the file in, if known
   */
  def toException(file: Path, version: Option[Long], cause: Throwable): Throwable =
    StreamErrors.fileVacuumed(file.toString, version, tablePath, history(file, version), cause)

  private def history(file: Path, version: Option[Long]): String =
    try
      version.map(FileRemoval.find(new Path(logPath), hadoopConf.value.value, _, file)) match {
        case Some(FileRemoval(Some(removed), vacuum)) =>
          sentence(removed) + vacuum.fold(unknownVacuum)(sentence)
        case _ => "The log does not say who deleted it."
      }
    catch { case NonFatal(e) => s"The log could not be searched for a VACUUM that deleted it: $e." }
}

private[stream] object MissingFiles {

  def of(spark: SparkSession, deltaLog: DeltaLog): MissingFiles = {
    val conf = new SerializableConfiguration(deltaLog.newDeltaHadoopConf())
    new MissingFiles(
      deltaLog.dataPath.toString,
      deltaLog.logPath.toString,
      spark.sparkContext.broadcast(conf))
  }

  private val unknownVacuum = " The log has no VACUUM after that."

  private def sentence(removed: FileRemoval.Removed): String =
    s"Version ${removed.version}${removed.operation.fold("")(name => s" ($name)")} no longer needs it."

  private def sentence(vacuum: FileRemoval.Vacuum): String = {
    val retention =
      vacuum.retentionMs.fold("")(ms => s", which kept files for ${Duration.ofMillis(ms).toHours} hours")
    s" The VACUUM of version ${vacuum.version}, at ${Instant.ofEpochMilli(vacuum.startMs)}$retention, deleted it."
  }

  /**
   * Fails when it is read. `FileScanRDD` wraps what the reader and `hasNext` throw in an error of its own, but not
   * what `next` throws.
   */
  private final class FailingRows(failure: Throwable) extends Iterator[InternalRow] {
    override def hasNext: Boolean = true
    override def next(): InternalRow = throw failure
  }
}
