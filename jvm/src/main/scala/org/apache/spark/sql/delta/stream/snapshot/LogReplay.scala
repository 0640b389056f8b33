// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import scala.annotation.tailrec
import scala.collection.mutable
import scala.jdk.CollectionConverters.IteratorHasAsScala
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.col

import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.delta.actions.{Action, AddFile, Checkpoint, RemoveFile}
import org.apache.spark.sql.delta.stream.concurrent.ParallelMap
import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.log.parse.ActionLine
import org.apache.spark.sql.delta.stream.log.{CommitOpener, RefreshingHadoopConf}
import org.apache.spark.sql.delta.stream.model.CanonicalPath
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{DeltaLog, LogSegment, Snapshot}

/**
 * Lists the files of a table version by replaying its log on the driver: first the files of the checkpoint,
 * read without a shuffle, by one job per partition of the checkpoint; then what each later commit added and
 * removed. Delta's reconstruction of the same state costs a shuffle, and stays on the executors with all
 * statistics (docs/internals/design/0010-initial-snapshot.md).
 *
 * @param maxFiles how many files are held in memory, at most
 */
private[snapshot] final class LogReplay(spark: SparkSession, log: DeltaLog, maxFiles: Long) extends Logging {
  import LogReplay._

  /** Capped so that `2 * limit + 1` fits into an Int. */
  private val limit = maxFiles.min(Int.MaxValue / 4).toInt
  private val hadoopConf = log.newDeltaHadoopConf()
  private val pathAsDeltaShows = log.getCanonicalPathFunction(runsOnExecutors = false)
  private val pathKey = CanonicalPath.of(log, hadoopConf)
  private val opener = new CommitOpener(log.store, RefreshingHadoopConf.fixed(hadoopConf))

  /**
   * Returns the files of the version, without statistics and in no particular order. Returns None if there
   * are more than `maxFiles`, if the log cannot be replayed, or if the version's checksum file has another
   * number of files; the caller then reads Delta's state instead. Only fatal errors are thrown.
   */
  def files(snapshot: Snapshot): Option[Iterable[AddFile]] = {
    val checksumFiles = snapshot.checksumOpt.map(_.numFiles)
    if (checksumFiles.exists(_ > maxFiles)) None
    else
      try {
        val replayed = Option(snapshot.logSegment).flatMap(replay(snapshot, _)).map(_.values)
        replayed.filter(files => checksumFiles.forall(_ == files.size))
      } catch {
        case NonFatal(e) =>
          logInfo(
            s"cannot replay the log of ${log.dataPath} up to version ${snapshot.version}: " +
              "Delta reconstructs its state instead",
            e)
          None
      }
  }

  private def replay(snapshot: Snapshot, segment: LogSegment): Option[Files] = {
    val parsed = ParsedCommits.take(snapshot)
    replay(checkpointFiles(snapshot), segment.deltas.sortBy(firstVersion).toList) { commit =>
      parsed.get(commit.getPath).fold(parse(commit))(actions => changes(actions.iterator))
    }
  }

  /** Parses commits in rounds, and applies them to the files. Returns None once there are too many files. */
  @tailrec
  private def replay(files: Files, commits: List[FileStatus])(
      parse: FileStatus => Vector[FileChange]): Option[Files] =
    if (files.size > limit) None
    else if (commits.isEmpty) Some(files)
    else {
      // A commit that is larger than a round is parsed alone.
      val (round, remaining) = commits.splitAt(roundLimits.first(commits.iterator)(_.getLen).size.max(1))
      val parsed = ParallelMap(round, "log-replay", threads)(parse)
      parsed.iterator.takeWhile(_ => files.size <= limit).foreach(applyTo(files, _))
      replay(files, remaining)(parse)
    }

  private def checkpointFiles(snapshot: Snapshot): Files = {
    val files: Files = mutable.LinkedHashMap.empty
    snapshot.checkpointProvider.loadActionsForStateReconstruction(spark, log).foreach { actions =>
      val added = SnapshotIndex.withoutStatistics(actions.where(col("add.path").isNotNull).select("add.*"))
      files ++= added.toLocalIterator().asScala.take(limit + 1).map(keyed)
    }
    files
  }

  private def parse(commit: FileStatus): Vector[FileChange] = {
    val lines = opener.lines(commit)
    try changes(lines.flatMap(ActionLine.readState))
    finally lines.close()
  }

  /**
   * Returns what the actions of one commit change. Fails for more than `2 * limit` file actions, without reading
   * the rest. At most `limit` files are there to be removed, so the other actions would add too many.
   */
  private def changes(actions: Iterator[Action]): Vector[FileChange] = {
    val found = actions.collect {
      case add: AddFile =>
        val (key, file) = keyed(add)
        key -> Some(file)
      case remove: RemoveFile => FileKey(pathKey(remove.path), remove.getDeletionVectorUniqueId) -> None
      case _: Checkpoint => throw new UnsupportedOperationException("the commit lists files in a manifest")
    }.take(2 * limit + 1).toVector
    if (found.size <= 2 * limit) found
    else throw new UnsupportedOperationException(s"a commit has more than ${2 * limit} file actions")
  }

  private def applyTo(files: Files, changes: Vector[FileChange]): Unit = changes.foreach {
    case (key, Some(file)) => files.update(key, file)
    case (key, None) => files.subtractOne(key)
  }

  /** Returns the file as Delta's state has it: with the path that Delta shows, and without a data change. */
  private def keyed(add: AddFile): (FileKey, AddFile) =
    FileKey(pathKey(add.path), add.getDeletionVectorUniqueId) ->
      add.copy(path = shown(add.path), dataChange = false)

  private def shown(path: String): String = if (CanonicalPath.isPlain(path)) path else pathAsDeltaShows(path)
}

private[snapshot] object LogReplay {

  /** Identifies a file. A path may be in the table once with each of its deletion vectors. */
  private final case class FileKey(pathKey: String, deletionVectorId: Option[String])

  /**
   * The files of a version, which change while commits are applied. They stay in the order of the log, which is
   * mostly that of their modification times, because files in order are sorted several times as fast.
   */
  private type Files = mutable.LinkedHashMap[FileKey, AddFile]

  /** A file that is added, or removed if there is none, with its key. */
  private type FileChange = (FileKey, Option[AddFile])

  private val threads = 8

  /** How many commits, and bytes of their files, are parsed before they are applied. */
  private val roundLimits = PrefetchLimits(commits = 1024, bytes = 64L << 20)

  /** Returns the first version in the file: Delta's log compaction may put several commits into one file. */
  def firstVersion(file: FileStatus): Long =
    if (FileNames.isCompactedDeltaFile(file)) FileNames.compactedDeltaVersions(file)._1
    else FileNames.deltaVersion(file)
}
