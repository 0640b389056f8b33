// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.applychanges

import java.io.FileNotFoundException
import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.{Action, AddFile, RemoveFile}
import org.apache.spark.sql.delta.stream.log.CommitLines
import org.apache.spark.sql.delta.util.FileNames

/**
 * The files of a table, kept from batch to batch: after the first, only the commits since then are read, on the driver.
 * Delta computes its list of files again for each version, in Spark jobs.
 */
private[applychanges] final class FileList {
  import FileList._

  private val last = new AtomicReference(Option.empty[Known])

  def of(snapshot: Snapshot): Seq[AddFile] = {
    val known = last.get.flatMap(_.at(snapshot)).getOrElse(Known.of(snapshot))
    last.set(Option.when(known.mayBeKept)(known))
    known.files.values.toSeq
  }
}

private[applychanges] object FileList {

  /** With more commits since the last batch, the list is read as a whole. */
  private val maxCommits = 20
  private val maxFiles = 200000

  /** A log without a checkpoint is read as a whole if its commits are larger. */
  private val maxBytes = 16L * 1024 * 1024

  /** A file can be in the log twice: with the deletion vector that it had, and with the one that it has. */
  private final case class Key(path: String, vector: Option[String])

  private def key(file: AddFile): Key = Key(file.path, file.getDeletionVectorUniqueId)
  private def key(file: RemoveFile): Key = Key(file.path, file.getDeletionVectorUniqueId)

  private def isRelative(file: AddFile): Boolean = !file.pathAsUri.isAbsolute

  /**
   * @param areRelative whether the paths of all files are relative to the table. Others, such as those of a shallow
   *                    clone, may be written in several ways
   */
  private final case class Known(
      tableId: String,
      version: Long,
      files: Map[Key, AddFile],
      areRelative: Boolean) {

    def mayBeKept: Boolean = files.size <= maxFiles && areRelative

    /** Returns the files at a later version of the table; None if its commits are not there to be read. */
    def at(snapshot: Snapshot): Option[Known] = {
      val commits = snapshot.version - version
      if (snapshot.metadata.id != tableId || commits < 0 || commits > maxCommits) None
      else
        try Some((version + 1 to snapshot.version).foldLeft(this)(_.after(snapshot, _)))
        catch { case _: FileNotFoundException => None }
    }

    private def after(snapshot: Snapshot, next: Long): Known = {
      val log = snapshot.deltaLog
      val path = FileNames.unsafeDeltaFile(log.logPath, next)
      val actions = CommitLines.read(log, path)(_.map(Action.fromJson).toVector)
      val removed = actions.collect { case file: RemoveFile => key(file) }
      val added = actions.collect { case file: AddFile => file }
      copy(
        version = next,
        files = files -- removed ++ added.map(file => key(file) -> file),
        areRelative = areRelative && added.forall(isRelative))
    }
  }

  private object Known {

    /** A short log is read here: Delta's job for its list has 50 tasks by default, however short the log is. */
    def of(snapshot: Snapshot): Known =
      Option.when(isShort(snapshot))(beforeFirstCommit(snapshot))
        .flatMap(_.at(snapshot))
        .filter(_.areRelative)
        .getOrElse(whole(snapshot))

    private def isShort(snapshot: Snapshot): Boolean = {
      val segment = snapshot.logSegment
      segment.checkpointProvider.isEmpty && segment.deltas.map(_.getLen).sum <= maxBytes
    }

    private def beforeFirstCommit(snapshot: Snapshot): Known =
      Known(snapshot.metadata.id, version = -1, Map.empty, areRelative = true)

    private def whole(snapshot: Snapshot): Known = {
      val files = snapshot.allFiles.collect().toVector
      Known(
        snapshot.metadata.id,
        snapshot.version,
        files.map(file => key(file) -> file).toMap,
        files.forall(isRelative))
    }
  }
}
