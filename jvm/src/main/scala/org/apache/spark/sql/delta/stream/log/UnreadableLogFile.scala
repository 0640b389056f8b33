// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{IOException, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.paths.SparkPath

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.storage.LineClosableIterator
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.model.{
  Causes,
  CommitFile,
  FileSystemFailure,
  StreamErrors,
  StreamException
}

/**
 * Names a damaged file of a table's log. Delta reads the log in a job when it loads a table or reconstructs a
 * version, and a stream meets that before it reads a commit itself. Spark's error contains the path, but not
 * what is wrong with the file.
 */
private[delta] object UnreadableLogFile {

  /**
   * Returns what `read` returns. If it fails because Spark cannot read a file of the log, fails instead with
   * `DELTASOURCE_UNREADABLE_COMMIT` or `DELTASOURCE_EMPTY_COMMIT` for a commit, and with
   * `DELTASOURCE_UNREADABLE_LOG_FILE` for any other file, such as a checkpoint. Failures of the file system stay
   * as they are.
   *
   * @param hadoopConf opens the file again, to find the line
   */
  def naming[A](hadoopConf: => Configuration)(read: => A): A =
    try read
    catch {
      case NonFatal(e @ UnreadableLogFile(path)) => throw toException(path, e, hadoopConf)
    }

  /** The same while a query is analyzed or started. */
  def namingAtStart[A](hadoopConf: => Configuration)(read: => A): A =
    try naming(hadoopConf)(read)
    catch { case e: StreamException => throw e.atStart }

  private[log] def unapply(failure: Throwable): Option[Path] =
    if (FileSystemFailure.unapply(failure).nonEmpty) None
    else Causes.of(failure).flatMap(failedRead).find(_.getParent.toString.contains(logFolder))

  private val logFolder = "/_delta_log"

  /** Returns the file if this is the error of Spark, or of Parquet, for one that exists but cannot be read. */
  private def failedRead(failure: Throwable): Option[Path] = failure match {
    case e: SparkThrowable if Option(e.getCondition).exists(isFailedRead) =>
      Option(e.getMessageParameters.get("path")).map(SparkPath.fromUrlString(_).toPath)
    case e => Option(e.getMessage).collect { case noParquet(path) => new Path(path) }
  }

  /** What Parquet says of a checkpoint that is not opened by one of Spark's readers. */
  private val noParquet = """(\S+) is not a Parquet file.*""".r

  private def isFailedRead(condition: String): Boolean =
    condition.startsWith("FAILED_READ_FILE.") && condition != "FAILED_READ_FILE.FILE_NOT_EXIST"

  /** Reads a commit once more, because our parser knows the line. Its error wins only if it finds one. */
  private def toException(path: Path, failure: Throwable, hadoopConf: Configuration): Throwable = {
    val unreadable = StreamErrors.unreadableLogFile(path.toString, rootCause(failure))
    LogFolder.versionOf(path.getName).fold(unreadable) { version =>
      try {
        parse(version, path, hadoopConf)
        unreadable
      } catch {
        case e: StreamException => e
        // The file system failed, or the file is gone by now.
        case _: IOException => unreadable
      }
    }
  }

  private def parse(version: Long, path: Path, hadoopConf: Configuration): Unit = {
    val fs = path.getFileSystem(hadoopConf)
    val status = fs.getFileStatus(path)
    val lines = new LineClosableIterator(new InputStreamReader(fs.open(path), UTF_8))
    try {
      val _ = CommitParser.parse(CommitFile(version, status), lines, CommitParser.AppendOnly)
    } finally lines.close()
  }

  private def rootCause(failure: Throwable): Throwable = Causes.of(failure).toSeq.last
}
