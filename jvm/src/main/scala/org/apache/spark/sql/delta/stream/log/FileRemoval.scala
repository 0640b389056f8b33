// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{FileNotFoundException, InputStreamReader}
import java.net.URI
import java.nio.charset.StandardCharsets.UTF_8

import scala.annotation.tailrec
import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.actions.{Action, AddCDCFile, AddFile, CommitInfo, RemoveFile}
import org.apache.spark.sql.delta.storage.LineClosableIterator
import org.apache.spark.sql.delta.stream.concurrent.ParallelMap
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.util.FileNames

/**
 * What the log says about a data file that no longer exists.
 *
 * @param removed the commit that removed the file from the table, or wrote the change file
 * @param vacuum  the first VACUUM after it that may have deleted the file
 */
private[stream] final case class FileRemoval(
    removed: Option[FileRemoval.Removed] = None,
    vacuum: Option[FileRemoval.Vacuum] = None) {
  import FileRemoval._

  /** Returns this with what the next commit says about the file. */
  private[log] def after(commit: CommitActions, file: Path): FileRemoval =
    if (vacuum.nonEmpty) this
    else
      (removed, commit.removes(file)) match {
        case (_, Some(timeMs)) => copy(removed = Some(Removed(commit.version, commit.operation, timeMs)))
        case (Some(before), None) => copy(vacuum = commit.vacuum.filter(_.deletes(before)))
        case (None, None) => this
      }
}

private[stream] object FileRemoval {

  /** @param timeMs when the file was removed, in milliseconds since 1970 */
  final case class Removed(version: Long, operation: Option[String], timeMs: Long)

  /**
   * @param startMs     when VACUUM started, in milliseconds since 1970
   * @param retentionMs for how long it kept removed files
   */
  final case class Vacuum(version: Long, startMs: Long, retentionMs: Option[Long]) {
    def deletes(file: Removed): Boolean = retentionMs.forall(file.timeMs + _ <= startMs)
  }

  /** How many commits after the file's own are searched. */
  private val maxCommits = 1000
  private val commitsAtOnce = 32

  /**
   * Searches the log for the removal of a data file, from the version that the stream reads it in. Opens commits
   * by name, until it has found a VACUUM or a commit does not exist. Reads the log's folder, so it does not find
   * staged commits. Fails as the file system does.
   *
   * @param version the version that adds the file, or that a change feed reads it in
   */
  def find(logPath: Path, hadoopConf: Configuration, version: Long, file: Path): FileRemoval = {
    val versions = (version until version + maxCommits).grouped(commitsAtOnce).toList
    find(versions, FileRemoval(), file) { round =>
      ParallelMap(round, "file-removal", maxThreads = 8)(read(logPath, hadoopConf, file, _))
    }
  }

  @tailrec
  private def find(rounds: List[Seq[Long]], known: FileRemoval, file: Path)(
      read: Seq[Long] => Seq[Option[CommitActions]]): FileRemoval = rounds match {
    case round :: later if known.vacuum.isEmpty =>
      val commits = read(round)
      val found = commits.takeWhile(_.nonEmpty).flatten.foldLeft(known)(_.after(_, file))
      if (commits.forall(_.nonEmpty)) find(later, found, file)(read) else found
    case _ => known
  }

  /** The actions of a commit that say something about files that no longer exist. */
  private[log] final case class CommitActions(version: Long, actions: Seq[Action]) {
    private def info: Option[CommitInfo] = actions.collectFirst { case info: CommitInfo => info }

    def operation: Option[String] = info.flatMap(found => Option(found.operation))

    /**
     * Returns when this commit removed the file, in milliseconds since 1970. A commit that adds the file again
     * only replaces its deletion vector. A change file counts as removed by its own commit.
     */
    def removes(file: Path): Option[Long] = {
      def isFile(path: String): Boolean = new Path(new URI(path)).getName == file.getName
      val added = actions.exists { case add: AddFile => isFile(add.path); case _ => false }
      actions.collectFirst {
        case remove: RemoveFile if !added && isFile(remove.path) => remove.deletionTimestamp
        case change: AddCDCFile if isFile(change.path) => None
      }.map(_.orElse(info.map(_.getTimestamp)).getOrElse(0L))
    }

    def vacuum: Option[Vacuum] = info.filter(_.operation == "VACUUM START").map { start =>
      val parameters = start.operationParameters
      val retention = Seq("specifiedRetentionMillis", "defaultRetentionMillis").flatMap(parameters.get)
      Vacuum(version, start.getTimestamp, retention.flatMap(_.replace("\"", "").toLongOption).headOption)
    }
  }

  /** Returns None if the commit does not exist. */
  private def read(logPath: Path, hadoopConf: Configuration, file: Path, version: Long)
      : Option[CommitActions] = {
    val path = FileNames.unsafeDeltaFile(logPath, version)
    try {
      val in = path.getFileSystem(hadoopConf).open(path)
      val lines = new LineClosableIterator(new InputStreamReader(in, UTF_8))
      try Some(CommitActions(version, lines.filter(mentions(file)).flatMap(parse).toVector))
      finally lines.close()
    } catch { case _: FileNotFoundException => None }
  }

  private def mentions(file: Path)(line: String): Boolean =
    line.contains(file.getName) || line.contains("\"commitInfo\"")

  /** A line that cannot be parsed says nothing: what is reported here is that a data file is gone. */
  private def parse(line: String): Option[Action] = Try(ActionLine.read(line)).toOption.flatMap(Option(_))
}
