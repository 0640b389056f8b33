// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import scala.annotation.tailrec
import scala.collection.immutable.HashMap
import scala.jdk.CollectionConverters.IteratorHasAsScala
import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.col

import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.delta.actions.{AddFile, Checkpoint, FileAction, RemoveFile}
import org.apache.spark.sql.delta.stream.log.{ActionLine, CommitOpener, ReadAhead, RenewedHadoopConf}
import org.apache.spark.sql.delta.stream.{CanonicalPath, ParallelMap}
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{DeltaLog, LogSegment, Snapshot}

/**
 * The files of a table version by replaying its log on the driver: what its checkpoint has, by jobs that shuffle
 * nothing, one for each of its partitions, then what each commit behind that added and removed. Delta's reconstruction
 * of the same state costs a shuffle and is kept on the executors with all statistics
 * (docs/design/0010-initial-snapshot.md).
 *
 * @param most so many files are held at most
 */
private[snapshot] final class LogReplay(spark: SparkSession, log: DeltaLog, most: Long) extends Logging {
  import LogReplay._

  private val bound = most.min(Int.MaxValue / 4).toInt
  private val hadoopConf = log.newDeltaHadoopConf()
  private val shown = log.getCanonicalPathFunction(runsOnExecutors = false)
  private val canonical = CanonicalPath.of(log, hadoopConf)
  private val opener = new CommitOpener(log.store, RenewedHadoopConf.fixed(hadoopConf))

  /**
   * None for more files than that, for a log that cannot be read so, and where the version's checksum file tells of
   * another number of files: then Delta's state is to be asked.
   */
  def files(snapshot: Snapshot): Option[Iterable[AddFile]] = {
    val told = snapshot.checksumOpt.map(_.numFiles)
    if (told.exists(_ > most)) None
    else
      try {
        val found = Option(snapshot.logSegment).flatMap(replay(snapshot, _)).map(_.values)
        found.filter(files => told.forall(_ == files.size))
      } catch {
        case NonFatal(e) =>
          logInfo(s"version ${snapshot.version} of ${log.dataPath} is left to Delta's own reconstruction", e)
          None
      }
  }

  private def replay(snapshot: Snapshot, segment: LogSegment): Option[Files] =
    replay(within(checkpoint(snapshot)), segment.deltas.sortBy(firstVersion).toList)

  /** Nothing more is parsed once it is too much. */
  @tailrec
  private def replay(known: Option[Files], commits: List[FileStatus]): Option[Files] =
    if (known.isEmpty || commits.isEmpty) known
    else {
      // A commit that is larger than the bound is parsed alone.
      val (now, later) = commits.splitAt(atOnce.first(commits.iterator)(_.getLen).size.max(1))
      val parsed = ParallelMap(now, "log-replay", threads)(read)
      replay(
        parsed.foldLeft(known)((files, commit) => files.flatMap(all => within(next(all, commit)))),
        later)
    }

  private def within(files: Files): Option[Files] = Option.when(files.size <= bound)(files)

  private def checkpoint(snapshot: Snapshot): Files =
    snapshot.checkpointProvider.loadActionsForStateReconstruction(spark, log).fold[Files](HashMap.empty) {
      actions =>
        val added = SnapshotIndex.withoutStatistics(actions.where(col("add.path").isNotNull).select("add.*"))
        HashMap.from(added.toLocalIterator().asScala.take(bound + 1).map(keyed))
    }

  /** More of one commit than may be held is not read on: that many cannot go again at once. */
  private def read(commit: FileStatus): Vector[FileAction] = {
    val lines = opener.lines(commit)
    try {
      val files = lines.map(ActionLine.read).collect {
        case file: AddFile => file
        case file: RemoveFile => file
        case _: Checkpoint => throw new UnsupportedOperationException("its files are in a manifest")
      }
      val held = files.take(2 * bound + 1).toVector
      if (held.size > 2 * bound) throw new UnsupportedOperationException("a commit has too many files")
      held
    } finally lines.close()
  }

  private def next(files: Files, commit: Vector[FileAction]): Files = commit.foldLeft(files) {
    case (known, add: AddFile) => known + keyed(add)
    case (known, remove: RemoveFile) => known - Key(canonical(remove.path), remove.getDeletionVectorUniqueId)
    case (known, _) => known
  }

  /** The file as Delta's state has it: with the path that Delta shows, and with no change of data. */
  private def keyed(add: AddFile): (Key, AddFile) =
    Key(canonical(add.path), add.getDeletionVectorUniqueId) ->
      add.copy(path = shown(add.path), dataChange = false)
}

object LogReplay {

  /** What a file is known by: a file may be in the table once with each of its deletion vectors. */
  private final case class Key(path: String, vector: Option[String])

  private type Files = HashMap[Key, AddFile]

  private val threads = 8

  /** What is parsed before it is replayed. */
  private val atOnce = ReadAhead.Bounds(commits = 64, bytes = 64L << 20)

  /** Delta may have put several commits into one file. */
  private def firstVersion(file: FileStatus): Long =
    if (FileNames.isCompactedDeltaFile(file)) FileNames.compactedDeltaVersions(file)._1
    else FileNames.deltaVersion(file)
}
