// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.scan

import java.time.{Duration, Instant}

import scala.util.control.NonFatal

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.{FileSourceOptions, InternalRow}
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.SerializableConfiguration
import org.apache.spark.{SparkThrowable, TaskKilledException}

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.stream.log.{FileRemoval, SnapshotRetry}
import org.apache.spark.sql.delta.stream.model.{Causes, FileSystemFailure, StreamErrors, StreamException}

/**
 * Names the errors of data files that cannot be read, on the driver and on executors. For a file that no longer
 * exists, the error says what the log knows about it. Spark gives a source no other place to name the error of a
 * task.
 *
 * @param tablePath the path of the table
 * @param logPath   the folder of its log
 */
private[stream] final class DataFileErrors(
    tablePath: String,
    logPath: String,
    hadoopConf: Broadcast[SerializableConfiguration]
) extends Serializable {
  import DataFileErrors._

  /**
   * Returns the same reader, which fails with an error of [[toException]], except for files that Spark ignores.
   *
   * @param options say whether Spark ignores files that are gone, and files that are damaged
   */
  def naming(options: FileSourceOptions)(
      read: PartitionedFile => Iterator[InternalRow]): PartitionedFile => Iterator[InternalRow] = {
    val (ignoresMissing, ignoresDamaged) = (options.ignoreMissingFiles, options.ignoreCorruptFiles)
    def ignored(failure: Throwable) =
      if (SnapshotRetry.isFileMissing(failure)) ignoresMissing else ignoresDamaged
    file =>
      new NamingRows(
        read(file),
        {
          case NonFatal(e) if isReadFailure(e) && !ignored(e) =>
            toException(file.toPath, VersionedFiles.versionOf(file), e)
        })
  }

  /**
   * Returns the exception for a file that cannot be read: `DELTASOURCE_FILE_VACUUMED` if it is gone, or else
   * `DELTASOURCE_UNREADABLE_DATA_FILE`.
   *
   * @param version the version that the stream reads the file in, if known
   */
  def toException(file: Path, version: Option[Long], cause: Throwable): Throwable =
    if (SnapshotRetry.isFileMissing(cause))
      fileVacuumed(file.toString, version, tablePath, history(file, version), cause)
    else unreadableDataFile(file.toString, version, tablePath, cause)

  private def history(file: Path, version: Option[Long]): String =
    try
      version.map(FileRemoval.find(new Path(logPath), hadoopConf.value.value, _, file)) match {
        case Some(FileRemoval(Some(removed), vacuum)) =>
          sentence(removed) + vacuum.fold(unknownVacuum)(sentence)
        case _ => "The log does not say who deleted it."
      }
    catch { case NonFatal(e) => s"The log could not be searched for a VACUUM that deleted it: $e." }
}

private[stream] object DataFileErrors {

  def of(spark: SparkSession, deltaLog: DeltaLog): DataFileErrors = {
    val conf = new SerializableConfiguration(deltaLog.newDeltaHadoopConf())
    new DataFileErrors(
      deltaLog.dataPath.toString,
      deltaLog.logPath.toString,
      spark.sparkContext.broadcast(conf))
  }

  /** Whether the file cannot be read. Not if the task is stopped, or if Spark has a condition for the error. */
  private[scan] def isReadFailure(failure: Throwable): Boolean =
    SnapshotRetry.isFileMissing(failure) || !Causes.of(failure).exists {
      case _: TaskKilledException | _: SparkThrowable => true
      case cause => FileSystemFailure.isInterrupt(cause)
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
   * A data file that the stream has to read no longer exists.
   *
   * @param version the version that the stream reads the file in, if known
   * @param history what the log says about the file, as sentences
   */
  private def fileVacuumed(
      file: String,
      version: Option[Long],
      dataPath: String,
      history: String,
      cause: Throwable): Throwable = {
    val ofVersion = version.fold("")(number => s" of version $number")
    new StreamException(
      "DELTASOURCE_FILE_VACUUMED",
      s"A file$ofVersion that the stream has to read is gone: $file. The table is $dataPath. $history Restore the " +
        "file from a copy, then restart the query. If there is no copy, start again with a new checkpoint and a new " +
        "or emptied target, and without a start option; or skip the rows of files that are gone with " +
        "spark.sql.files.ignoreMissingFiles=true. To keep removed files longer, raise the table property " +
        "delta.deletedFileRetentionDuration. The file system said: " +
        StreamErrors.printable(cause.toString),
      Map("file" -> file, "path" -> dataPath) ++ version.map("version" -> _.toString),
      Some(cause)
    )
  }

  /**
   * A data file that the stream has to read cannot be read: it is damaged, or the file system failed.
   *
   * @param version the version that the stream reads the file in, if known
   */
  private def unreadableDataFile(
      file: String,
      version: Option[Long],
      dataPath: String,
      cause: Throwable): Throwable = {
    val ofVersion = version.fold("")(number => s" of version $number")
    val reason =
      StreamErrors.printable(cause.toString.replace(file, "the file"), longest = 500).stripSuffix(".")
    new StreamException(
      "DELTASOURCE_UNREADABLE_DATA_FILE",
      s"A file$ofVersion that the stream has to read cannot be read: $file. The table is $dataPath. The reason is: " +
        s"$reason. If the file is damaged, restore it from a copy, then restart the query. If the file system " +
        "failed, or the query may not read the file, correct that and restart the query.",
      Map("file" -> file, "path" -> dataPath, "reason" -> reason) ++ version.map("version" -> _.toString),
      Some(cause)
    )
  }

  /**
   * The rows of a file. If opening or reading it fails, the next one fails with the error of this name.
   *
   * @tparam A a row; or a batch of them, which readers pass as a row
   */
  private final class NamingRows[A](rows: => Iterator[A], toNamed: PartialFunction[Throwable, Throwable])
      extends Iterator[A] {
    private var current: Iterator[A] =
      try rows
      catch toNamed.andThen(new FailingRows(_))

    override def hasNext: Boolean =
      try current.hasNext
      catch toNamed.andThen { named =>
          current = new FailingRows(named)
          true
        }

    override def next(): A = current.next()
  }

  /**
   * Fails when it is read. `FileScanRDD` wraps what the reader and `hasNext` throw in an error of its own, but not
   * what `next` throws.
   */
  private final class FailingRows(failure: Throwable) extends Iterator[Nothing] {
    override def hasNext: Boolean = true
    override def next(): Nothing = throw failure
  }
}
